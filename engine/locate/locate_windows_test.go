package locate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/engine/locate"
	"ltm/internal/git/gitdir"
)

// TestWorkTreesOnWindows links a work tree as git for Windows does: with slashes,
// with the drive in any case, and with lines that end in CRLF after an editor.
func TestWorkTreesOnWindows(t *testing.T) {
	for name, write := range map[string]func(path string) string{
		"slashes":     func(path string) string { return filepath.ToSlash(path) + "\n" },
		"backslashes": func(path string) string { return path + "\n" },
		"crlf":        func(path string) string { return filepath.ToSlash(path) + "\r\n" },
		"small drive": func(
			path string) string {
			return strings.ToLower(path[:1]) + filepath.ToSlash(path[1:]) + "\n"
		},
		"another case": func(path string) string { return strings.ToUpper(filepath.ToSlash(path)) + "\n" },
	} {
		t.Run(name, func(t *testing.T) {
			s := newScratch(t)
			kept := s.in("clone/.git/worktrees/tree")
			link := s.in("tree/.git")
			for path, text := range map[string]string{
				link:                             "gitdir: " + write(kept),
				filepath.Join(kept, "gitdir"):    write(link),
				filepath.Join(kept, "commondir"): "../..\n",
				filepath.Join(kept, "HEAD"):      "ref: refs/heads/main\n",
			} {
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
			}
			s.mkdir(t, "clone/.git/ltm")
			places := locate.Places(s.in("tree/.claude/ltm"), "")
			require.False(t, places.Local)
			require.True(t, gitdir.SameFile(s.in("clone/.git/ltm"), places.Clone), places.Clone)
		})
	}
}

// TestTheHomeInAnotherCase does not look for a store in the home directory, however
// the drive is written.
func TestTheHomeInAnotherCase(t *testing.T) {
	s := newScratch(t)
	s.mkdir(t, "home/work", "home/.claude/ltm")
	for _, written := range []string{s.in("home"), strings.ToLower(s.in("home")), strings.ToUpper(s.in("home"))} {
		require.Equal(t, s.in("home/work/.claude/ltm"), locate.Store(locate.Where{Project: s.in("home/work"),
			Home: written}).Store)
	}
}
