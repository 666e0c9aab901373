//go:build amd64 || arm64

package torture_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/fs/atomicfile"
)

// TestTheDiskHasItBeforeItIsSaid follows the calls of each operation: a file's bytes are synced
// before it gets its name, a name is synced before anything that it replaces is removed, and all of
// it before the program ends. Counters and caches, which may be lost in a power failure, are not
// synced.
func TestTheDiskHasItBeforeItIsSaid(t *testing.T) {
	for _, o := range operations() {
		if strings.HasPrefix(o.name, "init") {
			continue // init's files can be written again
		}
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			w := scene(t, o)
			unsynced := map[string]bool{} // directories with names not yet on disk
			staged := map[string]bool{}   // files of a batch whose bytes are on disk under temporary names
			for i, c := range w.calls {
				call, name, _ := strings.Cut(c, " ")
				switch {
				case call == "fsync":
					delete(unsynced, name)
					if target, ok := atomicfile.TempOf(path.Base(name)); ok {
						staged[path.Join(path.Dir(name), target)] = true
					}
				case call == "mkdirat" && isShared(name), call == "renameat" && isShared(name),
					call == "unlinkat" && isShared(name) && !isTemp(name):
					if call == "renameat" && w.whole {
						require.True(t, staged[name] && isListed(w.calls[:i]), "%s: the bytes must be synced first", c)
					} else if call == "renameat" && path.Ext(name) == ".md" && !isMoved(w, name) {
						require.Equal(t, "fsync", strings.Fields(w.calls[i-1])[0], "%s: the bytes must be synced first",
							c)
					}
					if call == "unlinkat" {
						require.Empty(t, unsynced, "%s before the directories are synced", c)
					}
					unsynced[path.Dir(name)] = true
				}
			}
			require.Empty(t, unsynced, "%q", w.calls)
		})
	}
}

// isListed reports whether the list of a batch is on disk, with its name.
func isListed(calls []string) bool {
	at := slices.IndexFunc(calls, func(c string) bool {
		return strings.HasPrefix(c, "renameat ") && path.Base(c) == "batch.json"
	})
	return at > 0 && strings.HasPrefix(calls[at-1], "fsync ") && slices.ContainsFunc(calls[at:], func(c string) bool {
		return strings.HasPrefix(c, "fsync ")
	})
}

// isMoved reports whether fix moved this file into the archives: its bytes were on disk already.
func isMoved(w *walk, name string) bool {
	return w.name == "fix" && path.Base(name) == brokenFile
}

// isShared reports whether a team shares this file or directory.
func isShared(name string) bool {
	return strings.HasPrefix(name, "project/.claude") && !strings.HasPrefix(name, "project/.claude/ltm/.local")
}
