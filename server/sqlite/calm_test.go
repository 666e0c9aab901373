package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/sqlite"
	"ltm/server/threads"
)

// TestWritingAnewGivesWay: what gives way to changes is stopped by one and tried again in the next pause, and is not
// stopped any more when its patience is at an end.
func TestWritingAnewGivesWay(t *testing.T) {
	store, calm, err := sqlite.OpenCalm(t.Context(), filepath.Join(t.TempDir(), "ltm.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	change := func() error {
		return store.CreateUser(t.Context(), server.User{ID: time.Now().String(), CreatedAt: time.Now()})
	}
	stopped := func(ctx context.Context) error { // as what is under way while a change comes
		if err := change(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Minute):
			return errors.New("it was not stopped")
		}
	}
	tries := 0
	require.NoError(t, calm.GiveWay(t.Context(), time.Hour, time.Millisecond, func(ctx context.Context) error {
		if tries++; tries < 4 {
			return stopped(ctx)
		}
		return ctx.Err()
	}))
	require.Equal(t, 4, tries)

	failed := errors.New("failed")
	tries = 0
	require.ErrorIs(t, calm.GiveWay(t.Context(), time.Hour, time.Millisecond, func(context.Context) error {
		tries++
		return failed
	}), failed)
	require.Equal(t, 1, tries, "its own failure")

	require.NoError(t, calm.GiveWay(t.Context(), 0, time.Hour, func(ctx context.Context) error {
		return errors.Join(change(), ctx.Err())
	}), "without patience")

	ctx, cancel := context.WithCancel(t.Context())
	require.ErrorIs(t, calm.GiveWay(ctx, time.Hour, time.Millisecond, func(inner context.Context) error {
		cancel()
		<-inner.Done()
		return inner.Err()
	}), context.Canceled)
	require.ErrorIs(t, calm.GiveWay(ctx, time.Hour, time.Hour, nil), context.Canceled, "also while it waits")
}

// TestLookingForJobsIsNoChange: workers that find nothing do not disturb what gives way to changes.
func TestLookingForJobsIsNoChange(t *testing.T) {
	store, calm, err := sqlite.OpenCalm(t.Context(), filepath.Join(t.TempDir(), "ltm.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	at := time.Now()
	s := store.Threads()
	require.NoError(t, s.CreateApp(t.Context(), threads.App{ID: "app", Name: "app", CreatedAt: at}))
	who := threads.Subject{App: "app", User: "ann"}
	before := calm.Changes()
	look := func() int {
		jobs, err := s.Lease(t.Context(), "lease", nil, 9, at, at.Add(time.Hour))
		require.NoError(t, err)
		return len(jobs)
	}
	require.Zero(t, look())
	require.Equal(t, before, calm.Changes())
	remember(t, s, who, "one", "a text", at)
	before = calm.Changes()
	require.Positive(t, look())
	require.Greater(t, calm.Changes(), before)
	before = calm.Changes()
	require.Zero(t, look(), "they are leased")
	require.Equal(t, before, calm.Changes())
}

// TestAPatientPurge checks that one that waits for a pause does what others do, and nothing while there is nothing.
func TestAPatientPurge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{Patience: time.Hour, Quiet: 10 * time.Millisecond})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	require.NoError(t, store.CreateUser(t.Context(), server.User{ID: "u", Name: "u", CreatedAt: time.Now()}))
	put(t, store, "kept", "KEPTTEXT", 3)
	put(t, store, "packet", "SECRET", 300)
	require.NoError(t, store.DeletePacket(t.Context(), "u", "packet", "", time.Now()))
	gone(t, store, path)
}

// TestAPatientPurgeAmongChanges: a purge that changes stop again and again ends, what was removed is gone, and nothing
// else is.
func TestAPatientPurgeAmongChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{Patience: time.Hour, Quiet: time.Microsecond})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	require.NoError(t, store.CreateUser(t.Context(), server.User{ID: "u", Name: "u", CreatedAt: time.Now()}))
	for i := range 20 { // 10 MB, so that changes come while the file is read, written, and neither
		put(t, store, fmt.Sprint("large-", i), "KEPTTEXT", 60_000)
	}
	put(t, store, "packet", "SECRET", 300)
	require.NoError(t, store.DeletePacket(t.Context(), "u", "packet", "", time.Now()))
	purged := make(chan error)
	go func() {
		_, err := store.Purge(t.Context(), time.Time{})
		purged <- err
	}()
	const changes = 300
	for i := range changes {
		put(t, store, fmt.Sprint("small-", i), "KEPTTEXT", 3)
	}
	require.NoError(t, <-purged)
	gone(t, store, path)
	faults, err := store.Check(t.Context())
	require.NoError(t, err)
	require.Empty(t, faults)
	totals, err := store.Totals(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 20+changes, totals.Packets)
}
