package engine_test

import (
	"crypto/rand"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/memory"
	"ltm/store"
)

// TestBranchesAreSwitchedUnderAServer switches branches, merges and pulls under
// an engine that has long been running, as a server is. What it answers is what
// is checked out.
func TestBranchesAreSwitchedUnderAServer(t *testing.T) {
	for name, watch := range map[string]bool{"watching": true, "looking": false} {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			project := filepath.Join(f.dir, "..", "..")
			s := store.New(f.dir, time.Now)
			if watch {
				s.Watch()
			}
			server := engine.New(engine.Options{Store: s, Version: "test", Now: time.Now, Random: rand.Reader, LockWait: time.Minute})
			git := func(args ...string) {
				t.Helper()
				cmd := exec.Command("git", append([]string{"-C", project, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s", out)
			}
			commit := func(message string) {
				t.Helper()
				git("add", "-A")
				git("commit", "-qm", message)
			}
			knows := func(question string, want ...string) {
				t.Helper()
				r, err := server.Recall(t.Context(), memory.Query{Text: question})
				require.NoError(t, err)
				var got []string
				for _, h := range r.Memories {
					got = append(got, h.Topic)
				}
				require.ElementsMatch(t, want, got)
				l, err := server.List(t.Context(), memory.ListFilter{Keyword: question})
				require.NoError(t, err)
				require.Equal(t, len(want), l.Total)
			}
			store := func(topic, content string) memory.ID {
				t.Helper()
				r, err := server.Remember(t.Context(), memory.Draft{Topic: topic, Content: content})
				require.NoError(t, err)
				return r.ID
			}
			old := store("Walrus on main", "Tusks.")
			git("init", "-qb", "main")
			commit("main")
			git("checkout", "-qb", "side")
			_, err := server.Forget(t.Context(), string(old))
			require.NoError(t, err)
			store("Walrus on side", "Whiskers.")
			commit("side")
			knows("walrus", "Walrus on side")
			git("checkout", "-q", "main")
			knows("walrus", "Walrus on main")
			git("checkout", "-q", "side")
			knows("walrus", "Walrus on side")
			git("checkout", "-q", "main")
			store("Walrus again", "Third.")
			commit("again")
			git("-c", "merge.ltm-index.driver=true", "merge", "-q", "--no-edit", "side")
			knows("walrus", "Walrus again", "Walrus on side")
			store("Otter", "The next change brings the index up to date.")
			check, err := server.Check(t.Context())
			require.NoError(t, err)
			require.Empty(t, check.OrphanedFiles)
			require.Empty(t, check.MissingFiles)
			require.Empty(t, check.StaleEntries)
		})
	}
}
