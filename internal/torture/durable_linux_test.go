//go:build amd64 || arm64

package torture_test

import (
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheDiskHasItBeforeItIsSaid follows the calls of each operation: bytes are
// on the disk before their file gets its name, a name before anything that it
// takes the place of is removed, and all of it before the program ends. What may
// be lost with the power, counters and caches, is not waited for.
func TestTheDiskHasItBeforeItIsSaid(t *testing.T) {
	for _, o := range operations() {
		if strings.HasPrefix(o.name, "init") {
			continue // what init wrote can be written again
		}
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			w := scene(t, o)
			unsynced := map[string]bool{} // directories with names that are not on the disk
			for i, c := range w.calls {
				call, name, _ := strings.Cut(c, " ")
				switch {
				case call == "fsync":
					delete(unsynced, name)
				case call == "mkdirat" && isShared(name), call == "renameat" && isShared(name),
					call == "unlinkat" && isShared(name) && !isTemp(name):
					if call == "renameat" && path.Ext(name) == ".md" && !isMoved(w, name) {
						require.Equal(t, "fsync", strings.Fields(w.calls[i-1])[0], "%s: its bytes come first", c)
					}
					if call == "unlinkat" {
						require.Empty(t, unsynced, "%s comes too early", c)
					}
					unsynced[path.Dir(name)] = true
				}
			}
			require.Empty(t, unsynced, "%q", w.calls)
		})
	}
}

// isMoved reports whether a file of the archives is one that fix moved there: its
// bytes have been on the disk for long.
func isMoved(w *walk, name string) bool {
	return w.name == "fix" && path.Base(name) == brokenFile
}

// isShared reports whether a file or directory is one that a team shares.
func isShared(name string) bool {
	return strings.HasPrefix(name, "project/.claude") && !strings.HasPrefix(name, "project/.claude/ltm/.local")
}
