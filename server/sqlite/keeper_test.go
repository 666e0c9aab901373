package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/sqlite"
)

// checkpointed returns how many pages the journal has, and how many of them are in the file.
func checkpointed(t *testing.T, db *sql.DB, mode string) (pages, moved int) {
	t.Helper()
	var busy int
	require.NoError(t, db.QueryRow("PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &pages, &moved))
	return pages, moved
}

// other opens a file as another process does.
func other(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=wal_autocheckpoint(0)&_pragma=busy_timeout(5000)")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	db.SetMaxOpenConns(1)
	return db
}

// TestTheJournalBeginsAnew checks that the pages of a long journal are moved into the file without a pause of changes,
// and that it does not grow after that.
func TestTheJournalBeginsAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	users := 0
	change := func() {
		users++
		id := fmt.Sprint("u", users)
		require.NoError(t, store.CreateUser(t.Context(), server.User{ID: id, Name: id, CreatedAt: time.Now()}))
	}
	change() // there is no journal before
	db := other(t, path)
	_, err = db.Exec("CREATE TABLE large (v BLOB); INSERT INTO large VALUES (zeroblob(9000 * 4096))")
	require.NoError(t, err)
	pages, moved := checkpointed(t, db, "NOOP")
	require.Greater(t, pages, 9000)
	require.Less(t, moved, 100)
	for pages >= 1000 {
		change()
		pages, _ = checkpointed(t, db, "NOOP")
		require.Less(t, pages, 12_000, "long before a change would move the pages itself")
	}
	faults, err := store.Check(t.Context())
	require.NoError(t, err)
	require.Empty(t, faults)
	known, err := store.ListUsers(t.Context())
	require.NoError(t, err)
	require.Len(t, known, users)
}

// TestAPurgeWaitsForTheJournal checks that a purge succeeds while another process moves pages of the journal.
func TestAPurgeWaitsForTheJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	require.NoError(t, store.CreateUser(t.Context(), server.User{ID: "u", Name: "u", CreatedAt: time.Now()}))
	db := other(t, path)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			_, _ = db.ExecContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)")
		}
	}()
	for i := range 20 {
		id := fmt.Sprint("packet-", i)
		put(t, store, id, "SECRET", 20)
		require.NoError(t, store.DeletePacket(t.Context(), "u", id, "", time.Now()))
		_, err := store.Purge(t.Context(), time.Now().Add(time.Hour))
		require.NoError(t, err)
	}
	stop()
	<-ended
}
