package sqlite_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/sqlite"
	"ltm/server/sqlstore"
)

// TestTextsAreGone checks that the file holds nothing of what was deleted or replaced after a purge.
func TestTextsAreGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	ctx, at := t.Context(), time.Now()
	require.NoError(t, store.CreateUser(ctx, server.User{ID: "u", Name: "u", CreatedAt: at}))
	const packets = 200
	for i := range packets { // of all sizes, so that they are in pages of their own and in shared ones
		put(t, store, fmt.Sprintf("replaced-%04d", i), "SECRETONE", (i*37)%800)
		put(t, store, fmt.Sprintf("deleted-%04d", i), "SECRETTWO", (i*37)%800)
		put(t, store, fmt.Sprintf("kept-%04d", i), "KEPTTEXT", (i*37)%800)
	}
	for i := range packets {
		put(t, store, fmt.Sprintf("replaced-%04d", i), "other", (i*13)%300)
		require.NoError(t, store.DeletePacket(ctx, "u", fmt.Sprintf("deleted-%04d", i), "", at))
	}
	gone(t, store, path)
}

// TestGhostsAreGone checks it for what SQLite leaves in the gap of a page when it moves a row to another
// page: secure_delete does not overwrite that copy when the row is deleted.
func TestGhostsAreGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, store.CreateUser(t.Context(), server.User{ID: "u", Name: "u", CreatedAt: time.Now()}))
	put(t, store, "kept-packet", "KEPTTEXT", 3)
	require.NoError(t, store.Close())
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	const page = 4096
	planted := 0
	for at := page; at < len(file); at += page {
		p := file[at : at+page]
		cells, content := int(binary.BigEndian.Uint16(p[3:])), int(binary.BigEndian.Uint16(p[5:]))
		if gap := 8 + 2*cells; p[0] == 0x0d && cells > 0 && content-gap > 100 { // a leaf of a table
			copy(p[gap+50:], "SECRET")
			planted++
		}
	}
	require.Positive(t, planted)
	require.NoError(t, os.WriteFile(path, file, 0o600))
	store, err = sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	faults, err := store.Check(t.Context())
	require.NoError(t, err)
	require.Empty(t, faults, "what is in a gap is no fault")
	gone(t, store, path)
}

// gone purges, and checks that no file has the texts that are to be gone.
func gone(t *testing.T, store *sqlstore.Store, path string) {
	t.Helper()
	_, err := store.Purge(t.Context(), time.Now().Add(time.Hour))
	require.NoError(t, err)
	files, err := filepath.Glob(path + "*")
	require.NoError(t, err)
	require.Len(t, files, 4, "the file, its journal, the journal's index, the lock")
	var all []byte
	for _, name := range files {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		all = append(all, b...)
	}
	require.Contains(t, string(all), "KEPTTEXT", "the test would see texts")
	require.Zero(t, bytes.Count(all, []byte("SECRET")))
}

// put puts a packet with a text, which it repeats.
func put(t *testing.T, store *sqlstore.Store, id, text string, size int) {
	t.Helper()
	at := time.Now()
	p := server.PutPacket{Caller: "u", ID: id, Goal: text + " goal", Created: at, At: at,
		Body: []byte(text + strings.Repeat(" "+text, size)), Words: []string{text}, Tags: []string{text}}
	_, err := store.PutPacket(t.Context(), p, server.Quota{Packets: 1 << 20, Bytes: 1 << 40})
	require.NoError(t, err)
}

// TestAPurgeThatCannotScrubSaysSo checks what a reader does to it that stays.
func TestAPurgeThatCannotScrubSaysSo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{BusyTimeout: 50 * time.Millisecond})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	require.NoError(t, store.CreateUser(t.Context(), server.User{ID: "u", CreatedAt: time.Now()}))
	release := reading(t, path)
	_, err = store.Purge(t.Context(), time.Now())
	require.ErrorIs(t, err, server.ErrBusy)
	require.ErrorContains(t, err, "may still have")
	release()
	_, err = store.Purge(t.Context(), time.Now())
	require.NoError(t, err)
}

// reading begins to read a file, and returns what ends it.
func reading(t *testing.T, path string) (release func()) {
	t.Helper()
	db, conn := connected(t, path)
	for _, statement := range []string{"BEGIN", "SELECT count(*) FROM users"} {
		_, err := conn.ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	return func() {
		_, err := conn.ExecContext(t.Context(), "ROLLBACK")
		require.NoError(t, err)
		require.NoError(t, conn.Close())
		require.NoError(t, db.Close())
	}
}
