package engine_test

import (
	"crypto/rand"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// patient returns an engine on the fixture's store that waits for up to a day, and holds the lock
// until the test ends.
func patient(t *testing.T, f *fixture) *engine.Engine {
	t.Helper()
	held := flock.New(filepath.Join(f.places.Clone, "lock"))
	require.NoError(t, held.Lock())
	t.Cleanup(func() { require.NoError(t, held.Close()) })
	return engine.New(engine.Options{Store: store.New(f.places, time.Now), Version: "test", Now: time.Now,
		Random: rand.Reader, LockWait: 24 * time.Hour})
}

// TestReadingDoesNotWaitForTheLock reads while a lock is held that is never released.
func TestReadingDoesNotWaitForTheLock(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool", "Fifty connections.", 0.5)
	e := patient(t, f)
	d, err := e.Get(f.ctx, string(id))
	require.NoError(t, err)
	require.Equal(t, "Fifty connections.", d.Content)
	r, err := e.Recall(f.ctx, api.Query{Text: "connections", Limit: 5})
	require.NoError(t, err)
	require.Len(t, r.Memories, 1)
}

// TestWaitingForATurnCounts stores for a request that came long ago: it has waited
// all it may, and the lock is only tried.
func TestWaitingForATurnCounts(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool", "Fifty connections.", 0.5)
	ctx := api.WithArrival(f.ctx, time.Now().Add(-25*time.Hour))
	topic, e := "Another", patient(t, f)
	_, err := e.Remember(ctx, api.Draft{Topic: topic, Content: "Something else."})
	require.Equal(t, memory.CodeBusy, memory.CodeOf(err))
	_, err = e.Update(ctx, string(id), api.Patch{Topic: &topic})
	require.Equal(t, memory.CodeBusy, memory.CodeOf(err))

	// One from the future waits no longer than any other.
	hurried := engine.New(engine.Options{Store: store.New(f.places, time.Now), Version: "test",
		Now: func() time.Time { return f.now }, Random: rand.Reader, LockWait: 50 * time.Millisecond})
	_, err = hurried.Remember(api.WithArrival(f.ctx, f.now.Add(time.Hour)),
		api.Draft{Topic: topic, Content: "Something else."})
	require.Equal(t, memory.CodeBusy, memory.CodeOf(err))
}
