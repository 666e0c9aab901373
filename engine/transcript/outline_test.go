package transcript_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"ltm/engine/transcript"
)

// object is a value of JSON.
type object = map[string]any

// jsonl returns values as lines.
func jsonl(t *testing.T, all ...object) string {
	t.Helper()
	var b strings.Builder
	for _, v := range all {
		raw, err := json.Marshal(v)
		require.NoError(t, err)
		b.Write(raw)
		b.WriteByte('\n')
	}
	return b.String()
}

// says is a line with what was typed, and more fields.
func says(text any, more ...any) object {
	line := object{"type": "user", "message": object{"role": "user", "content": text}}
	for i := 0; i < len(more); i += 2 {
		line[more[i].(string)] = more[i+1]
	}
	return line
}

// does is the lines of a call and its result.
func does(tool string, input object, failed bool, result any) []object {
	id := "toolu_" + tool
	return []object{
		{"type": "assistant", "message": object{"model": "model-1", "content": []object{
			{"type": "tool_use", "id": id, "name": tool, "input": input}}}},
		{"type": "user", "cwd": "/home/dev/shop", "timestamp": "2026-08-28T09:15:30.5Z",
			"message": object{"content": []object{
				{"type": "tool_result", "tool_use_id": id, "is_error": failed, "content": result}}},
			"toolUseResult": result},
	}
}

func outline(t *testing.T, groups ...[]object) transcript.Outline {
	t.Helper()
	var all []object
	for _, g := range groups {
		all = append(all, g...)
	}
	return outlined(t, jsonl(t, all...))
}

// outlined reads a record at once and a line at a time, with the same outcome.
func outlined(t *testing.T, raw string) transcript.Outline {
	t.Helper()
	whole, err := transcript.Outline{}.Read(context.Background(), strings.NewReader(raw), 0)
	require.NoError(t, err)
	require.EqualValues(t, strings.LastIndexByte(raw, '\n')+1, whole.Offset)
	var part transcript.Outline
	for line := range strings.Lines(raw) {
		before := part
		part, err = part.Read(context.Background(), strings.NewReader(line), 0)
		require.NoError(t, err)
		_, err = before.Read(context.Background(), strings.NewReader(line), 0)
		require.NoError(t, err)
	}
	require.Equal(t, whole, part)
	return whole
}

func TestAsksAreThoseOfThePerson(t *testing.T) {
	const reminder = "<system-reminder>\nUse tools.\n</system-reminder>"
	for name, test := range map[string]struct {
		lines       []object
		first, last string
	}{
		"one":             {[]object{says("Fix the pool.")}, "Fix the pool.", "Fix the pool."},
		"several":         {[]object{says("a"), says("b"), says("c")}, "a", "c"},
		"blocks":          {[]object{says([]object{{"type": "text", "text": "a"}, {"type": "image"}})}, "a", "a"},
		"meta":            {[]object{says("a"), says("b", "isMeta", true)}, "a", "a"},
		"a summary":       {[]object{says("a"), says("b", "isCompactSummary", true)}, "a", "a"},
		"a subagent":      {[]object{says("a"), says("b", "isSidechain", true)}, "a", "a"},
		"of the client":   {[]object{says("a"), says("b", "promptSource", "system")}, "a", "a"},
		"sdk":             {[]object{says("a", "promptSource", "sdk")}, "a", "a"},
		"a person":        {[]object{says("a", "origin", object{"kind": "human"})}, "a", "a"},
		"a notification":  {[]object{says("a"), says("b", "origin", object{"kind": "task-notification"})}, "a", "a"},
		"no origin":       {[]object{says("a", "origin", nil)}, "a", "a"},
		"only a reminder": {[]object{says("a"), says(reminder)}, "a", "a"},
		"with a reminder": {[]object{says(reminder + "\nFix it.\n" + reminder)}, "Fix it.", "Fix it."},
		"in two blocks": {[]object{says([]object{{"type": "text", "text": reminder},
			{"type": "text", "text": "Fix it."}})}, "Fix it.", "Fix it."},
		"attributes": {[]object{says("<task-notification id=\"1\">x</task-notification> Go on.")}, "Go on.",
			"Go on."},
		"pasted": {[]object{says("<pasted_content>log</pasted_content>")}, "<pasted_content>log</pasted_content>",
			"<pasted_content>log</pasted_content>"},
		"markup":          {[]object{says("<b>x</b>")}, "<b>x</b>", "<b>x</b>"},
		"an open element": {[]object{says("<my-tag> x")}, "<my-tag> x", "<my-tag> x"},
		"a shell's": {[]object{says("<bash-input>ls</bash-input>"), says("<bash-stdout>x</bash-stdout>")}, "",
			""},
		"interrupted": {[]object{says("a"), says("[Request interrupted by user]")}, "a", "a"},
		"a command": {[]object{says("a"), says("<command-message>review</command-message>\n" +
			"<command-name>/review</command-name>\n<command-args>12</command-args>")}, "a", "/review 12"},
		"one without arguments": {[]object{says("a"), says("<command-name>/review</command-name>")}, "a", "a"},
		"one of ltm": {[]object{says("a"), says("<command-name>/ltm:recall</command-name>" +
			"<command-args>x</command-args>")}, "a", "a"},
		"one of the client": {[]object{says("a"),
			says("<command-name>/compact</command-name>\n<command-args>keep</command-args>"),
			says("<local-command-stdout>Compacted</local-command-stdout>")}, "a", "a"},
		"only one of the client": {[]object{
			says("<command-name>/compact</command-name>\n<command-args>keep</command-args>"),
			says("<local-command-stdout>Compacted</local-command-stdout>"), says("b")}, "b", "b"},
		"long": {[]object{says(strings.Repeat("é", 5000))}, strings.Repeat("é", 3999) + "…",
			strings.Repeat("é", 3999) + "…"},
	} {
		t.Run(name, func(t *testing.T) {
			o := outline(t, test.lines)
			asks := append(texts(o, transcript.Asked), "")
			asks = asks[:max(1, len(asks)-1)]
			require.Equal(t, test.first, asks[0])
			require.Equal(t, test.last, asks[len(asks)-1])
			require.False(t, o.Worked())
		})
	}
}

