package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// record is the client's own record of a session, as far as it matters here.
type record struct {
	t    *testing.T
	path string
	ids  int
}

func newRecord(t *testing.T) *record {
	return &record{t: t, path: filepath.Join(t.TempDir(), "session.jsonl")}
}

func (r *record) write(line string) {
	r.t.Helper()
	f, err := os.OpenFile(r.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	require.NoError(r.t, err)
	_, err = f.WriteString(line + "\n")
	require.NoError(r.t, err)
	require.NoError(r.t, f.Close())
}

// call writes a call of a tool and its result, in an answer of 100 tokens.
func (r *record) call(tool, input string, failed bool) {
	r.t.Helper()
	r.ids++
	r.write(fmt.Sprintf(`{"type":"assistant","uuid":"a%d","message":{"id":"msg%d","role":"assistant","content":[{`+
		`"type":"tool_use","id":"toolu%d","name":%q,"input":%s}],"usage":{"output_tokens":100}}}`,
		r.ids, r.ids, r.ids, tool, input))
	r.write(fmt.Sprintf(`{"type":"user","uuid":"u%d","message":{"role":"user","content":[{"type":"tool_result",`+
		`"tool_use_id":"toolu%d","content":"x","is_error":%t}]}}`, r.ids, r.ids, failed))
}

func (r *record) compact() {
	r.ids++
	r.write(fmt.Sprintf(`{"type":"system","subtype":"compact_boundary","uuid":"c%d"}`, r.ids))
}

func (f *fixture) startWith(session string, r *record) {
	f.t.Helper()
	_, err := f.StartSession(f.ctx, api.SessionStart{Session: session, Source: "startup", Transcript: r.path})
	require.NoError(f.t, err)
}

func (f *fixture) store(topic string, session string) api.Detail {
	f.t.Helper()
	r, err := f.Remember(f.ctx, api.Draft{Topic: topic, Content: "What " + topic + " is about.", Session: session})
	require.NoError(f.t, err)
	d, err := f.Peek(f.ctx, string(r.ID))
	require.NoError(f.t, err)
	return d
}

func (f *fixture) session(id string) *store.Session {
	f.t.Helper()
	var s *store.Session
	require.NoError(f.t, store.New(f.places, time.Now).View(func(v *store.View) error {
		state, err := v.State()
		s = state.Sessions[id]
		return err
	}))
	require.NotNil(f.t, s)
	return s
}

// TestDifficultyFollowsTheTranscript stores three times in one session. Each
// memory has the work since the one before; with the balanced weights and a cap
// of 100,000 tokens.
func TestDifficultyFollowsTheTranscript(t *testing.T) {
	f := newEngine(t)
	f.remember("there is a store", "x", 0.1)
	r := newRecord(t)
	f.startWith("s", r)

	r.call("Bash", `{"command":"go test ./a"}`, true)
	r.call("Bash", `{"command":"go test ./a"}`, true) // a retry
	r.call("Edit", `{"file_path":"a.go"}`, true)      // no hook sees it
	r.call("Bash", `{"command":"go test ./a"}`, false)
	first := f.store("first", "s")
	require.Equal(t, &memory.Work{Calls: 4, Failures: 3, Retries: 2, Tokens: 401, Source: memory.SourceTranscript},
		first.Work)
	// x = 3 + 2/2; F = 1 − (5/8)·(4/8) = 0.6875; C = 4/29; T = 401/30,401
	// 1 − 0.75·(1 − 0.55·0.6875)·(1 − 0.25·0.138)·(1 − 0.35·0.013)
	require.InDelta(t, 0.55, first.Difficulty, 1e-9)

	r.call("Read", `{"file_path":"a.go"}`, false)
	second := f.store("second", "s")
	require.Equal(t, &memory.Work{Calls: 1, Tokens: 100, Source: memory.SourceTranscript}, second.Work)
	// 1 − 0.75·(1 − 0.25·1/26)·(1 − 0.35·100/30,100)
	require.InDelta(t, 0.26, second.Difficulty, 1e-9)

	r.compact()
	third := f.store("third", "s")
	require.Equal(t, &memory.Work{Compacted: true, Source: memory.SourceTranscript}, third.Work)
	require.InDelta(t, 0.44, third.Difficulty, 1e-9) // 1 − 0.75·(1 − 0.25)

	r.call("Read", `{"file_path":"b.go"}`, false)
	fourth := f.store("fourth", "s")
	require.False(t, fourth.Work.Compacted, "the compaction was in the segment before")
	require.InDelta(t, 0.26, fourth.Difficulty, 1e-9)

	r.call("Read", `{"file_path":"c.go"}`, false)
	require.NoError(t, compacted(f.ctx, f, "s")) // the hook comes first, and tells of the same one
	r.compact()
	fifth := f.store("fifth", "s")
	require.True(t, fifth.Work.Compacted)
	// 1 − 0.75·(1 − 0.25·1/26)·(1 − 0.35·100/30,100)·(1 − 0.25)
	require.InDelta(t, 0.44, fifth.Difficulty, 1e-9)
	r.call("Read", `{"file_path":"d.go"}`, false)
	require.False(t, f.store("sixth", "s").Work.Compacted)

	// The file says it, for whoever clones the repository.
	text, err := os.ReadFile(f.memoryFile(first.ID))
	require.NoError(t, err)
	require.Contains(t, string(text), "\nwork: {calls: 4, failures: 3, retries: 2, tokens: 401, compacted: false, "+
		"source: transcript}\n")
	list, err := f.List(f.ctx, api.ListFilter{Keyword: "first"})
	require.NoError(t, err)
	require.Equal(t, first.Work, list.Memories[0].Work)
}

// TestHooksAreTheFallback has no transcript, or one that is not there.
func TestHooksAreTheFallback(t *testing.T) {
	for name, path := range map[string]string{"none": "", "missing": "/nowhere/s.jsonl", "a directory": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			f.remember("there is a store", "x", 0.1)
			f.startWith("s", &record{t: t, path: path})
			f.tools("s", 6, 2, 50)
			d := f.store("hooked", "s")
			require.Equal(t, &memory.Work{Calls: 8, Failures: 2, Tokens: 400, Source: memory.SourceHooks}, d.Work)
			// F = 1 − (10/12)·(4/6) = 0.444; C = 8/33; T = 400/30,400
			// 1 − 0.75·(1 − 0.55·0.444)·(1 − 0.25·0.242)·(1 − 0.35·0.013)
			require.InDelta(t, 0.47, d.Difficulty, 1e-9)
		})
	}
}

