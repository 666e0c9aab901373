package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/sqlite"
)

// open opens a file.
func open(t *testing.T, path string) (server.Storage, error) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		require.Nil(t, store)
		return nil, err
	}
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return store, nil
}

// raw runs a statement on a file.
func raw(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	for _, statement := range statements {
		_, err := db.Exec(statement)
		require.NoError(t, err)
	}
}

func TestFilesAreTheirOwnersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes")
	}
	dir := filepath.Join(t.TempDir(), "new", "place")
	path := filepath.Join(dir, "ltm.db")
	store, err := open(t, path)
	require.NoError(t, err)
	require.NoError(t, store.CreateUser(t.Context(), server.User{ID: "u", CreatedAt: time.Now()}))
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Greater(t, len(entries), 2, "the journal is there, too")
	for _, e := range entries {
		info, err := e.Info()
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode(), e.Name())
	}
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())

	require.NoError(t, os.Chmod(path, 0o644))
	_, err = open(t, path)
	require.NoError(t, err)
	info, err = os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode(), "what was wider is no longer")
}

func TestMustExist(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "ltm.db")
	_, err := sqlite.Open(t.Context(), path, sqlite.Options{MustExist: true})
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.NoDirExists(t, filepath.Dir(path))
}

// TestForeignFilesAreRefused checks that what is not ours stays as it is.
func TestForeignFilesAreRefused(t *testing.T) {
	for name, make := range map[string]func(t *testing.T, path string){
		"text": func(t *testing.T, path string) {
			require.NoError(t, os.WriteFile(path, []byte(strings.Repeat("not a database\n", 99)), 0o644))
		},
		"short": func(t *testing.T, path string) { require.NoError(t, os.WriteFile(path, []byte("x"), 0o644)) },
		"another program's": func(t *testing.T, path string) {
			raw(t, path, "PRAGMA application_id = 77", "CREATE TABLE packets (id)")
		},
		"another program's without an id": func(t *testing.T, path string) {
			raw(t, path, "CREATE TABLE packets (id)")
		},
		"another program's, empty": func(t *testing.T, path string) {
			raw(t, path, "PRAGMA application_id = 77")
		},
		"cut off": func(t *testing.T, path string) {
			_, err := open(t, path)
			require.NoError(t, err)
			raw(t, path, "PRAGMA wal_checkpoint(TRUNCATE)")
			require.NoError(t, os.Truncate(path, 4096+100))
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			make(t, path)
			if name == "cut off" {
				path = copied(t, path)
			}
			require.NoError(t, os.Chmod(path, 0o644))
			before, err := os.ReadFile(path)
			require.NoError(t, err)
			_, err = open(t, path)
			require.ErrorIs(t, err, sqlite.ErrForeign)
			require.ErrorContains(t, err, path)
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, before, after)
			info, err := os.Stat(path)
			require.NoError(t, err)
			if runtime.GOOS != "windows" {
				require.Equal(t, os.FileMode(0o644), info.Mode())
			}
		})
	}
	_, err := open(t, t.TempDir())
	require.Error(t, err, "a directory")
}

// copied copies a file.
func copied(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	to := filepath.Join(t.TempDir(), "copy")
	require.NoError(t, os.WriteFile(to, b, 0o600))
	return to
}

func TestNewerFilesAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Close())
	raw(t, path, "INSERT INTO ltm_migrations (version_id, is_applied) VALUES (9999, 1)")
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	_, err = open(t, path)
	require.ErrorIs(t, err, server.ErrNewer)
	require.ErrorContains(t, err, "9999")
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, before, after)
}

// connected returns a connection of another process, as it were.
func connected(t *testing.T, path string) (*sql.DB, *sql.Conn) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	return db, conn
}

