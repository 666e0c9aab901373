package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// TestAServerCountsAfterItAnswers opens a memory through a server while another process holds the
// lock. The answer does not wait, and the access is counted once the lock is free.
func TestAServerCountsAfterItAnswers(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", "It is 20.", 0.5)
	s := store.New(f.places, time.Now)
	s.Serve()
	server := engine.New(engine.Options{Store: s, Now: time.Now, Random: new(counter), LockWait: patience})
	t.Cleanup(func() { server.CountAccesses(f.ctx) })

	held, release := make(chan struct{}), make(chan struct{})
	done := make(chan error)
	go func() {
		done <- store.New(f.places, time.Now).Update(f.ctx, store.UpdateOptions{Wait: patience},
			func(*store.Tx) error {
				close(held)
				<-release
				return nil
			})
	}()
	<-held
	d, err := server.Get(f.ctx, string(id))
	require.NoError(t, err)
	require.Equal(t, 1, d.AccessCount, "as it will be counted")
	require.Zero(t, f.use(id).AccessCount)
	close(release)
	require.NoError(t, <-done)

	_, err = server.Update(f.ctx, string(id), api.Patch{AddTags: []string{"db"}})
	require.NoError(t, err)
	_, err = server.Get(f.ctx, string(id))
	require.NoError(t, err)
	server.CountAccesses(f.ctx)
	require.Equal(t, 3, f.use(id).AccessCount, "two openings and an update")

	_, err = server.Get(f.ctx, "mem_0badcafe")
	require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
}
