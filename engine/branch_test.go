package engine_test

import (
	"crypto/rand"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/locate"
	"ltm/internal/emulated"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// clone is a git work tree with a place for a store.
type clone struct {
	t       *testing.T
	project string
	places  store.Places
}

func newClone(t *testing.T) clone {
	t.Helper()
	emulated.SkipUnderWine(t, "no git for Windows is installed there")
	c := clone{t: t, project: t.TempDir()}
	c.git("init", "-qb", "main")
	c.places = locate.Places(filepath.Join(c.project, filepath.FromSlash(store.Folder)), "")
	return c
}

// git runs git in the work tree and returns what it prints.
func (c clone) git(args ...string) string {
	c.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", c.project, "-c", "user.name=t", "-c", "user.email=t@example.com"},
		args...)...)
	out, err := cmd.CombinedOutput()
	require.NoError(c.t, err, "%s", out)
	return string(out)
}

func (c clone) commit(message string) {
	c.t.Helper()
	c.git("add", "-A")
	c.git("commit", "-qm", message)
}

// TestBranchesAreSwitchedUnderAServer switches branches, merges and pulls while an engine keeps
// running, as in a server. Its answers always match what is checked out.
func TestBranchesAreSwitchedUnderAServer(t *testing.T) {
	for name, serve := range map[string]bool{"serving": true, "not": false} {
		t.Run(name, func(t *testing.T) {
			c := newClone(t)
			git, commit := c.git, c.commit
			s := store.New(c.places, time.Now)
			if serve {
				s.Serve()
			}
			server := engine.New(engine.Options{Store: s, Version: "test", Now: time.Now, Random: rand.Reader,
				LockWait: patience})
			knows := func(question string, want ...string) {
				t.Helper()
				r, err := server.Recall(t.Context(), api.Query{Text: question})
				require.NoError(t, err)
				var got []string
				for _, h := range r.Memories {
					got = append(got, h.Topic)
				}
				require.ElementsMatch(t, want, got)
				l, err := server.List(t.Context(), api.ListFilter{Keyword: question})
				require.NoError(t, err)
				require.Equal(t, len(want), l.Total)
			}
			store := func(topic, content string) memory.ID {
				t.Helper()
				r, err := server.Remember(t.Context(), api.Draft{Topic: topic, Content: content})
				require.NoError(t, err)
				return r.ID
			}
			old := store("Walrus on main", "Tusks.")
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
			git("merge", "-q", "--no-edit", "side")
			knows("walrus", "Walrus again", "Walrus on side")
			check, err := server.Check(t.Context())
			require.NoError(t, err)
			require.True(t, check.OK, check.Summary)
			require.Empty(t, check.Remarks)
		})
	}
}
