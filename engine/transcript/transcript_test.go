package transcript_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"ltm/engine/transcript"
)

// counts abbreviates the type in tables.
type counts = transcript.Counts

// read reads a whole transcript at once.
func read(t *testing.T, raw string) transcript.Work {
	t.Helper()
	work, s, err := transcript.Claude.Read(t.Context(), strings.NewReader(raw), transcript.State{}, 0)
	require.NoError(t, err)
	require.EqualValues(t, strings.LastIndexByte(raw, '\n')+1, s.Offset)
	return work
}

// apart drops the characters of results, which measure_test.go covers.
func apart(w transcript.Work) transcript.Work {
	w.Main.ResultChars, w.Subagents.ResultChars = 0, 0
	return w
}

// TestReadOfTheClientsOwn reads transcripts that the client wrote for the script in
// tests/e2e/transcript_test.go; every answer there has 20 tokens.
func TestReadOfTheClientsOwn(t *testing.T) {
	session := transcript.Work{Main: counts{
		// Bash Bash Read Edit×2 unknown Bash three-at-once Agent, resumed
		Calls:        1 + 1 + 1 + 2 + 1 + 1 + 3 + 1 + (1 + 2),
		Failures:     1 + 1 + 1 + 1 + 2, // false, edit, unknown tool, false again, exit 3 and a missing file
		Retries:      1 + 1,             // the edit, false
		OutputTokens: 20 * (10 + 2 + 3), // answers of the three runs
		Compactions:  1 + 1,             // by hand, by itself
	}}
	subagent := transcript.Work{Subagents: counts{Calls: 3, Failures: 2, Retries: 1, OutputTokens: 20 * 4}}
	refused := transcript.Work{Main: counts{Calls: 5, Refused: 3, Failures: 1, OutputTokens: 20 * 6}}
	// Characters of results, as jq counts them.
	chars := map[string]int{"session-2.1.197": 653, "session-2.1.329": 466, "subagent-2.1.197": 25,
		"subagent-2.1.329": 25,
		"refused-2.1.197":  427, "refused-2.1.329": 428}
	for name, want := range map[string]transcript.Work{
		"session-2.1.197": session, "session-2.1.329": session,
		"subagent-2.1.197": subagent, "subagent-2.1.329": subagent,
		"refused-2.1.197": refused, "refused-2.1.329": refused,
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
			require.NoError(t, err)
			if want.Main.Calls > 0 {
				want.Main.ResultChars = chars[name]
			} else {
				want.Subagents.ResultChars = chars[name]
			}
			require.Equal(t, want, read(t, string(raw)))

			// As hooks do it: a line at a time, the state through JSON.
			var sum transcript.Work
			var s transcript.State
			for line := range strings.Lines(string(raw)) {
				work, next, err := transcript.Claude.Read(t.Context(), strings.NewReader(line), s, 0)
				require.NoError(t, err)
				encoded, err := json.Marshal(next)
				require.NoError(t, err)
				s, sum = transcript.State{}, sum.Add(work)
				require.NoError(t, json.Unmarshal(encoded, &s))
				require.Equal(t, next, s)
			}
			require.Equal(t, want, sum)
			require.EqualValues(t, len(raw), s.Offset)
		})
	}
}

// lines numbers the lines that it makes.
type lines struct{ n int }

func (l *lines) assistant(id string, tokens int, blocks ...string) string {
	l.n++
	return fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"message":{"id":%q,"role":"assistant","content":[%s],"usage":{"input_tokens":9,"output_tokens":%d}},"type":"assistant","uuid":"u%d"}`+"\n",
		id, strings.Join(blocks, ","), tokens, l.n)
}

func (l *lines) user(extra string, blocks ...string) string {
	l.n++
	return fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":[%s]},"uuid":"u%d","toolUseResult":{"stdout":"x"}%s}`+"\n",
		strings.Join(blocks, ","), l.n, extra)
}

func use(id, tool, input string) string {
	return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":%q,"input":%s}`, id, tool, input)
}

func ok(id string) string {
	return fmt.Sprintf(`{"tool_use_id":%q,"type":"tool_result","content":"fine"}`, id)
}

