package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/session"
	"ltm/engine/settings"
	"ltm/engine/transcript"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

func empty() *store.State { return &store.State{Sessions: map[string]*store.Session{}} }

// record is a client's record of one session, which grows.
type record struct {
	path    string
	work    transcript.Work
	skipped bool
	gone    bool // it cannot be read
}

// add appends work to the record.
func (r *record) add(calls, failures, retries, tokens int) {
	r.work = r.work.Add(transcript.Work{Main: transcript.Counts{Calls: calls, Failures: failures, Retries: retries,
		OutputTokens: tokens}})
}

func (r *record) MayHold(path string) bool                   { return path == r.path }
func (r *record) Skip(*store.Transcript)                     { r.skipped = true }
func (r *record) Find(session string) (path string, ok bool) { return r.path, session == "s" }

func (r *record) Read(_ context.Context, t *store.Transcript) ([]transcript.Work, bool) {
	if r.gone {
		return nil, false
	}
	work := r.work
	r.work = transcript.Work{}
	return []transcript.Work{work}, t.Path == r.path
}

// TestOpeningCountsASessionOnce opens one several times, and again after its end.
func TestOpeningCountsASessionOnce(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	state, k := empty(), session.Keeper{Client: 7}
	first := k.Open(state, "s", "", now)
	require.Same(t, first, k.Open(state, " s ", "", now.Add(time.Minute)))
	require.Equal(t, 1, state.SessionCount)
	require.Equal(t, now.Truncate(time.Second).Add(time.Minute), first.LastSeen)
	require.Same(t, first, k.Find(state, "s"))
	require.Same(t, first, k.Find(state, "stale"), "the same client process has it")
	k.Close(context.Background(), state, "s", settings.Layers{}.All(), now.Add(time.Hour))
	require.Nil(t, k.Find(state, "s"))
	require.Equal(t, 2, k.Open(state, "s", "", now.Add(2*time.Hour)).Number)
}

// TestSessionsAreCountedByTheMachinesDays has sessions that begin in the evening, when it is tomorrow in UTC. Of one of
// them only the end is known.
func TestSessionsAreCountedByTheMachinesDays(t *testing.T) {
	state, evening := empty(), time.Date(2026, 3, 1, 20, 0, 0, 0, time.FixedZone("", -8*3600))
	session.Keeper{}.Open(state, "s", "", evening)
	session.Keeper{}.Close(context.Background(), state, "ended", settings.Layers{}.All(), evening)
	require.Equal(t, []store.Day{{Date: "2026-03-01", Sessions: 2}}, state.ByDay())
}

// TestSessionsOfDeadClientsAreClosed and one comes back.
func TestSessionsOfDeadClientsAreClosed(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	state := empty()
	lost := session.Keeper{Client: 1}.Open(state, "lost", "", now)
	alive := session.Keeper{Client: 2}.Open(state, "alive", "", now)
	k := session.Keeper{Client: 3, Alive: func(pid int) bool { return pid == 2 }}
	k.CloseLost(state, k.Open(state, "now", "", now.Add(time.Hour)))
	require.True(t, lost.Lost)
	require.Equal(t, now, *lost.EndedAt)
	require.Nil(t, alive.EndedAt)
	require.Same(t, lost, k.Open(state, "lost", "", now.Add(2*time.Hour)))
	require.False(t, lost.Lost)
	require.Equal(t, 3, state.SessionCount, "it was not counted again")
	k.CloseLost(state, k.Open(state, "later", "", now.Add(48*time.Hour)))
	require.True(t, alive.Lost, "it was silent for a day")
}

// TestFewSessionsAreKept and never without the one at work.
func TestFewSessionsAreKept(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	state, k := empty(), session.Keeper{}
	for i := range 30 {
		k.Open(state, fmt.Sprint("s", i), "", now.Add(time.Duration(i)*time.Minute))
	}
	require.Len(t, state.Sessions, 20)
	require.NotContains(t, state.Sessions, "s9")
	require.Contains(t, state.Sessions, "s10")
	k.Open(state, "before", "", now.Add(-time.Hour)) // the clock went back
	require.Contains(t, state.Sessions, "before")
}

