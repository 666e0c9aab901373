package engine_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/memory/api"
	"ltm/store"
)

// busyGit is a git during whose answers someone else changes the store.
type busyGit struct {
	history
	renamed int
	during  func()
}

func (g *busyGit) Renamed(context.Context, string) string {
	g.renamed++
	g.during()
	return ""
}

// TestVerifyAsksHistoryOnceForAll has many memories of the same files, which are gone.
func TestVerifyAsksHistoryOnceForAll(t *testing.T) {
	f := newEngine(t)
	_, project := f.inWorkTree()
	git := &busyGit{during: func() {}}
	e := f.over(project, false, git)
	names := []string{"a.go", "b.go", "c.go"}
	for _, name := range names {
		require.NoError(t, os.WriteFile(filepath.Join(project, name), []byte(name), 0o644))
	}
	var ids []string
	for i := range 10 {
		r, err := e.Remember(f.ctx, api.Draft{Topic: fmt.Sprint("About ", i), Content: "See a.go, b.go and c.go."})
		require.NoError(t, err)
		ids = append(ids, string(r.ID))
	}
	for _, name := range names {
		require.NoError(t, os.Remove(filepath.Join(project, name)))
	}
	done, err := e.Verify(f.ctx, api.VerifyRequest{IDs: ids})
	require.NoError(t, err)
	require.Equal(t, "verified 10 memories, 10 of them stale; no longer refers to what is gone: a.go, b.go, c.go",
		done.Message.String())
	require.Equal(t, 3, git.renamed)
}

// TestNoGitUnderTheLock changes a memory from elsewhere while an update of it asks git.
func TestNoGitUnderTheLock(t *testing.T) {
	f := newEngine(t)
	_, project := f.inWorkTree()
	clock := func() time.Time { return f.now }
	other := engine.New(engine.Options{Store: store.New(f.places, clock), Now: clock, Random: new(counter)})
	var id string
	git := &busyGit{}
	git.during = func() {
		text := fmt.Sprintf("Changed %d.", git.renamed)
		_, err := other.Update(f.ctx, id, api.Patch{Append: &text})
		require.NoError(t, err, "the lock is held")
	}
	e := f.over(project, false, git)
	gone := filepath.Join(project, "a.go")
	require.NoError(t, os.WriteFile(gone, []byte("old"), 0o644))
	r, err := e.Remember(f.ctx, api.Draft{Topic: "About", Content: "See a.go."})
	require.NoError(t, err)
	id = string(r.ID)
	require.NoError(t, os.Remove(gone))
	_, err = e.Update(f.ctx, id, api.Patch{Verified: true})
	require.NoError(t, err)
	require.Equal(t, 1, git.renamed)
	text := f.text(r.ID)
	require.Contains(t, text, "Changed 1.")
	require.NotContains(t, text, "refs:")
}
