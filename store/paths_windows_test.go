package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

// TestWorkTreesOnWindows links a work tree as git for Windows does: with slashes,
// with the drive in any case, and with lines that end in CRLF after an editor.
func TestWorkTreesOnWindows(t *testing.T) {
	for name, write := range map[string]func(path string) string{
		"slashes":      func(path string) string { return filepath.ToSlash(path) + "\n" },
		"backslashes":  func(path string) string { return path + "\n" },
		"crlf":         func(path string) string { return filepath.ToSlash(path) + "\r\n" },
		"small drive":  func(path string) string { return strings.ToLower(path[:1]) + filepath.ToSlash(path[1:]) + "\n" },
		"another case": func(path string) string { return strings.ToUpper(filepath.ToSlash(path)) + "\n" },
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			kept := filepath.Join(top, "clone", ".git", "worktrees", "tree")
			link := filepath.Join(top, "tree", ".git")
			for path, text := range map[string]string{
				link:                             "gitdir: " + write(kept),
				filepath.Join(kept, "gitdir"):    write(link),
				filepath.Join(kept, "commondir"): "../..\n",
			} {
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
			}
			fx := &fixture{t: t, dir: filepath.Join(top, "tree", ".claude", "ltm"), now: time.Now().Add(time.Hour)}
			fx.Store = fx.reopen()
			require.NoError(t, fx.update(func(tx *store.Tx) error { return tx.ShareWorktrees(true) }))
			require.FileExists(t, filepath.Join(top, "clone", ".git", "ltm", ".claude", "ltm", "shared"))
		})
	}
}

// TestTheHomeInAnotherCase does not look for a store in the home folder, however
// the drive is written.
func TestTheHomeInAnotherCase(t *testing.T) {
	home := t.TempDir()
	project := filepath.Join(home, "work")
	for _, dir := range []string{project, filepath.Join(home, ".claude", "ltm")} {
		require.NoError(t, os.MkdirAll(dir, 0o755))
	}
	for _, written := range []string{home, strings.ToLower(home), strings.ToUpper(home)} {
		require.Equal(t, filepath.Join(project, ".claude", "ltm"), store.Locate(store.Where{Project: project, Home: written}).Dir)
	}
}

// TestReadersThatHoldFilesOpen changes every file of a store while it is read as
// ltm reads it, and as other programs do that share the right to delete.
func TestReadersThatHoldFilesOpen(t *testing.T) {
	fx := newStore(t)
	fx.put("mem_00000001", "one")
	root, err := os.OpenRoot(fx.dir)
	require.NoError(t, err)
	defer root.Close()
	for _, name := range []string{"memories/mem_00000001.md", "index.json", ".trust.json"} {
		f, err := root.Open(name)
		require.NoError(t, err)
		defer f.Close()
	}
	fx.put("mem_00000001", "two")
	require.Equal(t, map[memory.ID]string{"mem_00000001": "two"}, topics(t, fx.reopen()))
	require.NoError(t, fx.update(func(tx *store.Tx) error { return tx.RemoveMemory("mem_00000001") }))
	require.Empty(t, topics(t, fx.reopen()))
}

// TestNamesThatWindowsReserves refuses or passes over them: none is a memory, and
// none leads to a device or to another stream of a file.
func TestNamesThatWindowsReserves(t *testing.T) {
	fx := newStore(t)
	fx.put("mem_00000001", "one")
	for _, name := range []string{"CON", "nul.md", "aux", "COM1.md", "mem_00000001.md:stream", "mem_00000001.md.", "mem_00000001.md "} {
		require.NoError(t, fx.View(func(v *store.View) error {
			data, err := v.ReadBytes("memories/" + name)
			require.True(t, err != nil || len(data) == 0, "%q holds %q", name, data)
			return nil
		}))
	}
	require.Equal(t, map[memory.ID]string{"mem_00000001": "one"}, topics(t, fx.reopen()))
}

// TestLongPaths keeps a store deeper than 260 characters.
func TestLongPaths(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("a", 120), strings.Repeat("b", 120), ".claude", "ltm")
	fx := &fixture{t: t, dir: dir, now: time.Now().Add(time.Hour)}
	fx.Store = fx.reopen()
	fx.put("mem_00000001", "one")
	require.Equal(t, map[memory.ID]string{"mem_00000001": "one"}, topics(t, fx.reopen()))
}