// texts returns the texts of the steps of a kind.
func texts(o transcript.Outline, kind transcript.Kind) []string {
	var all []string
	for _, s := range o.Steps {
		if s.Kind == kind {
			all = append(all, s.Text)
		}
	}
	return all
}

// TestWorkEndsWithACommit unless more is done before the person asks for something else.
func TestWorkEndsWithACommit(t *testing.T) {
	edit := does("Edit", object{"file_path": "/shop/a.go"}, false, "ok")
	commit := prints("git add -A && git commit -m x | tail -1", "[main 1] x", 0)
	works := func(groups ...[]object) []int {
		var all []int
		for _, s := range outline(t, groups...).Steps {
			if s.Kind == transcript.Asked {
				all = append(all, s.Work)
			}
		}
		return all
	}
	first, second := []object{says("Fix the typo.")}, []object{says("Now limit the rate.")}
	short := []object{says("go on")}
	require.Equal(t, []int{0, 1}, works(first, edit, commit, second))
	require.Equal(t, []int{0, 0, 1}, works(first, edit, commit, short, second))
	require.Equal(t, []int{0, 0}, works(first, edit, second))
	require.Equal(t, []int{0, 0}, works(first, edit, commit, edit, second), "a commit in the middle")
	require.Equal(t, []int{0, 0}, works(first, edit, commit, prints("make test", "", 1), second))
	require.Equal(t, []int{0, 0}, works(first, prints("git commit -m x", "nothing to commit", 1), second))
	require.Equal(t, []string{"Now limit the rate."}, texts(outline(t, first, edit, []object{
		says("<command-name>/clear</command-name>")}, second), transcript.Asked))
}

func TestWhatWasSaid(t *testing.T) {
	answer := func(text string) []object {
		return []object{{"type": "assistant", "message": object{"model": "m",
			"content": []object{{"type": "text", "text": text}}}}}
	}
	o := outline(t, answer("I'll look."), answer("I'll look."), []object{{"type": "assistant", "isSidechain": true,
		"message": object{"content": []object{{"type": "text", "text": "of a subagent"}}}}},
		[]object{{"type": "assistant", "message": object{"model": "<synthetic>", "content": "API Error"}}},
		does("Agent", object{}, false, "It is the pool."),
		does("AskUserQuestion", object{}, false, "\"Which?\"=\"The first\""),
		does("Edit", object{"file_path": "/a"}, true, "The user doesn't want to proceed with this tool use. "+
			"To tell you how to proceed, the user said:\nuse the cache"),
		[]object{says("This session is being continued.\n\nSummary:\nThe pool is next.\n\nIf you need "+
			"specific details from before compaction, see /x.", "isCompactSummary", true)})
	require.Equal(t, []string{"I'll look.", "It is the pool."}, texts(o, transcript.Said))
	require.Equal(t, []string{`"Which?"="The first"`}, texts(o, transcript.Answered))
	require.Equal(t, []string{"use the cache"}, texts(o, transcript.Asked))
	require.Equal(t, []string{"The pool is next."}, texts(o, transcript.Summarized))
	require.Equal(t, o, o.WithSummary("<analysis>x</analysis>\n<summary>The pool is next.</summary>"))
	require.Len(t, o.WithSummary("Another.").Steps, len(o.Steps)+1)
}

func TestWords(t *testing.T) {
	for text, want := range map[string]int{"": 0, "go on": 2, "修复导出功能": 3, "Bitte die Rechnung prüfen": 4, "好": 1} {
		require.Equal(t, want, transcript.Words(text), text)
	}
}

