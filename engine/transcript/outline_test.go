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

// runs is the lines of a command that ended with a status.
func runs(command string, status int) []object {
	if status == 0 {
		return does("Bash", object{"command": command}, false, "ok")
	}
	return does("Bash", object{"command": command}, true, "Exit code "+string(rune('0'+status))+"\nboom")
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
			require.Equal(t, test.first, o.FirstAsk)
			require.Equal(t, test.last, o.LastAsk)
			require.False(t, o.Worked())
		})
	}
}

func TestCommandsAndHowTheyEnded(t *testing.T) {
	type command = transcript.Command
	for name, test := range map[string]struct {
		lines          [][]object
		failed, passed *command
	}{
		"passed": {[][]object{runs("go test ./...", 0)}, nil, &command{Line: "go test ./...", Sure: true}},
		"failed": {[][]object{runs("go test ./...", 1)}, &command{Line: "go test ./...", Status: 1, Sure: true},
			nil},
		"failed, then passed": {[][]object{runs("make", 2), runs("make", 0)}, nil,
			&command{Line: "make", Sure: true}},
		"failed, then passed with other arguments": {[][]object{runs("go test ./a", 1), runs("go test ./b", 0)},
			&command{Line: "go test ./a", Status: 1, Sure: true, Same: true},
			&command{Line: "go test ./b", Sure: true}},
		"passed, then failed": {[][]object{runs("make", 0), runs("make", 2)},
			&command{Line: "make", Status: 2, Sure: true}, &command{Line: "make", Sure: true}},
		"edited since": {[][]object{runs("make", 0), does("Edit", object{"file_path": "/a"}, false, "ok")}, nil,
			&command{Line: "make", Sure: true, Edited: true}},
		"looking": {[][]object{runs("make", 0), runs("ls", 0), runs("cd x && grep y z", 1), runs("git status", 0)}, nil,
			&command{Line: "make", Sure: true}},
		"git": {[][]object{runs("git add .", 0), runs("git push", 1)},
			&command{Line: "git push", Status: 1, Sure: true}, nil},
		"a pipe hides": {[][]object{runs("make | tail -5", 0)}, nil, &command{Line: "make | tail -5"}},
		"a sure one before another": {[][]object{runs("make", 0), runs("make x | tail", 0)}, nil,
			&command{Line: "make", Sure: true}},
		"but not an old one": {[][]object{runs("make", 0), does("Write", object{"file_path": "/a"}, false, "ok"),
			runs("make x | tail", 0)}, nil, &command{Line: "make x | tail"}},
		"an unsure one ends no failure": {[][]object{runs("make | tail", 1), runs("make | tail", 0)},
			&command{Line: "make | tail", Status: 1}, &command{Line: "make | tail"}},
		"redirected": {[][]object{runs("go vet ./... 2>&1 && make 'a|b' &> log", 0)}, nil,
			&command{Line: "go vet ./... 2>&1 && make 'a|b' &> log", Sure: true}},
		"a list":        {[][]object{runs("make; true", 0)}, nil, &command{Line: "make; true"}},
		"two lines":     {[][]object{runs("make\ntrue", 0)}, nil, &command{Line: "make\ntrue"}},
		"in background": {[][]object{runs("make & wait", 0)}, nil, &command{Line: "make & wait"}},
		"begun in the background": {[][]object{does("Bash", object{"command": "make", "run_in_background": true}, false,
			"started")}, nil, nil},
		"refused": {[][]object{does("Bash", object{"command": "make"}, true, "Permission to use Bash denied")}, nil,
			nil},
		"did not run": {[][]object{does("Bash", object{"command": "make"}, true,
			"<tool_use_error>bad input</tool_use_error>")}, nil, nil},
		"out of time": {[][]object{does("Bash", object{"command": "make"}, true, "Command timed out after 2m")},
			&command{Line: "make", Status: -1, Sure: true}, nil},
		"a status out of range": {[][]object{does("Bash", object{"command": "make"}, true, "Exit code 9999")},
			&command{Line: "make", Status: -1, Sure: true}, nil},
		"nothing":    {[][]object{runs(" ", 0)}, nil, nil},
		"other type": {[][]object{does("Bash", object{"command": 7}, false, "ok")}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			o := outline(t, test.lines...)
			requireCommand(t, test.failed, o.Failed)
			requireCommand(t, test.passed, o.Passed)
		})
	}
}

// requireCommand compares what a command says of itself.
func requireCommand(t *testing.T, want, got *transcript.Command) {
	t.Helper()
	if want == nil || got == nil {
		require.Equal(t, want == nil, got == nil)
		return
	}
	require.False(t, got.At.IsZero())
	require.Equal(t, *want, transcript.Command{Line: got.Line, Status: got.Status, Sure: got.Sure, Edited: got.Edited,
		Same: got.Same})
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
		require.Equal(t, "work", o.FirstAsk)
		require.Equal(t, "go on", o.LastAsk)
		require.Equal(t, []string{"/home/dev/shop/a.txt"}, o.Files)
		requireCommand(t, &transcript.Command{Line: "exit 3", Status: 3, Sure: true}, o.Failed)
		require.Nil(t, o.Passed)
		require.Equal(t, "/home/dev/shop", o.Directory)
		require.NotEmpty(t, o.Model)
		require.False(t, o.Missing)

		raw, err = os.ReadFile(filepath.Join("testdata", "subagent-"+version+".jsonl"))
		require.NoError(t, err)
		require.False(t, (&transcript.Outline{}).Worked())
		o = outlined(t, string(raw))
		require.False(t, o.Worked())
		require.Empty(t, o.FirstAsk, "a model asked that")
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
	require.Equal(t, "first last", o.FirstAsk+" "+o.LastAsk)
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
	require.Equal(t, "first", o.FirstAsk)
}