// TestTheHigherCountIsTheTruer has a transcript that the client has not written
// to the end yet.
func TestTheHigherCountIsTheTruer(t *testing.T) {
	f := newEngine(t)
	f.remember("there is a store", "x", 0.1)
	r := newRecord(t)
	f.startWith("s", r)
	r.call("Bash", `{"command":"false"}`, true)
	f.tools("s", 3, 1, 50)
	require.Equal(t, &memory.Work{Calls: 4, Failures: 1, Tokens: 200, Source: memory.SourceTranscript},
		f.store("lag", "s").Work)
	for range 3 {
		r.call("Bash", `{"command":"true"}`, false) // it catches up
	}
	r.call("Edit", `{"file_path":"a.go"}`, true)
	f.tools("s", 0, 1, 0)
	require.Equal(t, &memory.Work{Calls: 1, Failures: 1, Tokens: 301, Source: memory.SourceTranscript},
		f.store("later", "s").Work, "work that was counted does not count again")
}

// TestATranscriptIsReadFromWhereTheSessionBegan leaves alone what stood in the
// file before, as a resumed session has it, and goes on after an end.
func TestATranscriptIsReadFromWhereTheSessionBegan(t *testing.T) {
	f := newEngine(t)
	f.remember("there is a store", "x", 0.1)
	r := newRecord(t)
	for range 30 {
		r.call("Bash", `{"command":"old"}`, true)
	}
	f.startWith("s", r)
	r.call("Bash", `{"command":"new"}`, false)
	require.Equal(t, 1, f.store("one", "s").Work.Calls)
	r.call("Bash", `{"command":"late"}`, true)
	require.NoError(t, f.EndSession(f.ctx, "s"))
	s := f.session("s")
	require.Equal(t, 2, s.Work.Calls)
	require.NotContains(t, string(s.Transcript.Reading), "lines")
	// F = 1 − (5/6)·(4/5) = 0.333; C = 2/27; T = 200/30,200
	// 1 − 0.75·(1 − 0.55·0.333)·(1 − 0.25·0.074)·(1 − 0.35·0.007)
	require.InDelta(t, 0.4, s.DifficultyScore, 1e-9)

	f.startWith("s", r) // resumed: it counts as a new one
	r.call("Bash", `{"command":"resumed"}`, false)
	require.Equal(t, 1, f.store("two", "s").Work.Calls)
	require.Zero(t, f.session("s").Work.Failures)
}

// TestHooksDoNotCountSubagents has one fail and succeed beside the session's own call.
func TestHooksDoNotCountSubagents(t *testing.T) {
	f := newEngine(t)
	f.remember("there is a store", "x", 0.1)
	f.start("s")
	f.tools("s", 1, 0, 50)
	for i := range 5 {
		line, err := f.RecordTool(f.ctx, api.ToolUse{Session: "s", Subagent: true, Failed: i < 4, Tool: "Bash",
			Input: []byte(`{"command":"make"}`), Response: gaveBack(9000)})
		require.NoError(t, err)
		require.Empty(t, line, "the nudge is about the session's own work")
	}
	require.Equal(t, &memory.Work{Calls: 1, Tokens: 50, Source: memory.SourceHooks}, f.store("one", "s").Work)
}

