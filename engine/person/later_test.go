package person_test

import (
	"context"
	"crypto/rand"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/engine/person"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// newEngine returns an engine on an empty store.
func newEngine(t *testing.T) *engine.Engine {
	t.Helper()
	project := t.TempDir()
	dir := filepath.Join(project, filepath.FromSlash(store.Folder))
	local := filepath.Join(dir, store.LocalFolder)
	places := store.Places{Store: dir, Tree: local, Clone: local, Key: filepath.Join(project, "person", "trust.key"),
		Local: true}
	return engine.New(engine.Options{Store: store.New(places, time.Now), Version: "test", Now: time.Now,
		Random: rand.Reader, LockWait: time.Minute})
}

// TestADiskThatDoesNotAnswer has a call of the person's store that hangs: it is waited for once, and
// not at all while it still hangs.
func TestADiskThatDoesNotAnswer(t *testing.T) {
	ctx, project := context.Background(), newEngine(t)
	s := person.NewShelves(project, newEngine(t), nil)
	hang, over := make(chan struct{}), make(chan struct{})
	_, err := person.Later(s, func() (int, error) {
		defer close(over)
		<-hang
		return 1, nil
	})()
	require.Equal(t, memory.KindUserFailed, memory.KindOf(err))
	require.ErrorContains(t, err, "do not answer")
	began := false
	_, err = person.Later(s, func() (int, error) {
		began = true
		return 1, nil
	})()
	require.ErrorContains(t, err, "do not answer")
	require.False(t, began)
	difficulty := 0.5
	_, err = project.Remember(ctx, api.Draft{Topic: "The pool", Content: "It holds 50 connections.",
		Difficulty: &difficulty})
	require.NoError(t, err)
	found, err := s.Recall(ctx, api.Query{Text: "pool"})
	require.NoError(t, err)
	require.Len(t, found.Memories, 1)
	require.Contains(t, found.Note.String(), "do not answer")
	close(hang)
	<-over
	require.Eventually(t, func() bool {
		n, err := person.Later(s, func() (int, error) { return 2, nil })()
		return err == nil && n == 2
	}, time.Minute, time.Millisecond)
}
