package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/conversation/client"
	"ltm/server/sqlite"
	"ltm/server/threads"
)

// place is a server with an application.
type place struct {
	t    *testing.T
	args []string
	url  string
	key  string
}

func start(t *testing.T) *place {
	ctx, dir := t.Context(), t.TempDir()
	store, err := sqlite.Open(ctx, filepath.Join(dir, "ltm.db"), sqlite.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	memory, err := threads.New(threads.Options{Storage: store.Threads(), Now: time.Now, Random: rand.Reader})
	require.NoError(t, err)
	key, err := server.NewKey(rand.Reader)
	require.NoError(t, err)
	require.NoError(t, store.Threads().CreateApp(ctx, threads.App{ID: "A", Name: "demo", CreatedAt: time.Now()}))
	require.NoError(t, store.Threads().CreateKey(ctx, threads.Key{ID: "K", App: "A", Hash: server.Hash(key),
		CreatedAt: time.Now()}))
	plenty := server.Rate{PerSecond: 1e6, Burst: 1e6}
	s, err := server.New(server.Options{Storage: store, Memory: memory, KeyRate: plenty, UserRate: plenty,
		AddressRate: plenty})
	require.NoError(t, err)
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	file := filepath.Join(dir, "key")
	require.NoError(t, os.WriteFile(file, []byte(key+"\n"), 0o600))
	return &place{t, []string{"-url", h.URL, "-key-file", file, "-user", "ann"}, h.URL, key}
}

// calls makes calls, and returns their results; that of an error begins with "!".
func (p *place) calls(calls ...any) []string {
	p.t.Helper()
	var in, out bytes.Buffer
	for _, c := range calls {
		require.NoError(p.t, json.NewEncoder(&in).Encode(c))
	}
	require.NoError(p.t, run(p.t.Context(), p.args, &in, &out))
	var results []string
	lines := bufio.NewScanner(&out)
	for lines.Scan() {
		var r result
		require.NoError(p.t, json.Unmarshal(lines.Bytes(), &r))
		if r.IsError {
			r.Content = "!" + r.Content
		}
		results = append(results, r.Content)
	}
	require.Len(p.t, results, len(calls))
	return results
}

// in is the input of a call: a command, a path, and more.
func in(command, path string, more ...any) map[string]any {
	call := map[string]any{"command": command, "path": path}
	for i := 0; i < len(more); i += 2 {
		call[more[i].(string)] = more[i+1]
	}
	return call
}

// rename is the input of a call that renames.
func rename(from, to string) map[string]any {
	return map[string]any{"command": "rename", "old_path": from, "new_path": to}
}

const header = "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and " +
	"node_modules:\n"

// TestCommands makes calls in the words of the tool's documentation, in two runs of the program.
func TestCommands(t *testing.T) {
	p := start(t)
	const notes, todo = "/memories/notes.txt", "/memories/work/todo.md"
	require.Equal(t, []string{
		header + "0B\t/memories",
		"File created successfully at: " + notes,
		"!Error: File " + notes + " already exists",
		"File created successfully at: " + todo,
		"File created successfully at: /memories/work/deep/er/x",
		"File created successfully at: /memories/.hidden",
		header + "2.0K\t/memories\n43B\t/memories/notes.txt\n2.0K\t/memories/work\n2.0K\t/memories/work/deep\n" +
			"9B\t/memories/work/todo.md",
		"Here's the content of " + notes + " with line numbers:\n     1\tMeeting notes:\n     2\t- color: blue\n" +
			"     3\t- harbor town",
		"Here's the content of " + notes + " with line numbers:\n     2\t- color: blue\n     3\t- harbor town",
		"The memory file has been edited.\n     1\tMeeting notes:\n     2\t- color: $1 <green>\n     3\t- harbor town",
		"The file " + notes + " has been edited.",
		"The file " + notes + " has been edited.",
		"The file " + notes + " has been edited.",
		"Here's the content of " + notes + " with line numbers:\n     1\ttop\n     2\tMeeting notes:\n" +
			"     3\tinside\n     4\t- color: $1 <green>\n     5\t- harbor town\n     6\tend",
		"The memory file has been edited.\n     1\ttop\n     2\tMeeting notes:\n     3\tinside\n" +
			"     4\t- color: $1 <green>\n     5\t- harbor town",
	}, p.calls(in("view", "/memories"),
		in("create", notes, "file_text", "Meeting notes:\n- color: blue\n- harbor town\n"),
		in("create", notes, "file_text", "x"), in("create", todo, "file_text", "one\n\ntwo\n"),
		in("create", "/memories/work/deep/er/x", "file_text", strings.Repeat("x", 2047)),
		in("create", "/memories/.hidden", "file_text", "?"), in("view", "/memories/"), in("view", notes),
		in("view", notes, "view_range", []int{2, -1}),
		in("str_replace", notes, "old_str", "blue", "new_str", "$1 <green>"),
		in("insert", notes, "insert_line", 0, "insert_text", "top\n"),
		in("insert", notes, "insert_line", 2, "insert_text", "inside"),
		in("insert", notes, "insert_line", 5, "insert_text", "end"), in("view", notes),
		in("str_replace", notes, "old_str", "inside", "new_str", "inside")))

	require.Equal(t, []string{
		"Successfully renamed /memories/work to /memories/jobs",
		"!The path " + todo + " does not exist. Please provide a valid path.",
		"!Error: The destination " + notes + " already exists",
		"Successfully renamed " + notes + " to /memories/a b.txt",
		"The memory file has been edited.\n     1\ttop\n     2\tMeeting notes:\n     3\t\n" +
			"     4\t- color: $1 <green>\n     5\t- harbor town",
		"Successfully deleted /memories/jobs",
		header + "57B\t/memories\n57B\t/memories/a b.txt",
		"The memory file has been edited.",
		"Here's the content of /memories/a b.txt with line numbers:",
	}, p.calls(rename("/memories/work", "/memories/jobs"), in("view", todo), rename("/memories/jobs/todo.md", notes),
		rename(notes, "/memories/a b.txt"), in("str_replace", "/memories/a b.txt", "old_str", "inside"),
		in("delete", "/memories/jobs"), in("view", "/memories"),
		in("str_replace", "/memories/a b.txt", "old_str",
			"top\nMeeting notes:\n\n- color: $1 <green>\n- harbor town\nend"),
		in("view", "/memories/a b.txt")))
}

// TestErrors has what is refused, none of which changes anything.
func TestErrors(t *testing.T) {
	p := start(t)
	const a = "/memories/d/a.txt"
	p.calls(in("create", a, "file_text", "x\nyx\n"))
	require.Equal(t, []string{
		"!Error: The path /memories/b does not exist. Please provide a valid path.",
		"!Error: The path /memories/d does not exist. Please provide a valid path.",
		"!No replacement was performed, old_str `z` did not appear verbatim in " + a + ".",
		"!No replacement was performed. Multiple occurrences of old_str `x` in lines: 1, 2. Please ensure it is unique",
		"!No replacement was performed, old_str `` did not appear verbatim in " + a + ".",
		"!Error: The path /memories/d does not exist",
		"!Error: Invalid `insert_line` parameter: 3. It should be within the range of lines of the file: [0, 2]",
		"!Error: The path /memories/b does not exist",
		"!Error: Cannot delete the /memories directory itself",
		"!Error: Cannot rename the /memories directory itself",
		"!Error: The path /memories/b does not exist",
		"!Error: The destination /memories/d/e is in /memories/d",
		"!Error: /memories/d/a.txt is a file",
		"!Error: File /memories/d already exists",
		"!Error: Invalid `view_range` parameter: [3 9]. It should be within the range of lines of the file: [1, 2]",
		"!Error: the file would have 65537 bytes; at most 65536 are allowed",
		`!Error: "erase" is not a command; there are view, create, str_replace, insert, delete and rename`,
		"!Error: a path is missing",
	}, p.calls(in("str_replace", "/memories/b", "old_str", "x"), in("str_replace", "/memories/d", "old_str", "x"),
		in("str_replace", a, "old_str", "z"), in("str_replace", a, "old_str", "x"), in("str_replace", a),
		in("insert", "/memories/d", "insert_text", "x"), in("insert", a, "insert_line", 3), in("delete", "/memories/b"),
		in("delete", "/memories"), rename("/memories", "/memories/x"), rename("/memories/b", "/memories/c"),
		rename("/memories/d", "/memories/d/e"), in("create", a+"/b", "file_text", "x"),
		in("create", "/memories/d", "file_text", "x"), in("view", a, "view_range", []int{3, 9}),
		in("create", "/memories/l", "file_text", strings.Repeat("x", 65537)), in("erase", a), in("view", "")))
	for _, path := range []string{"/", "/etc/passwd", "/memories/../x", "/memories/d/../../x", "memories/x",
		"/memoriesx",
		"/memories//x", "/memories/./x", `/memories/..\x`, "/memories/%2e%2e%2fx", "/memories/%2E./x", "/memories/a\nb",
		"/memories/ x", "/memories/" + strings.Repeat("x", 120)} {
		for _, call := range []map[string]any{in("view", path), in("create", path, "file_text", "x"),
			in("str_replace", path, "old_str", "x"), in("insert", path, "insert_text", "x"), in("delete", path),
			rename(path, "/memories/x"), rename(a, path)} {
			require.Contains(t, p.calls(call)[0], "!Error: Invalid path ", "%v", call)
		}
	}
	require.Equal(t, []string{header + "5B\t/memories\n5B\t/memories/d\n5B\t/memories/d/a.txt"},
		p.calls(in("view", "/memories")))
	long := p.calls(in("create", "/memories/long", "file_text", strings.Repeat("a line of text\n", 2000)),
		in("view", "/memories/long"))
	require.Contains(t, long[1], "[truncated: use view_range for the rest]")
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), p.args, strings.NewReader("garbage\n"), &out))
	require.Contains(t, out.String(), `"is_error":true`)
	require.ErrorContains(t, run(t.Context(), nil, nil, &out), "-key-file")
}

// TestFilesAreMemory asks the server about what is in files, as it is now and not as it was.
func TestFilesAreMemory(t *testing.T) {
	p := start(t)
	p.calls(in("create", "/memories/tea.md", "file_text", "She prefers green tea."),
		in("str_replace", "/memories/tea.md", "old_str", "green", "new_str", "black"))
	memory, err := client.New(client.Options{URL: p.url, Key: p.key})
	require.NoError(t, err)
	found, err := memory.Retrieve(t.Context(), client.Question{User: "ann", Query: "which tea does she prefer?"})
	require.NoError(t, err)
	require.Contains(t, found.Memory, "black tea")
	require.NotContains(t, found.Memory, "green")
	other := *p
	other.args = append(p.args[:len(p.args)-1:len(p.args)-1], "ben")
	require.Equal(t, []string{header + "0B\t/memories"}, other.calls(in("view", "/memories")))
	p.calls(in("delete", "/memories/tea.md"))
	found, err = memory.Retrieve(t.Context(), client.Question{User: "ann", Query: "which tea does she prefer?"})
	require.NoError(t, err)
	require.Empty(t, found.Memory)
}