func failed(id, content string) string {
	return fmt.Sprintf(`{"type":"tool_result","content":%s,"is_error":true,"tool_use_id":%q}`, content, id)
}

const exit1 = `"Exit code 1"`

// attempt returns a call and its result, on separate lines.
func (l *lines) attempt(id, tool, input string, fails bool) string {
	result := ok(id)
	if fails {
		result = failed(id, exit1)
	}
	return l.assistant("m"+id, 1, use(id, tool, input)) + l.user("", result)
}

func TestTokensCountOncePerAnswer(t *testing.T) {
	var l lines
	for name, c := range map[string]struct {
		raw  string
		want int
	}{
		"same on every line": {l.assistant("a", 50) + l.assistant("a", 50) + l.assistant("b", 7), 50 + 7},
		"growing":            {l.assistant("a", 1) + l.assistant("a", 1) + l.assistant("a", 50), 50},
		"results between": {l.assistant("a", 50, use("1", "Bash", `{}`)) + l.user("", ok("1")) +
			l.assistant("a", 50), 50},
		"zero of a copy": {l.assistant("a", 50) + l.assistant("a", 0), 50},
		"no id":          {l.assistant("", 5) + l.assistant("", 6), 5 + 6},
		"no number":      {strings.Replace(l.assistant("a", 77), "77", `"many"`, 1), 0},
		"negative":       {l.assistant("a", -5), 0},
		"damaged":        {strings.Replace(l.assistant("a", 77), "77", strings.Repeat("9", 400), 1), 10_000_000},
	} {
		t.Run(name, func(t *testing.T) {
			work := read(t, c.raw)
			require.Equal(t, c.want, work.Main.OutputTokens)
			require.Zero(t, work.Unread)
		})
	}
}

func TestRetries(t *testing.T) {
	var l lines
	bash := func(id, command string, fails bool) string {
		return l.attempt(id, "Bash", fmt.Sprintf(`{"command":%q,"description":"d%s"}`, command, id), fails)
	}
	at := func(id, tool, input string, fails bool) string { return l.attempt(id, tool, input, fails) }
	for name, c := range map[string]struct {
		raw  string
		want int
	}{
		"fails, again, again": {bash("1", "make x", true) + bash("2", "make x", true) + bash("3", "make x",
			false), 1 + 1},
		"a success ends it": {bash("1", "make x", true) + bash("2", "make x", false) + bash("3", "make x",
			false), 1},
		"nothing failed": {bash("1", "make x", false) + bash("2", "make x", false), 0},
		"other command":  {bash("1", "make x", true) + bash("2", "make y", false), 0},
		"other flags": {bash("1", "go test -run A ./a", true) + bash("2", "go test ./b | tail",
			false), 1},
		"flag first": {bash("1", "grep -r foo", true) + bash("2", "grep -ri foo", false), 1},
		"directory and variables": {bash("1", "cd api && CI=1 go test", true) + bash("2", "go test\nls", false),
			1},
		"directory, semicolon": {bash("1", "cd api; go test", true) + bash("2", "go test", false), 1},
		"ends at a semicolon":  {bash("1", "false; exit 4", true) + bash("2", "false", false), 1},
		"escaped quotes":       {bash("1", `python "a b.py"`, true) + bash("2", `python "a c.py"`, true), 1},
		// separate targets: d1 and d2 differ
		"empty command": {bash("1", "", true) + bash("2", "", false), 0},
		"only blanks":   {bash("1", " ", true) + bash("2", "  ", false), 1},
		"same file": {at("1", "Edit", `{"file_path":"a","old_string":"x"}`, true) +
			at("2", "Edit", `{"old_string":"y","file_path":"a"}`, false), 1},
		"other tool, same file": {at("1", "Edit", `{"file_path":"a"}`, true) +
			at("2", "Write", `{"file_path":"a"}`, false), 0},
		"other file": {at("1", "Edit", `{"file_path":"a"}`, true) +
			at("2", "Edit", `{"file_path":"b"}`, false), 0},
		"same notebook": {at("1", "NotebookEdit", `{"notebook_path":"a","n":1}`, true) +
			at("2", "NotebookEdit", `{"notebook_path":"a","n":2}`, false), 1},
		"same pattern": {at("1", "Grep", `{"pattern":"a","path":"x"}`, true) +
			at("2", "Grep", `{"pattern":"a"}`, false), 1},
		"same address": {at("1", "WebFetch", `{"url":"u","prompt":"x"}`, true) + at("2", "WebFetch",
			`{"url":"u","prompt":"y"}`, false), 1},
		"same input in any order": {at("1", "X", `{"a":1,"b":[2]}`, true) + at("2", "X", `{"b":[2],"a":1}`,
			false), 1},
		"other input": {at("1", "X", `{"a":1}`, true) + at("2", "X", `{"a":2}`, false), 0},
		"path is not a string": {at("1", "X", `{"file_path":1}`, true) + at("2", "X", `{"file_path":2}`,
			false), 0},
		"input is not an object": {at("1", "X", `[1]`, true) + at("2", "X", `[1]`, false), 1},
		"two at once after one failure": {bash("1", "make", true) + l.assistant("m", 1,
			use("2", "Bash", `{"command":"make"}`), use("3", "Bash", `{"command":"make"}`)), 1},
		"one of two at once failed": {l.assistant("m", 1, use("1", "Bash", `{"command":"make"}`),
			use("2", "Bash", `{"command":"make"}`)) +
			l.user("", failed("1", exit1)) + l.user("", ok("2")) + bash("3", "make", false), 0},
		"refused": {l.assistant("m", 1, use("1", "Bash", `{"command":"make"}`)) +
			l.user("", failed("1", `"The user doesn't want to proceed with this tool use. …"`)) +
			bash("2", "make", false), 0},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, read(t, c.raw).Main.Retries)
		})
	}
}

