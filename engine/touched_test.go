package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/settings"
	"ltm/engine/worktree"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/refs"
	"ltm/store"
)

// history is a git that knows one commit, and counts how often it is asked for it, and for how many.
type history struct{ asked, limit int }

func (h *history) Ignored(context.Context, []string) (map[string]bool, error) {
	return map[string]bool{}, nil
}
func (h *history) Attributes(context.Context, []string) (map[string]refs.Attributes, error) {
	return map[string]refs.Attributes{}, nil
}
func (h *history) Digits(context.Context) int                     { return 40 }
func (h *history) Renamed(context.Context, string) (place string) { return "" }
func (h *history) Touched(_ context.Context, _ string, limit int) []worktree.Commit {
	h.asked, h.limit = h.asked+1, limit
	return []worktree.Commit{{Hash: "0123456789abcdef", At: time.Unix(1e9, 0), Subject: "canary"}}
}

// TestCommitsOfStaleRefs are told with the words of their authors to a person, and to a model unless the settings hold
// back what was not approved. What a server compares needs none.
func TestCommitsOfStaleRefs(t *testing.T) {
	for name, c := range map[string]struct {
		toModel bool
		trust   string
		subject string
		peeked  int // commits
	}{
		"a person":           {false, settings.TrustMark, "canary", 1},
		"a person who asks":  {false, settings.TrustAsk, "canary", 1},
		"a model":            {true, settings.TrustMark, "canary", 0},
		"a model, held back": {true, settings.TrustAsk, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			f.set("trust", c.trust, settings.Clone)
			project, err := filepath.EvalSymlinks(t.TempDir())
			require.NoError(t, err)
			pool := filepath.Join(project, "pool.go")
			require.NoError(t, os.WriteFile(pool, []byte("package db\n"), 0o644))
			git, clock := &history{}, func() time.Time { return f.now }
			e := engine.New(engine.Options{Store: store.New(f.places, clock), Now: clock, Random: new(counter),
				LockWait: patience, ToModel: c.toModel, Files: &worktree.Files{Git: git,
					Place: func() worktree.Place { return worktree.Place{Top: project} }}})
			r, err := e.Remember(f.ctx, api.Draft{Topic: "Pool", Content: "See pool.go."})
			require.NoError(t, err)
			require.NoError(t, os.Remove(pool))

			d, err := e.Get(f.ctx, string(r.ID))
			require.NoError(t, err)
			require.Len(t, d.Refs, 1)
			require.Equal(t, memory.RefGone, d.Refs[0].State)
			require.Len(t, d.Refs[0].Commits, 1)
			require.Equal(t, "0123456789abcdef", d.Refs[0].Commits[0].Hash)
			require.Equal(t, c.subject, d.Refs[0].Commits[0].Subject)
			require.Equal(t, 1, git.asked)
			require.Equal(t, 3, git.limit)

			d, err = e.Peek(f.ctx, string(r.ID))
			require.NoError(t, err)
			require.Len(t, d.Refs[0].Commits, c.peeked)
			require.Equal(t, 1+c.peeked, git.asked)
		})
	}
}