func TestFilesMemoriesAndTodos(t *testing.T) {
	o := outline(t,
		[]object{says("go")},
		does("Write", object{"file_path": "/shop/a.go"}, false, "ok"),
		does("NotebookEdit", object{"notebook_path": "/shop/n.ipynb"}, false, "ok"),
		does("Edit", object{"file_path": "/shop/a.go"}, false, "ok"),
		does("Edit", object{"file_path": "/shop/missing.go"}, true, "no such text"),
		does("Read", object{"file_path": "/shop/b.go"}, false, "text"),
		does("mcp__plugin_ltm_ltm__store_memory", object{"topic": "Pool"}, false, `{"success":true,"id":"mem_1"}`),
		does("mcp__ltm__store_memory", object{"topic": "Queue"}, false,
			[]object{{"type": "text", "text": `{"id":"mem_2"}`}}),
		does("mcp__ltm__store_memory", object{"topic": "Refused"}, true, "a credential"),
		does("mcp__ltm__resume_packet", object{}, false, `{"id":"01K3Q8ZJ6M4T2V9XWBDN7RHE02"}`),
		does("TodoWrite", object{"todos": []object{{"content": "old", "status": "pending"}}}, false, "ok"),
		does("TodoWrite", object{"todos": []object{{"content": "one", "status": "completed"},
			{"content": "two", "status": "in_progress"}}}, false, "ok"),
		does("TaskCreate", object{"subject": "three"}, false, "Task #7 created successfully: three"),
		does("TaskCreate", object{"subject": "four"}, false, "Task #8 created successfully: four"),
		does("TaskUpdate", object{"taskId": "7", "status": "completed"}, false, "Updated"),
		does("TaskUpdate", object{"taskId": "8", "status": "deleted"}, false, "Updated"),
		does("TaskUpdate", object{"taskId": "99", "status": "completed"}, false, "Updated"),
	)
	require.True(t, o.Worked())
	require.Equal(t, []string{"/shop/n.ipynb", "/shop/a.go"}, o.Files)
	require.Equal(t, []transcript.Stored{{ID: "mem_1", Topic: "Pool"}, {ID: "mem_2", Topic: "Queue"}}, o.Stored)
	require.Equal(t, "01K3Q8ZJ6M4T2V9XWBDN7RHE02", o.Packet)
	require.Equal(t, "model-1", o.Model)
	require.Equal(t, "/home/dev/shop", o.Directory)
	var todos []string
	for _, todo := range o.Todos {
		todos = append(todos, todo.Text+" "+todo.Status)
	}
	require.Equal(t, []string{"one completed", "two in_progress", "three completed"}, todos)
	require.False(t, o.Missing)
}

// TestOutlineOfTheClientsOwn reads transcripts that the client wrote.
func TestOutlineOfTheClientsOwn(t *testing.T) {
	for _, version := range []string{"2.1.197", "2.1.329"} {
		raw, err := os.ReadFile(filepath.Join("testdata", "session-"+version+".jsonl"))
		require.NoError(t, err)
		o := outlined(t, string(raw))
		require.Equal(t, []string{"work", "go on", "go on"}, texts(o, transcript.Asked))
		require.Equal(t, []string{"/home/dev/shop/a.txt"}, o.Files)
		require.Equal(t, "/home/dev/shop", o.Directory)
		require.NotEmpty(t, o.Model)
		require.False(t, o.Missing)

		raw, err = os.ReadFile(filepath.Join("testdata", "subagent-"+version+".jsonl"))
		require.NoError(t, err)
		require.False(t, (&transcript.Outline{}).Worked())
		o = outlined(t, string(raw))
		require.False(t, o.Worked())
		require.Empty(t, texts(o, transcript.Asked), "a model asked that")
	}
}

func TestOutlineOfAPart(t *testing.T) {
	ctx := context.Background()
	raw := jsonl(t, says("first"), says("middle"), says("last"))
	second := strings.IndexByte(raw, '\n') + 1
	o, err := transcript.Outline{}.Read(ctx, strings.NewReader(raw), 1)
	require.NoError(t, err)
	require.EqualValues(t, second, o.Offset)
	inside := int64(second + 5)
	o, err = o.SkipTo(inside).Read(ctx, strings.NewReader(raw[inside:]), 0)
	require.NoError(t, err)
	require.Equal(t, []string{"first", "last"}, texts(o, transcript.Asked))
	require.True(t, o.Missing)
	require.EqualValues(t, len(raw), o.Offset)

	canceled, cancel := context.WithCancel(ctx)
	cancel()
	o, err = transcript.Outline{}.Read(canceled, strings.NewReader(raw), 0)
	require.NoError(t, err)
	require.Zero(t, o.Offset)

	broken := errors.New("broken")
	o, err = transcript.Outline{}.Read(ctx, iotest.TimeoutReader(iotest.ErrReader(broken)), 0)
	require.ErrorIs(t, err, broken)
	require.Zero(t, o.Offset)

	o, err = transcript.Outline{}.Read(ctx, strings.NewReader("{}\nnot json\n"+raw[:second]+"{half"), 0)
	require.NoError(t, err)
	require.True(t, o.Missing)
	require.Equal(t, []string{"first"}, texts(o, transcript.Asked))
}