func TestRefusalsAreNoFailures(t *testing.T) {
	var l lines
	for name, c := range map[string]struct {
		extra, content string
		refused        int // of 1; otherwise it failed
	}{
		"rejected":      {"", `"The user doesn't want to proceed with this tool use. The tool use was rejected (eg. …)."`, 1},
		"stopped":       {"", `"The user doesn't want to take this action right now. STOP what you are doing …"`, 1},
		"interrupted":   {"", `"[Request interrupted by user for tool use]"`, 1},
		"skipped":       {"", `"[Tool call skipped: the turn was stopped before this call ran …]"`, 1},
		"a rule":        {"", `"Permission to use Bash with command rm has been denied."`, 1},
		"no one to ask": {"", `"Claude requested permissions to use WebFetch, but you haven't granted it yet."`, 1},
		"as a list":     {"", `[{"type":"text","text":"Claude requested permissions to write to /a, but you haven't granted it yet."}]`, 1},
		"outside the directory": {"", `"rm in '/a' was blocked. For security, Claude Code may only remove files …"`,
			1},
		"abandoned by the client": {"", `"<tool_use_error>Error: Streaming fallback - tool execution discarded</tool_use_error>"`, 1},
		"named in the line":       {`,"toolDenialKind":"user-rejected"`, `"No."`, 1},
		"named as nothing":        {`,"toolDenialKind":null`, `"No."`, 0},
		"command":                 {"", exit1, 0},
		"validation":              {"", `"<tool_use_error>String to replace not found in file.</tool_use_error>"`, 0},
		"text within the output":  {"", `"Exit code 1\ngrep: Permission to use x has been denied."`, 0},
		"list without text first": {"", `[{"type":"image"}]`, 0},
		"empty":                   {"", `""`, 0},
		"no content":              {"", `null`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			raw := l.assistant("m", 1, use("1", "X", `{}`)) + l.user(c.extra, failed("1", c.content))
			require.Equal(t, counts{Calls: 1, OutputTokens: 1, Refused: c.refused, Failures: 1 - c.refused},
				apart(read(t, raw)).Main)
		})
	}
}

