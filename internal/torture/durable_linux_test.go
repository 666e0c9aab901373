//go:build amd64 || arm64

package torture_test

import (
	"path"
	"slices"
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
			unsynced := map[string]bool{} // folders with names that are not on the disk
			for i, c := range w.calls {
				call, name, _ := strings.Cut(c, " ")
				switch {
				case call == "fsync":
					delete(unsynced, name)
				case call == "mkdirat" && isShared(name), call == "renameat" && isShared(name):
					if call == "renameat" && path.Ext(name) == ".md" && o.name != "fix" {
						require.Equal(t, "fsync", strings.Fields(w.calls[i-1])[0], "%s: its bytes come first", c)
					}
					unsynced[path.Dir(name)] = true
				case call == "unlinkat" && path.Dir(name) == ".claude/ltm/memories":
					require.Empty(t, unsynced, "%s comes too early", c)
				}
			}
			require.Empty(t, unsynced, "%q", w.calls)
		})
	}
}

// isShared says whether a file or folder is one that a team shares.
func isShared(name string) bool {
	base := path.Base(name)
	return !strings.Contains(name, ".cache") && !slices.Contains([]string{"state.json", "stats.json", ".trust.json", ".trust.json.damaged", ".log.jsonl"}, base)
}
