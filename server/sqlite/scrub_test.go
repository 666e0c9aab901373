package sqlite_test

import (
	"bytes"
	"crypto/sha256"
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
		put(t, store, "", fmt.Sprintf("replaced-%04d", i), "SECRETONE", (i*37)%800)
		put(t, store, "", fmt.Sprintf("deleted-%04d", i), "SECRETTWO", (i*37)%800)
		put(t, store, "", fmt.Sprintf("kept-%04d", i), "KEPTTEXT", (i*37)%800)
	}
	for i := range packets {
		put(t, store, "", fmt.Sprintf("replaced-%04d", i), "other", (i*13)%300)
		require.NoError(t, store.DeletePacket(ctx, "u", fmt.Sprintf("deleted-%04d", i), "", at))
	}
	gone(t, store, path)
}

// TestShortTextsAreGone checks it for many short texts, which SQLite moves between pages as others grow,
// and leaves copies of.
func TestShortTextsAreGone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	require.NoError(t, store.Restore(t.Context(), strings.NewReader(teams(2, 3000))))
	for i := 1; i < 1600; i += 2 { // they grow, so that what is beside them has to move
		put(t, store, "team1", fmt.Sprintf("p%d", i), "KEPTTEXT", 20+i%80)
	}
	require.NoError(t, store.DeleteTeam(t.Context(), "u", "team0", time.Now()))
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

// teams returns a dump with packets of teams, in turn. Those of the last are kept.
func teams(n, packets int) string {
	var b strings.Builder
	rows, of := 0, make([][2]int, n)
	line := func(format string, args ...any) {
		fmt.Fprintf(&b, format+"\n", args...)
		rows++
	}
	text := func(i int) string {
		name := "SECRET"
		if i%n == n-1 {
			name = "KEPTTEXT"
		}
		return strings.Repeat(name+" ", 3+i%29)
	}
	for i := range packets {
		of[i%n][0]++
		of[i%n][1] += len(text(i))
	}
	line(`{"format":"ltm-server-dump","version":1}`)
	line(`{"scope":{"seq":1,"packets":0,"bytes":0,"deleted":null}}`)
	for i, has := range of {
		line(`{"scope":{"seq":%d,"packets":%d,"bytes":%d,"deleted":null}}`, i+2, has[0], has[1])
	}
	line(`{"user":{"id":"u","scope":1,"name":"","email":"","display":"","created":1,"deleted":null}}`)
	for i := range n {
		line(`{"team":{"id":"t%d","scope":%d,"name":"team%[1]d","owner_id":"u","created":1,"deleted":null}}`, i, i+2)
		line(`{"member":{"team_id":"t%d","user_id":"u","joined":1}}`, i)
	}
	for i := range packets {
		line(`{"packet":{"scope":%d,"id":"p%d","author_id":"u","parent":"","version":"%s","goal":"","project":"",`+
			`"tags":[],"created":1,"stored":1,"deleted":null,"terms":"","body":"%s"}}`,
			i%n+2, i, sqlstore.Version([]byte(text(i))), text(i))
	}
	return b.String() + fmt.Sprintf(`{"end":{"rows":%d,"sha256":"%x"}}`+"\n", rows-1, sha256.Sum256([]byte(b.String())))
}

// put puts a packet with a text, which it repeats.
func put(t *testing.T, store *sqlstore.Store, team, id, text string, size int) {
	t.Helper()
	at := time.Now()
	p := server.PutPacket{Caller: "u", Team: team, ID: id, Goal: text + " goal", Created: at, At: at,
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