func TestLinesThatDoNotCount(t *testing.T) {
	var l lines
	again := l.assistant("a", 5, use("1", "Bash", `{"command":"x"}`)) + l.user("", failed("1", exit1))
	boundary := `{"parentUuid":null,"isSidechain":false,"type":"system","subtype":"compact_boundary","uuid":"b","compactMetadata":{"trigger":"auto"}}` + "\n"
	for name, c := range map[string]struct {
		raw  string
		want transcript.Work
	}{
		"nothing":     {"", transcript.Work{}},
		"empty lines": {"\n  \n\r\n", transcript.Work{}},
		"repeated": {again + again,
			transcript.Work{Main: counts{Calls: 1, Failures: 1, OutputTokens: 5}}},
		"sent to the API": {`{"type":"api-request-blob","message":{"role":"user","content":[` +
			failed("1", exit1) + `]}}` + "\n", transcript.Work{}},
		"type after message": {`{"message":{"content":[` + failed("1", exit1) + `]},"type":"progress"}` +
			"\n", transcript.Work{}},
		"attachment":           {`{"attachment":{"message":{}},"type":"assistant","message":{"usage":{"output_tokens":5}}}` + "\n", transcript.Work{}},
		"compaction, repeated": {boundary + boundary, transcript.Work{Main: counts{Compactions: 1}}},
		"its summary": {boundary +
			`{"type":"user","isCompactSummary":true,"message":{"role":"user","content":"This session …"},"uuid":"c"}` +
			"\n", transcript.Work{Main: counts{Compactions: 1}}},
		"small compaction":             {strings.Replace(boundary, "compact_", "microcompact_", 1), transcript.Work{}},
		"boundary not from the system": {strings.Replace(boundary, "system", "user", 1), transcript.Work{}},
		"text that looks like it": {l.user("",
			`{"type":"text","text":"{\"type\":\"tool_result\",\"is_error\":true} \\"}`), transcript.Work{}},
		"nested blocks": {l.user("", `{"type":"tool_result","tool_use_id":"1","content":[`+failed("2", exit1)+
			`]}`), transcript.Work{}},
		"run by the API": {l.assistant("a", 1,
			`{"type":"server_tool_use","id":"1","name":"web_search","input":{}}`),
			transcript.Work{Main: counts{OutputTokens: 1}}},
		"message of other kinds": {`{"type":"user","message":"x"}` + "\n" +
			`{"type":"assistant","message":{"content":"x","usage":null}}` + "\n" +
			`{"type":"user","message":{"content":[1,"x",null]}}` + "\n", transcript.Work{}},
		"subagent": {strings.ReplaceAll(again, `"isSidechain":false`, `"isSidechain": true`),
			transcript.Work{Subagents: counts{Calls: 1, Failures: 1, OutputTokens: 5}}},
		"another's failure": {
			again + strings.ReplaceAll(l.attempt("2", "Bash", `{"command":"x"}`, false), `"isSidechain":false`,
				`"isSidechain":true`),
			transcript.Work{Main: counts{Calls: 1, Failures: 1, OutputTokens: 5},
				Subagents: counts{Calls: 1, OutputTokens: 1}},
		},
		"result of an unknown call": {l.user("", failed("99", exit1)), transcript.Work{Main: counts{Failures: 1}}},
		"broken": {"{\n[]\nnull\n{\"type\":\"user\n{\"type\":\"user\",}\n\x00\xff\n" + again,
			transcript.Work{Main: counts{Calls: 1, Failures: 1, OutputTokens: 5}, Unread: 6}},
		"written half, then on": {again[:100] + again, transcript.Work{Main: counts{Failures: 1}, Unread: 1}},
		"half-written at the end": {again + again[:40],
			transcript.Work{Main: counts{Calls: 1, Failures: 1, OutputTokens: 5}}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, apart(read(t, c.raw))) })
	}
}

func TestHalfWrittenLineIsReadLater(t *testing.T) {
	var l lines
	raw := l.attempt("1", "Bash", `{"command":"x"}`, true)
	first := strings.IndexByte(raw, '\n') + 1
	work, s, err := transcript.Claude.Read(t.Context(), strings.NewReader(raw[:len(raw)-1]), transcript.State{}, 0)
	require.NoError(t, err)
	require.Equal(t, counts{Calls: 1, OutputTokens: 1}, apart(work).Main)
	require.EqualValues(t, first, s.Offset)
	require.Len(t, s.Open, 1)
	work, s, err = transcript.Claude.Read(t.Context(), strings.NewReader(raw[first:]), s, 0)
	require.NoError(t, err)
	require.Equal(t, counts{Failures: 1}, apart(work).Main)
	require.EqualValues(t, len(raw), s.Offset)
	require.Empty(t, s.Open)
	require.Len(t, s.Failed, 1)
}

