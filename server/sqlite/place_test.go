package sqlite_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/sqlite"
)

// TestOneServer checks that a file has one server, whatever name it is opened by, and any number of commands.
func TestOneServer(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "ltm.db")
	first, err := sqlite.Open(t.Context(), path, sqlite.Options{Server: true})
	require.NoError(t, err)
	link := filepath.Join(dir, "link.db")
	require.NoError(t, os.Symlink(path, link))
	for _, name := range []string{path, link} {
		_, err = sqlite.Open(t.Context(), name, sqlite.Options{Server: true})
		require.ErrorIs(t, err, sqlite.ErrServed)
		require.ErrorContains(t, err, "process "+strconv.Itoa(os.Getpid()))
	}
	if runtime.GOOS != "windows" { // whose hard links are not seen
		hard := filepath.Join(dir, "hard.db")
		require.NoError(t, os.Link(path, hard))
		_, err = sqlite.Open(t.Context(), hard, sqlite.Options{Server: true})
		require.ErrorIs(t, err, sqlite.ErrLinked)
		require.NoFileExists(t, hard+"-wal")
		require.NoError(t, os.Remove(hard))
	}
	beside, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, beside.CreateUser(t.Context(), server.User{ID: "u", CreatedAt: time.Now()}))
	require.NoError(t, beside.Close())
	require.NoError(t, first.Close())
	next, err := sqlite.Open(t.Context(), path, sqlite.Options{Server: true})
	require.NoError(t, err)
	require.NoError(t, next.Close())
}

// TestMovedFile checks that a store whose file was moved away or replaced takes no changes until it is back.
func TestMovedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	user := server.User{ID: "u", CreatedAt: time.Now()}
	refused := func() {
		require.ErrorIs(t, store.CreateUser(t.Context(), user), server.ErrAway)
		require.ErrorIs(t, store.CreateUser(t.Context(), user), sqlite.ErrMoved)
		require.ErrorIs(t, store.Ping(t.Context()), server.ErrAway)
	}
	require.NoError(t, os.Rename(path, path+".old"))
	refused()
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	refused()
	require.NoError(t, os.Rename(path+".old", path))
	require.NoError(t, store.Ping(t.Context()))
	require.NoError(t, store.CreateUser(t.Context(), user))
}

// TestFullDisk has no room for another page. Reading goes on, and once there is room, so do changes.
func TestFullDisk(t *testing.T) {
	store, limit, err := sqlite.OpenLimited(t.Context(), filepath.Join(t.TempDir(), "ltm.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	require.NoError(t, limit(1)) // SQLite takes the size that the file has
	added, err := fill(t, store)
	require.ErrorIs(t, err, server.ErrFull)
	require.EqualValues(t, 1, store.Stats().Full)
	users, err := store.ListUsers(t.Context())
	require.NoError(t, err)
	require.Len(t, users, added, "the last one was not added")
	require.NoError(t, limit(1<<20))
	require.NoError(t, store.Ping(t.Context()))
	require.NoError(t, store.CreateUser(t.Context(), server.User{ID: "more", CreatedAt: time.Now()}))
	require.Zero(t, store.Stats().Purged)
	_, err = store.Purge(t.Context(), time.Now())
	require.NoError(t, err)
	require.NotZero(t, store.Stats().Purged)
}

// fill adds users until one is refused, and returns how many there are then.
func fill(t *testing.T, store server.Storage) (added int, err error) {
	t.Helper()
	for ; err == nil && added < 1000; added++ {
		err = store.CreateUser(t.Context(), server.User{ID: "u" + strconv.Itoa(added), CreatedAt: time.Now()})
	}
	return added - 1, err
}
