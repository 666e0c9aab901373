package setup_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/setup"
)

// TestUndoKeepsToItsWorkTree undoes one work tree of two whose git directories are in the same clone.
func TestUndoKeepsToItsWorkTree(t *testing.T) {
	main, linked := newProject(t), newProject(t)
	git := t.TempDir()
	main.o.Private, linked.o.Private = filepath.Join(git, "ltm"), filepath.Join(git, "worktrees", "linked", "ltm")
	linked.write("CLAUDE.md", []byte("rules\n"))
	before := linked.files()
	require.NoError(t, main.init())
	require.NoError(t, linked.init())
	after := main.files()
	require.NoError(t, linked.undo())
	require.Equal(t, before, linked.files())
	require.NoFileExists(t, linked.record())
	require.Equal(t, after, main.files())
	require.FileExists(t, main.record())
	require.NoError(t, main.undo())
	require.NoFileExists(t, main.record())
	require.NotContains(t, main.files(), filepath.Join(main.dir, "CLAUDE.md"))
}

// TestRecordOfTheWorkTreeCountsForNothing has a record in the work tree, where a repository can bring one, which says
// that init made a person's files.
func TestRecordOfTheWorkTreeCountsForNothing(t *testing.T) {
	p := newProject(t)
	p.write("CLAUDE.md", []byte("rules\n"))
	p.write(".mcp.json", []byte("{}"))
	sum := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])
	}
	forged := fmt.Sprintf(`{"version":1,"store":true,"dirs":[".claude"],"files":{"CLAUDE.md":{"created":true,`+
		`"after":%q,"size":6},".mcp.json":{"created":true,"after":%q,"size":2}}}`, sum("rules\n"), sum("{}"))
	p.write(".claude/ltm/init.json", []byte(forged))
	before := p.files()
	require.NoError(t, p.undo())
	require.Equal(t, before, p.files())
	require.NoError(t, p.init())
	require.NoError(t, p.undo())
	require.Equal(t, "rules\n", p.read("CLAUDE.md"))
	require.Equal(t, "{}", p.read(".mcp.json"))
}

// TestRecordInTheStore is of a project outside of git, whose store holds what belongs to this machine alone.
func TestRecordInTheStore(t *testing.T) {
	p := newProject(t)
	p.o.Private = filepath.Join(p.dir, ".claude", "ltm", ".local")
	before := p.files()
	require.NoError(t, p.init())
	require.FileExists(t, p.record())
	require.NoError(t, p.undo())
	require.Equal(t, before, p.files())

	require.NoError(t, p.init())
	p.write(".claude/ltm/.local/stats.json", []byte(`{"version":1}`))
	p.write(".claude/ltm/.local/lock", nil)
	p.write(".claude/ltm/.local/state.json", []byte(`{"version":1,"session_count":3,"config":{}}`))
	require.NoError(t, p.undo())
	require.Equal(t, before, p.files(), "counters without a memory are worth nothing")

	for name, text := range map[string]string{"state.json": `{"version":1,"config":{"max_memories":7}}`,
		"rejected/mem_00000001.md": "a person's text"} {
		require.NoError(t, p.init())
		p.write(".claude/ltm/.local/"+name, []byte(text))
		require.NoError(t, p.undo())
		require.Equal(t, text, p.read(".claude/ltm/.local/"+name))
		require.NoFileExists(t, filepath.Join(p.dir, "CLAUDE.md"))
		require.NoError(t, os.RemoveAll(filepath.Join(p.dir, ".claude")))
	}
}

// TestOtherWorkTree has one that the init of another reaches, before or after a person was told that it has no hooks.
func TestOtherWorkTree(t *testing.T) {
	p := newProject(t)
	before := p.files()
	require.Zero(t, setup.ReadWritten(p.o.Private))
	require.NoError(t, setup.Told(p.o.Private, "."))
	require.Equal(t, setup.Written{Known: true, By: "."}, setup.ReadWritten(p.o.Private))
	p.o.By = "worktrees/a"
	require.NoError(t, p.init())
	reached := setup.Written{Known: true, Hooks: true, By: "worktrees/a"}
	require.Equal(t, reached, setup.ReadWritten(p.o.Private))
	require.ErrorIs(t, setup.Told(p.o.Private, "."), fs.ErrExist)
	require.Equal(t, reached, setup.ReadWritten(p.o.Private))
	require.NoFileExists(t, filepath.Join(p.dir, "CLAUDE.md"))
	require.NoError(t, p.undo())
	require.Equal(t, before, p.files())
	require.NoDirExists(t, p.o.Private)

	require.NoError(t, p.init())
	p.o.By = ""
	require.NoError(t, p.init())
	own := setup.Written{Known: true, Hooks: true}
	require.Equal(t, own, setup.ReadWritten(p.o.Private))
	p.o.By, p.o.Program = "worktrees/a", "/opt/ltm"
	require.NoError(t, p.init())
	require.Equal(t, own, setup.ReadWritten(p.o.Private), "what its own init wrote stays its own")
	p.o.By = ""
	require.NoError(t, p.undo())
	require.Equal(t, before, p.files())
}

// TestRecordThatCannotBeWritten stops before any file is changed.
func TestRecordThatCannotBeWritten(t *testing.T) {
	p := newProject(t)
	p.write("CLAUDE.md", []byte("rules\n"))
	require.NoError(t, os.WriteFile(filepath.Dir(p.o.Private), nil, 0o644))
	before := p.files()
	err := p.init()
	require.Equal(t, memory.CodeStorage, memory.CodeOf(err), "%v", err)
	require.Equal(t, before, p.files())
}

// TestNoRecord undoes what it recognizes: there is no place for a record where the store is outside of a project that
// is not in git.
func TestNoRecord(t *testing.T) {
	p := newProject(t)
	p.o.Private, p.o.NoStore = "", true
	p.write("CLAUDE.md", []byte("rules\n"))
	before := p.files()
	require.NoError(t, p.init())
	require.NoDirExists(t, filepath.Join(p.dir, ".claude/ltm"))
	require.NoError(t, p.undo())
	require.Equal(t, before, p.files())
}