func TestFits(t *testing.T) {
	require.True(t, transcript.State{}.Fits(0))
	require.True(t, transcript.State{Offset: 10}.Fits(10))
	require.False(t, transcript.State{Offset: 10}.Fits(9))
	require.False(t, transcript.State{Offset: -1}.Fits(9))
}

func TestSubagentsFolder(t *testing.T) {
	require.Equal(t, "/p/3ad79015/subagents", transcript.SubagentsFolder("/p/3ad79015.jsonl"))
}

func TestReadStopsAtItsLimit(t *testing.T) {
	var l lines
	one, two := l.attempt("1", "Bash", `{"command":"x"}`, true), l.attempt("2", "Bash", `{"command":"x"}`, false)
	first := strings.IndexByte(one, '\n') + 1
	for name, c := range map[string]struct {
		limit  int64
		offset int
		more   bool
	}{
		"none":                {0, len(one + two), false},
		"within a line":       {1, first, true},
		"at its end":          {int64(first), first, true},
		"a byte after":        {int64(first) + 1, len(one), true},
		"more than is there":  {1 << 40, len(one + two), false},
		"as much as is there": {int64(len(one + two)), len(one + two), true}, // it did not read beyond the limit
	} {
		t.Run(name, func(t *testing.T) {
			work, s, err := transcript.Claude.Read(t.Context(), strings.NewReader(one+two), transcript.State{},
				c.limit)
			require.NoError(t, err)
			require.EqualValues(t, c.offset, s.Offset)
			require.Equal(t, c.more, work.More)
			rest, _, err := transcript.Claude.Read(t.Context(), strings.NewReader((one + two)[s.Offset:]), s, 0)
			require.NoError(t, err)
			require.Equal(t, transcript.Work{Main: counts{Calls: 2, Failures: 1, Retries: 1, OutputTokens: 2}},
				apart(work.Add(rest)))
		})
	}
}

func TestReadStopsWhenItsTimeIsUp(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var l lines
	line := l.attempt("1", "Bash", `{"command":"x"}`, false)
	// The reader cancels the context with its second piece, and would never end.
	pieces := 0
	endless := reader(func(p []byte) (int, error) {
		if pieces++; pieces == 2 {
			cancel()
		}
		return copy(p, line), nil
	})
	work, s, err := transcript.Claude.Read(ctx, endless, transcript.State{}, 0)
	require.NoError(t, err)
	require.True(t, work.More)
	require.Equal(t, 2, pieces)
	require.Positive(t, s.Offset)

	work, s, err = transcript.Claude.Read(ctx, endless, transcript.State{Offset: 7}, 0)
	require.NoError(t, err)
	require.Equal(t, transcript.Work{More: true}, work)
	require.Equal(t, transcript.State{Offset: 7}, s)
}

type reader func(p []byte) (int, error)

func (r reader) Read(p []byte) (int, error) { return r(p) }

func TestReaderThatFails(t *testing.T) {
	var l lines
	line := l.attempt("1", "Bash", `{"command":"x"}`, false)
	broken := errors.New("disk on fire")
	work, s, err := transcript.Claude.Read(t.Context(),
		io.MultiReader(strings.NewReader(line+"{"), iotest.ErrReader(broken)), transcript.State{}, 0)
	require.ErrorIs(t, err, broken)
	require.Equal(t, 1, work.Main.Calls)
	require.EqualValues(t, len(line), s.Offset)

	_, _, err = transcript.Claude.Read(t.Context(), reader(func([]byte) (int, error) { return 0, nil }),
		transcript.State{}, 0)
	require.ErrorIs(t, err, io.ErrNoProgress)
}

