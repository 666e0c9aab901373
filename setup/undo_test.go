package setup_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/clients"
	"ltm/memory"
	"ltm/setup"
)

// TestUndoPlan has what an undo would do with each file, by what happened since init.
func TestUndoPlan(t *testing.T) {
	const store = ".claude/ltm"
	for _, tt := range []struct {
		name       string
		before     string // text of CLAUDE.md before init; empty: missing
		file, text string // what is written after init; + adds to the file
		path, want string // what is planned
	}{
		{name: "a new CLAUDE.md", path: "CLAUDE.md", want: "removed: init wrote it"},
		{name: "an old CLAUDE.md", before: "rules\n", path: "CLAUDE.md", want: "changed: without what init added"},
		{name: "a new CLAUDE.md with rules since", file: "CLAUDE.md", text: "+more\n", path: "CLAUDE.md",
			want: "changed: without what init added"},
		{name: "a section that is gone", before: "rules\n", file: "CLAUDE.md", text: "rules\n", path: "CLAUDE.md",
			want: ""},
		{name: "a command", path: ".claude/commands/plain.md", want: "removed: init wrote it"},
		{name: "an edited command", file: ".claude/commands/plain.md", text: "+mine\n",
			path: ".claude/commands/plain.md",
			want: "kept: edited since ltm wrote it"},
		{name: "a command of a person's", file: ".claude/commands/plain.md", text: "mine\n",
			path: ".claude/commands/plain.md", want: ""},
		{name: "hooks", path: ".claude/settings.local.json", want: "removed: init wrote it"},
		{name: "hooks beside others", file: ".claude/settings.local.json",
			text: `{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"ltm","args":["hook",` +
				`"SessionEnd"]}]}]},"a":1}`,
			path: ".claude/settings.local.json", want: "changed: without what init added"},
		{name: "the server", path: ".mcp.json", want: "removed: init wrote it"},
		{name: "the server beside others", file: ".mcp.json",
			text: `{"mcpServers":{"ltm":{"command":"ltm","args":["mcp"]},"x":{}}}`, path: ".mcp.json",
			want: "changed: without what init added"},
		{name: "an empty store", path: store, want: "removed: the store, which was empty"},
		{name: "a memory", file: store + "/memories/mem_00000001.md", text: "x", path: store,
			want: "kept: there are memories in it"},
		{name: "an archive", file: store + "/archives/mem_00000001.md", text: "x", path: store,
			want: "kept: there are memories in it"},
		{name: "a packet", file: store + "/packets/01K3Q8ZJ6M4T2V9XWBDN7RHE02.json", text: "x", path: store,
			want: "kept: there are packets in it"},
		{name: "a list of ignored files that was edited", file: store + "/.gitignore", text: "+x\n", path: store,
			want: "kept: .gitignore in it was edited"},
		{name: "a README that was edited", file: store + "/README.md", text: "+x\n", path: store,
			want: "kept: README.md in it was edited"},
		{name: "another file", file: store + "/notes.txt", text: "x", path: store, want: "kept: notes.txt is in it"},
		{name: "an index", file: store + "/index.json", text: "{}", path: store,
			want: "removed: the store, which was empty"},
		{name: "settings", file: store + "/.local/state.json", text: `{"config":{"max_memories":7}}`, path: store,
			want: "kept: there are settings in it"},
		{name: "a state that cannot be read", file: store + "/.local/state.json", text: "x", path: store,
			want: "kept: state.json in it cannot be read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			if tt.before != "" {
				p.write("CLAUDE.md", []byte(tt.before))
			}
			require.NoError(t, p.init())
			if text, more := strings.CutPrefix(tt.text, "+"); more {
				p.write(tt.file, []byte(p.read(tt.file)+text))
			} else if tt.file != "" {
				p.write(tt.file, []byte(text))
			}
			before := p.files()
			plan, err := setup.Undo(p.o)
			require.Equal(t, tt.want, lines(t, plan, err)[tt.path])
			require.Equal(t, before, p.files(), "a plan changes nothing")
		})
	}
}

// TestUndoTwice finds nothing the second time.
func TestUndoTwice(t *testing.T) {
	p := newProject(t)
	p.write("CLAUDE.md", []byte("rules\r\n"))
	before := p.files()
	require.NoError(t, p.init())
	require.NoError(t, p.undo())
	require.Equal(t, before, p.files())
	plan, err := setup.Undo(p.o)
	require.NoError(t, err)
	require.Empty(t, plan.Changes)
	require.False(t, plan.Writes())
	require.NoError(t, p.undo())
	require.Equal(t, before, p.files())
}

