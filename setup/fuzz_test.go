package setup_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/setup"
)

// blank finds an object or a list with nothing in it: blanks in there are the one thing that undo cannot know without
// the record.
func blank(data []byte) bool { return regexp.MustCompile(`[\[{]\s*[\]}]`).Match(data) }

func FuzzSection(f *testing.F) {
	for _, seed := range []string{"", "x", "x\n", "x\r\ny\r\n", "x\r", "a\n\n", "<!-- ltm:begin -->\nold\n<!-- ltm:" +
		"end -->", "x\n  <!-- ltm:begin -->\r\n<!-- ltm:end --> \ny"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		merged, err := setup.MergeSection(data)
		if err != nil {
			return
		}
		again, err := setup.MergeSection(merged)
		require.NoError(t, err)
		require.Equal(t, string(merged), string(again), "a second run changes nothing")
		back, err := setup.RemoveSection(merged)
		require.NoError(t, err)
		if !bytes.Contains(data, []byte("<!-- ltm:begin -->")) {
			require.Equal(t, string(data), string(back))
		}
		rest, err := setup.RemoveSection(back)
		require.NoError(t, err)
		require.Equal(t, string(back), string(rest), "there is one section")
	})
}

// settings are seeds for files of JSON.
func settings() []string {
	return []string{
		`{}`, `{"a":1}`, "{\n  \"a\": [1, {}]\n}\n", "\xef\xbb\xbf{\r\n\t\"hooks\": {\"SessionStart\": [{\"hooks\":" +
			"[]}]}\r\n}",
		`{"hooks":{"PostToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/opt/ltm","args":["hook",` +
			`"PostToolUse"]}]}]}}`,
		`{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"ltm hook Stop"},{"type":"command","command":` +
			`"x"}]}]},"hooks":{"a":[]}}`,
		`{"mcpServers":{"ltm":{"command":"ltm","args":["mcp"]},"x":{}}}`, `{"mcpServers": { "x" : 1.50 , "y":` +
			`"\u00fc ü" } }`,
		`{"":{"":[[[]]]}}`, `[]`, `{"hooks":null}`, `{"mcpServers":{"ltm":7}}`,
	}
}

func FuzzHooks(f *testing.F) {
	for _, seed := range settings() {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		shell := len(data)%2 == 0
		merged, err := setup.MergeHooks(data, shell)
		if err != nil {
			return
		}
		require.True(t, json.Valid(bytes.TrimPrefix(merged, []byte("\xef\xbb\xbf"))), "%s", merged)
		again, err := setup.MergeHooks(merged, shell)
		require.NoError(t, err)
		require.Equal(t, string(merged), string(again), "a second run changes nothing")
		back, err := setup.RemoveHooks(merged)
		require.NoError(t, err)
		left, err := setup.HasHooks(back)
		require.NoError(t, err)
		require.False(t, left)
		if had, err := setup.HasHooks(data); err == nil && !had && !blank(data) {
			require.Equal(t, string(data), string(back))
		}
	})
}

func FuzzServer(f *testing.F) {
	for _, seed := range settings() {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		merged, taken, err := setup.MergeServer(data)
		if err != nil || taken {
			return
		}
		require.True(t, json.Valid(bytes.TrimPrefix(merged, []byte("\xef\xbb\xbf"))), "%s", merged)
		again, _, err := setup.MergeServer(merged)
		require.NoError(t, err)
		require.Equal(t, string(merged), string(again), "a second run changes nothing")
		back, err := setup.RemoveServer(merged)
		require.NoError(t, err)
		if !bytes.Equal(merged, data) && !blank(data) {
			require.Equal(t, string(data), string(back))
		}
	})
}

// FuzzUndo holds init and undo to their word on real files: with the record all bytes come back, whatever they were.
func FuzzUndo(f *testing.F) {
	for _, seed := range settings() {
		f.Add([]byte("rules\n"), []byte(seed), []byte(seed))
	}
	f.Fuzz(func(t *testing.T, text, hooks, servers []byte) {
		p := newProject(t)
		p.write("CLAUDE.md", text)
		p.write(".claude/settings.local.json", hooks)
		p.write(".mcp.json", servers)
		before := p.files()
		if err := p.init(); err != nil {
			require.Equal(t, before, p.files(), "%v", err)
			return
		}
		after := p.files()
		require.NoError(t, p.init())
		require.Equal(t, after, p.files())
		require.NoError(t, p.undo())
		require.Equal(t, before, p.files())
		require.NoFileExists(t, p.record())
	})
}

// project is a scratch project.
type project struct {
	t   testing.TB
	dir string
	o   setup.Options
}

func newProject(t testing.TB) *project {
	t.Helper()
	dir := t.TempDir()
	return &project{t, dir, setup.Options{
		Project: dir, Program: "ltm",
		Commands: map[string][]byte{"remember.md": []byte("---\ndescription: x\n---\nsee /ltm:recall\n"),
			"plain.md": []byte("no front matter\n")},
		Hooks: []byte(`{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"x","args":["hook",` +
			`"SessionEnd"]}]}]}}`),
		Private: filepath.Join(t.TempDir(), "git", "ltm"),
	}}
}

// record is where init notes what it did.
func (p *project) record() string { return filepath.Join(p.o.Private, "init.json") }

func (p *project) write(name string, data []byte) {
	p.t.Helper()
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	require.NoError(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(p.t, os.WriteFile(path, data, 0o644))
}

// files returns every file of the project with its bytes and mode, and every directory.
func (p *project) files() map[string]string {
	p.t.Helper()
	found := map[string]string{}
	require.NoError(p.t, filepath.WalkDir(p.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			found[path] = "directory"
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		found[path] = info.Mode().String() + " " + string(data)
		return err
	}))
	return found
}
