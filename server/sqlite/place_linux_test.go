package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/sqlite"
)

// TestNoRoomForLargeChanges has room for a small change alone, where a larger one failed: the server is not ready.
func TestNoRoomForLargeChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, limit, err := sqlite.OpenLimited(t.Context(), path)
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	require.NoError(t, limit(1))
	_, err = fill(t, store)
	require.ErrorIs(t, err, server.ErrFull)
	require.NoError(t, limit(1<<20))
	require.NoError(t, store.CreateUser(t.Context(), server.User{ID: "small", CreatedAt: time.Now()}))
	require.NoError(t, os.Symlink("/dev/full", path+".room"))
	require.ErrorIs(t, store.Ping(t.Context()), server.ErrFull)
	require.NoError(t, store.Ping(t.Context()), "there is room again")
	require.NoFileExists(t, path+".room")
}