// TestBusy checks what another process does to ours that holds the database for long.
func TestBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{BusyTimeout: 50 * time.Millisecond})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	db, conn := connected(t, path)
	defer func() { require.NoError(t, db.Close()) }()
	_, err = conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	require.NoError(t, err)
	user := server.User{ID: "u", CreatedAt: time.Now()}
	require.ErrorIs(t, store.CreateUser(t.Context(), user), server.ErrBusy)
	require.NoError(t, store.Ping(t.Context()), "reading goes on")
	_, err = conn.ExecContext(t.Context(), "ROLLBACK")
	require.NoError(t, err)
	require.NoError(t, store.CreateUser(t.Context(), user))
	require.NoError(t, conn.Close())
}

// TestTheFirstChangeWaits: it switches a new file to another journal, for which SQLite itself waits for no one.
func TestTheFirstChangeWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{BusyTimeout: time.Minute, Limit: time.Minute})
	require.NoError(t, err)
	db, conn := connected(t, path)
	_, err = conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	require.NoError(t, err)
	done := make(chan error, 1)
	idle := store.Stats().Open
	go func() { done <- store.CreateUser(t.Context(), server.User{ID: "u", CreatedAt: time.Now()}) }()
	for store.Stats().Open == idle && len(done) == 0 {
		runtime.Gosched()
	}
	for range 100 { // while it waits
		require.NoError(t, store.Ping(t.Context()))
	}
	_, err = conn.ExecContext(t.Context(), "ROLLBACK")
	require.NoError(t, err)
	require.NoError(t, <-done)
	require.NoError(t, errors.Join(conn.Close(), db.Close(), store.Close()))
}

// TestReadersDoNotWait checks that who only reads is let in while another process has the file for itself,
// as during a purge: the note of a token's use is left out.
func TestReadersDoNotWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{BusyTimeout: time.Minute, Limit: time.Minute})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	at, hash := time.Now(), server.Hash("token")
	require.NoError(t, store.CreateUser(t.Context(), server.User{ID: "u", CreatedAt: at}))
	require.NoError(t, store.CreateToken(t.Context(), server.Token{ID: "k", UserID: "u", Hash: hash, CreatedAt: at}, 1))
	db, conn := connected(t, path)
	defer func() { require.NoError(t, db.Close()) }()
	_, err = conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, user, err := store.Authenticate(ctx, hash, at)
	require.NoError(t, err)
	require.Equal(t, "u", user.ID)
	require.NoError(t, ctx.Err(), "it waited for the other process")
	_, err = conn.ExecContext(t.Context(), "ROLLBACK")
	require.NoError(t, err)
	require.NoError(t, conn.Close())
}

// TestACopyBeforeEachMigration checks that a file of an older version is copied before it is changed.
func TestACopyBeforeEachMigration(t *testing.T) {
	newest, err := sqlite.MigrateTo(t.Context(), filepath.Join(t.TempDir(), "ltm.db"), 0)
	require.NoError(t, err)
	for version := int64(1); version < newest; version++ {
		path := filepath.Join(t.TempDir(), "ltm.db")
		_, err := sqlite.MigrateTo(t.Context(), path, version)
		require.NoError(t, err)
		_, err = open(t, path)
		require.NoError(t, err)
		require.FileExists(t, fmt.Sprintf("%s.before-%d", path, newest))
	}
}

// TestCopiesBeforeMigrations checks that each is a database of its own, and that none is overwritten.
func TestCopiesBeforeMigrations(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, store.Close()) }()
	for n, name := range []string{".before-7", ".before-7.2", ".before-7.3"} {
		require.NoError(t, store.CreateUser(t.Context(), server.User{ID: fmt.Sprint(n), CreatedAt: time.Now()}))
		require.NoError(t, sqlite.SetAside(t.Context(), path, 7))
		info, err := os.Stat(path + name)
		require.NoError(t, err)
		if runtime.GOOS != "windows" {
			require.Equal(t, os.FileMode(0o600), info.Mode())
		}
		copied, err := sqlite.Open(t.Context(), path+name, sqlite.Options{MustExist: true})
		require.NoError(t, err)
		users, err := copied.ListUsers(t.Context())
		require.NoError(t, err)
		require.Len(t, users, n+1)
		require.NoError(t, copied.Close())
	}
}
