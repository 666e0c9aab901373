package engine_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/api"
	"ltm/engine"
	"ltm/internal/worktree"
	"ltm/memory"
	"ltm/store"
)

// inWorkTree returns an engine whose memories can refer to files, and the directory of these.
func (f *fixture) inWorkTree() (*engine.Engine, string) {
	f.t.Helper()
	project, err := filepath.EvalSymlinks(f.t.TempDir())
	require.NoError(f.t, err)
	clock := func() time.Time { return f.now }
	place := func() worktree.Place { return worktree.Place{Top: project} }
	return engine.New(engine.Options{Store: store.New(f.places, clock), Now: clock, Random: new(counter),
		LockWait: patience, Files: &worktree.Files{Git: &history{}, Place: place}}), project
}

// TestVerifyIsOfAllOrOfNone verifies a memory together with one that cannot be changed.
func TestVerifyIsOfAllOrOfNone(t *testing.T) {
	f := newEngine(t)
	e, project := f.inWorkTree()
	var ids []string
	for _, name := range []string{"a.go", "b.go"} {
		require.NoError(t, os.WriteFile(filepath.Join(project, name), []byte("old "+name), 0o644))
		r, err := e.Remember(f.ctx, api.Draft{Topic: "About " + name, Content: "See " + name + "."})
		require.NoError(t, err)
		ids = append(ids, string(r.ID))
		require.NoError(t, os.WriteFile(filepath.Join(project, name), []byte("new "+name), 0o644))
	}
	stale := func() (n int) {
		found, err := e.Stale(f.ctx, api.StaleQuery{})
		require.NoError(t, err)
		return len(found.Memories)
	}
	require.Equal(t, 2, stale())
	before := f.text(memory.ID(ids[0]))
	original := f.text(memory.ID(ids[1]))
	f.put(memory.ID(ids[1]), original+"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n")
	_, err := e.Verify(f.ctx, api.VerifyRequest{IDs: ids})
	require.Equal(t, memory.KindMergeUnresolved, memory.KindOf(err))
	require.Equal(t, before, f.text(memory.ID(ids[0])))

	f.put(memory.ID(ids[1]), original)
	done, err := e.Verify(f.ctx, api.VerifyRequest{IDs: append(ids, ids[0])})
	require.NoError(t, err)
	require.Equal(t, "verified 2 memories, 2 of them stale", done.Message.String())
	require.Zero(t, stale())
	require.Equal(t, f.use(memory.ID(ids[1])).AccessCount, f.use(memory.ID(ids[0])).AccessCount, "each counts once")
}