// TestTheRecordIsTheBetterWitness reads one of three calls while hooks saw two.
func TestTheRecordIsTheBetterWitness(t *testing.T) {
	r := &record{path: "/records/s.jsonl", work: transcript.Work{Main: transcript.Counts{Calls: 3, Failures: 1}}}
	state, k := empty(), session.Keeper{Records: r}
	s := k.Open(state, "s", r.path, time.Now())
	require.True(t, r.skipped, "what is in it already is not the session's own")
	session.Count(s, api.ToolUse{Failed: true})
	session.Count(s, api.ToolUse{Failed: true})
	require.Equal(t, memory.SourceHooks, session.Since(s, s.Segment).Source)
	k.Read(context.Background(), s)
	work := session.Since(s, s.Segment)
	require.Equal(t, memory.Work{Calls: 3, Failures: 2, Source: memory.SourceTranscript, Tokens: work.Tokens}, work)
	session.BeginSegment(s)
	require.Zero(t, session.Since(s, s.Segment).Calls)
	r.work = transcript.Work{Main: transcript.Counts{Calls: 5}}
	require.Equal(t, 5, k.Running(context.Background(), "s").Calls, "from its beginning, for a project's first memory")
	require.Nil(t, k.Running(context.Background(), "t"))
	require.Nil(t, session.Keeper{}.Running(context.Background(), "s"))
}

// TestARecordThatLags is behind the hooks when a segment begins, and catches up in the next one: no
// work is missed, and none counts twice.
func TestARecordThatLags(t *testing.T) {
	for name, early := range map[string]transcript.Counts{
		"behind":  {Calls: 5, Failures: 4, Retries: 3, OutputTokens: 100},
		"missing": {},
	} {
		t.Run(name, func(t *testing.T) {
			all := transcript.Counts{Calls: 8, Failures: 6, Retries: 5, OutputTokens: 160}
			r := &record{path: "/records/s.jsonl", gone: early.Calls == 0, work: transcript.Work{Main: early}}
			state, k := empty(), session.Keeper{Records: r}
			s := k.Open(state, "s", r.path, time.Now())
			work := func(failed, ok int) {
				for i := range failed + ok {
					use := api.ToolUse{Tool: "Bash", Input: []byte(`{"command":"make all"}`), Failed: i < failed}
					session.Count(s, use)
					session.Nudge(s, use, settings.Layers{}.All, nil)
				}
			}
			segment := func() memory.Work {
				k.Read(context.Background(), s)
				w := session.Since(s, s.Segment)
				session.BeginSegment(s)
				w.Source, w.Tokens = "", 0
				return w
			}
			work(6, 2)
			first := segment()
			require.Equal(t, []int{8, 6}, []int{first.Calls, first.Failures})
			require.Equal(t, 6, first.Retries, "five failures and the success repeated what had failed")

			r.gone = false
			r.add(all.Calls-early.Calls, all.Failures-early.Failures, all.Retries-early.Retries,
				all.OutputTokens-early.OutputTokens)
			require.Zero(t, segment(), "it only caught up")

			work(1, 0)
			r.add(3, 2, 0, 60) // one of them fired no hook
			second := segment()
			require.Equal(t, []int{3, 2}, []int{second.Calls, second.Failures})
			work(2, 1)
			r.add(1, 0, 0, 20)
			third := segment()
			require.Equal(t, []int{3, 2, 2}, []int{third.Calls, third.Failures, third.Retries})

			k.Close(context.Background(), state, "s", settings.Layers{}.All(), time.Now())
			require.Equal(t, 12, session.Since(s, store.Segment{}).Calls, "the whole session")
		})
	}
}

// TestTheLargerTokens takes the record's where the model wrote much, and the hooks' where the record
// has not got the results yet.
func TestTheLargerTokens(t *testing.T) {
	r := &record{path: "/records/s.jsonl", work: transcript.Work{Main: transcript.Counts{Calls: 1, OutputTokens: 900}}}
	state, k := empty(), session.Keeper{Records: r}
	s := k.Open(state, "s", r.path, time.Now())
	long := api.ToolUse{Response: []byte(`"` + strings.Repeat("x", 700) + `"`)}
	session.Count(s, long) // 200 tokens
	k.Read(context.Background(), s)
	require.Equal(t, 900, session.Since(s, s.Segment).Tokens)
	session.BeginSegment(s)
	session.Count(s, long)
	require.Equal(t, 200, session.Since(s, s.Segment).Tokens)
	session.BeginSegment(s)
	r.add(1, 0, 0, 250)
	k.Read(context.Background(), s)
	require.Equal(t, 50, session.Since(s, s.Segment).Tokens, "what the model wrote beside the call")
}