func TestSmallReadsMakeNoDifference(t *testing.T) {
	raw := recording(200 << 10)
	whole, s, err := transcript.Claude.Read(t.Context(), bytes.NewReader(raw), transcript.State{}, 0)
	require.NoError(t, err)
	for name, r := range map[string]io.Reader{
		"a byte at a time": iotest.OneByteReader(bytes.NewReader(raw)),
		"halves":           iotest.HalfReader(bytes.NewReader(raw)),
		"end with data":    iotest.DataErrReader(bytes.NewReader(raw)),
	} {
		t.Run(name, func(t *testing.T) {
			work, next, err := transcript.Claude.Read(t.Context(), r, transcript.State{}, 0)
			require.NoError(t, err)
			require.Equal(t, whole, work)
			require.Equal(t, s, next)
		})
	}
}

func TestLongLinesArePassedOver(t *testing.T) {
	var l lines
	before, after := l.attempt("1", "Bash", `{"command":"x"}`, true), l.attempt("2", "Bash", `{"command":"x"}`, false)
	image := func(size int) string {
		head, tail := `{"type":"user","uuid":"i","isSidechain":false,"message":{"content":[`+ok("9")+
			`,{"type":"image","data":"`, `"}]}}`
		return head + strings.Repeat("A", size-len(head)-len(tail)) + tail + "\n"
	}
	want := transcript.Work{Main: counts{Calls: 2, Failures: 1, Retries: 1, OutputTokens: 2}}
	require.Equal(t, want, apart(read(t, before+image(transcript.MaxLine)+after)))
	want.Unread = 1
	raw := before + image(transcript.MaxLine+1) + after
	require.Equal(t, want, apart(read(t, raw)))

	// In pieces that end inside the line, with the file ending there.
	var sum transcript.Work
	var s transcript.State
	for _, end := range []int{len(before) + 100, len(before) + transcript.MaxLine - 1,
		len(before) + transcript.MaxLine + 1, len(raw)} {
		work, next, err := transcript.Claude.Read(t.Context(), strings.NewReader(raw[s.Offset:end]), s, 0)
		require.NoError(t, err)
		s, sum = next, sum.Add(work)
		require.Equal(t, end == len(before)+transcript.MaxLine+1, s.Skipping)
	}
	require.Equal(t, want, apart(sum))
	require.EqualValues(t, len(raw), s.Offset)
}

// TestStateStaysSmall fills every list of a State.
func TestStateStaysSmall(t *testing.T) {
	var l lines
	var b strings.Builder
	for i := range 500 {
		failing, open := fmt.Sprint("f", i), fmt.Sprint("o", i)
		b.WriteString(l.assistant(failing, 1_000_000, use(failing, "X", fmt.Sprintf(`{"file_path":"%d"}`, i)),
			use(open, "Y", fmt.Sprint(i))))
		b.WriteString(l.user("", failed(failing, exit1)))
	}
	_, s, err := transcript.Claude.Read(t.Context(), strings.NewReader(b.String()), transcript.State{}, 0)
	require.NoError(t, err)
	encoded, err := json.Marshal(s)
	require.NoError(t, err)
	require.Less(t, len(encoded), 4000)
	require.Len(t, s.Failed, 32)

	// A State enlarged by hand becomes small again; the caller's value is not changed.
	s.Failed = append(s.Failed, make([]uint32, 1000)...)
	_, next, err := transcript.Claude.Read(t.Context(), strings.NewReader(""), s, 0)
	require.NoError(t, err)
	require.Len(t, next.Failed, 32)
	require.Len(t, s.Failed, 1032)
}

func TestReadLeavesTheStateAlone(t *testing.T) {
	var l lines
	one, two := l.attempt("1", "Bash", `{"command":"x"}`, true), l.attempt("2", "Bash", `{"command":"x"}`, true)
	_, s, err := transcript.Claude.Read(t.Context(), strings.NewReader(one), transcript.State{}, 0)
	require.NoError(t, err)
	before, err := json.Marshal(s)
	require.NoError(t, err)
	for range 2 {
		work, _, err := transcript.Claude.Read(t.Context(), strings.NewReader(two), s, 0)
		require.NoError(t, err)
		require.Equal(t, counts{Calls: 1, Failures: 1, Retries: 1, OutputTokens: 1}, apart(work).Main)
		after, err := json.Marshal(s)
		require.NoError(t, err)
		require.Equal(t, string(before), string(after))
	}
}