// TestRecords reads records of other versions and damaged ones.
func TestRecords(t *testing.T) {
	for _, tt := range []struct{ name, record, refused string }{
		{"newer", `{"version":2}`, "init.json has version 2, and this ltm knows 1"},
		{"damaged", `{"version":1,`, ""},
		{"empty", "", ""},
		{"of nothing", `{"version":1}`, ""},
		{"with directories of others", `{"version":1,"dirs":["src",".git","../x"]}`, ""},
		{"with files of others", `{"version":1,"files":{"src/a.go":{"created":true},"../x":{"created":true}}}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProject(t)
			p.write("src/a.go", []byte("package a\n"))
			require.NoError(t, os.MkdirAll(filepath.Join(p.dir, ".git"), 0o755))
			require.NoError(t, p.init())
			require.NoError(t, os.WriteFile(p.record(), []byte(tt.record), 0o644))
			before := p.files()
			err := p.undo()
			if tt.refused != "" {
				require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
				require.ErrorContains(t, err, tt.refused)
				require.Equal(t, before, p.files())
				return
			}
			require.NoError(t, err)
			require.Equal(t, "package a\n", p.read("src/a.go"))
			require.DirExists(t, filepath.Join(p.dir, ".git"))
		})
	}
}

// TestFailureAfterTheStore fails when the store is made already, and a file cannot be staged.
func TestFailureAfterTheStore(t *testing.T) {
	p := newProject(t)
	p.write("CLAUDE.md", []byte("rules\n"))
	plan, err := setup.Init(p.o)
	require.NoError(t, err)
	err = plan.Run(context.Background(), func(ctx context.Context) error {
		p.write(".claude/commands", []byte("a file in the place of a directory"))
		return p.makeStore(ctx)
	})
	require.Equal(t, memory.CodeStorage, memory.CodeOf(err), "%v", err)
	require.Equal(t, "rules\n", p.read("CLAUDE.md"))
	require.NoDirExists(t, filepath.Join(p.dir, ".claude/ltm"))
	require.NoFileExists(t, filepath.Join(p.dir, ".mcp.json"))
	require.NoFileExists(t, p.record())
}

// TestWrittenTexts has the files that ltm writes whole.
func TestWrittenTexts(t *testing.T) {
	p := newProject(t)
	require.NoError(t, p.init())
	command := p.read(".claude/commands/remember.md")
	require.Regexp(t, "^---\n# written by \"ltm init\" [0-9a-f]{12}; a copy that is edited is left alone\n"+
		"description: x\n---\n", command)
	require.Contains(t, command, "see /recall\n", "without the plugin's prefix")
	require.Regexp(t, "^no front matter\n<!-- written by \"ltm init\" [0-9a-f]{12}; .* -->\n$",
		p.read(".claude/commands/plain.md"))

	// Git may have changed the line endings: the file is still ltm's.
	p.write(".claude/commands/remember.md", []byte(strings.ReplaceAll(command, "\n", "\r\n")))
	plan, err := setup.Init(p.o)
	require.NoError(t, err)
	require.False(t, plan.Writes())
	require.Equal(t, setup.Kept, plan.Does(".claude/commands/remember.md"))
	require.Equal(t, setup.Kept, plan.Does("unknown.md"))
}

// TestUndoOfOneFileWithTwoNames: symbolic links lead to files of two clients, one of which does not exist at first.
func TestUndoOfOneFileWithTwoNames(t *testing.T) {
	p := newProject(t)
	codex, _ := clients.Named("codex")
	copilot, _ := clients.Named("copilot")
	p.o.Agents = []clients.Client{codex, copilot}
	for name, target := range map[string]string{"AGENTS.md": "CLAUDE.md", ".github/skills": "../.agents/skills"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(p.dir, name)), 0o755))
		if err := os.Symlink(target, filepath.Join(p.dir, name)); err != nil {
			t.Skip(err)
		}
	}
	require.NoError(t, os.MkdirAll(filepath.Join(p.dir, ".agents/skills"), 0o755))
	require.NoError(t, p.init())
	require.Equal(t, 1, strings.Count(p.read("AGENTS.md"), "ltm:begin"))
	require.FileExists(t, filepath.Join(p.dir, ".agents/skills/plain/SKILL.md"))
	require.NoError(t, p.undo())
	require.NoFileExists(t, filepath.Join(p.dir, "CLAUDE.md"))
	require.NoFileExists(t, filepath.Join(p.dir, ".agents/skills/plain/SKILL.md"))
	require.NoFileExists(t, p.record())
}