// TestSubagentsAreCountedApart reads their files once.
func TestSubagentsAreCountedApart(t *testing.T) {
	f := newEngine(t)
	f.remember("there is a store", "x", 0.1)
	r := newRecord(t)
	f.startWith("s", r)
	r.call("Agent", `{"prompt":"look"}`, false)
	agents := strings.TrimSuffix(r.path, ".jsonl") + "/subagents"
	require.NoError(t, os.MkdirAll(agents, 0o755))
	agent := &record{t: t, path: filepath.Join(agents, "agent-1.jsonl"), ids: 100}
	line := `{"type":"assistant","isSidechain":true,"uuid":"x","message":{"id":"m","content":[{"type":"tool_use",` +
		`"id":"t","name":"Bash","input":{"command":"a"}}],"usage":{"output_tokens":7}}}`
	agent.write(line)
	agent.write(`{"type":"user","isSidechain":true,"uuid":"y","message":{"content":[{"type":"tool_result",` +
		`"tool_use_id":"t","is_error":true}]}}`)
	want := &memory.Work{Calls: 1, Tokens: 100, AgentCalls: 1, AgentFailures: 1, Source: memory.SourceTranscript}
	require.Equal(t, want, f.store("one", "s").Work)
	require.Zero(t, f.store("two", "s").Work.AgentCalls)
}

// TestResetBeginsANewSegment tells what was counted. A compaction belongs to the
// segment that it was in.
func TestResetBeginsANewSegment(t *testing.T) {
	f := newEngine(t)
	_, err := f.ResetSession(f.ctx, "s")
	require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
	f.remember("there is a store", "x", 0.1)
	_, err = f.ResetSession(f.ctx, "s")
	require.ErrorContains(t, err, "no session is open")
	r := newRecord(t)
	f.startWith("s", r)
	r.call("Bash", `{"command":"a"}`, true)
	require.NoError(t, compacted(f.ctx, f, "s"))
	segment, err := f.ResetSession(f.ctx, "s")
	require.NoError(t, err)
	require.Equal(t, memory.Work{Calls: 1, Failures: 1, Tokens: 100, Compacted: true, Source: memory.SourceTranscript},
		segment.Work)
	// 1 − 0.75·(1 − 0.55·0.36)·(1 − 0.25·1/26)·(1 − 0.35·100/30,100)·(1 − 0.25)
	require.InDelta(t, 0.55, segment.Difficulty, 1e-9)
	require.Equal(t, "new segment; the old one had 1 tool call (1 failed), 100 tokens, a compacted context",
		segment.Message)
	d := f.store("after", "s")
	require.Equal(t, &memory.Work{Source: memory.SourceTranscript}, d.Work)
}

// TestWhyShowsTheArithmetic adds up to what the memory says.
func TestWhyShowsTheArithmetic(t *testing.T) {
	f := newEngine(t)
	given := f.remember("given", "x", 0.75, "importance:critical")
	r := newRecord(t)
	f.startWith("s", r)
	r.call("Bash", `{"command":"a"}`, true)
	judged := f.store("judged", "s").ID
	for id, terms := range map[memory.ID]int{given: 0, judged: 5} {
		why, err := f.Why(f.ctx, string(id))
		require.NoError(t, err)
		require.Len(t, why.DifficultyTerms, terms)
		sum := 0.0
		for _, term := range why.DifficultyTerms {
			sum += term.Points
		}
		if terms > 0 {
			require.InDelta(t, why.Difficulty, sum, 1e-9)
		}
		sum = 0
		for _, term := range why.PriorityTerms {
			sum += term.Points
		}
		require.InDelta(t, why.Priority, min(1, sum), 1e-9)
		require.NotEmpty(t, why.Notes)
	}
	_, err := f.Get(f.ctx, string(judged))
	require.NoError(t, err)
	why, err := f.Why(f.ctx, string(judged))
	require.NoError(t, err)
	require.Contains(t, why.Notes, "recency 1.00 = 5/(5 + 0): last accessed in session 1 of 1")
	require.Contains(t, why.Notes, "frequency 0.61 = ln(1 + 2.00)/ln(1 + 5): accesses 2.00 = "+
		"1.00 stored or first seen in this clone + 1.00 opened (1 time × 1.00)")
	_, err = f.Why(f.ctx, "mem_99999999")
	require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
}
