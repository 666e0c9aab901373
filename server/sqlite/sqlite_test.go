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
	"ltm/server/sqlstore"
	"ltm/server/storagetest"
)

// fresh returns an opener of an empty database.
func fresh(t *testing.T) storagetest.Opener {
	path := filepath.Join(t.TempDir(), "a b%20?#.db")
	return func() server.Storage {
		store, err := sqlite.Open(t.Context(), path, sqlite.Options{BusyTimeout: time.Minute, Limit: 2 * time.Minute})
		require.NoError(t, err)
		return store
	}
}

func TestThreads(t *testing.T) { storagetest.RunThreads(t, fresh) }

func TestContract(t *testing.T) { storagetest.Run(t, fresh) }

// dumper returns an empty database.
func dumper(t *testing.T) storagetest.Dumper {
	s := fresh(t)()
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s.(storagetest.Dumper)
}

func TestDumps(t *testing.T) {
	t.Run("restored", func(t *testing.T) { storagetest.TestDumps(t, dumper, dumper, sqlstore.ErrNotEmpty) })
	t.Run("damaged", func(t *testing.T) { storagetest.TestDamagedDumps(t, dumper, sqlstore.ErrDamaged) })
	t.Run("made for benchmarks", func(t *testing.T) {
		s := dumper(t)
		require.NoError(t, s.Restore(t.Context(), storagetest.MemoryDump(t, "2,3,5")))
		require.Contains(t, storagetest.Dumped(t, s), `"name":"user-1"`)
	})
}

func TestRestoresKeepIndexes(t *testing.T) {
	var path string // of the file that was opened last
	fresh := func(t *testing.T) storagetest.Dumper {
		path = filepath.Join(t.TempDir(), "ltm.db")
		store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, store.Close()) })
		return store
	}
	storagetest.TestRestoresKeepIndexes(t, fresh, func() (all []string) {
		db, err := sql.Open("sqlite", path)
		require.NoError(t, err)
		rows, err := db.Query("SELECT tbl_name || ': ' || COALESCE(sql, name) FROM sqlite_schema " +
			"WHERE type = 'index' ORDER BY 1")
		require.NoError(t, err)
		for rows.Next() {
			var one string
			require.NoError(t, rows.Scan(&one))
			all = append(all, one)
		}
		require.NoError(t, errors.Join(rows.Err(), rows.Close(), db.Close()))
		return all
	})
}

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

// TestManyOpenAtOnce checks that of several servers which start at once, one makes the database.
func TestManyOpenAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ltm.db")
	storagetest.TestManyOpenAtOnce(t, func() (server.Storage, error) {
		return sqlite.Open(t.Context(), path, sqlite.Options{})
	})
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

// TestCheck checks that faults of each kind are found.
func TestCheck(t *testing.T) {
	for statement, says := range map[string]string{
		"UPDATE scopes SET bytes = bytes + 1 WHERE packets > 0":     "count other packets or bytes",
		"INSERT INTO scopes (packets, bytes) VALUES (0, 0)":         "belong to no one",
		"UPDATE packets SET scope = 99999 WHERE deleted IS NULL":    "are in no scope",
		"UPDATE packets SET goal = x'41' WHERE deleted IS NOT NULL": "have texts",
		"INSERT INTO terms VALUES (1, x'00', 0, x'00')":             "belong to no packet",
		"DELETE FROM terms":   "of the index are missing",
		"DELETE FROM members": "an owner who is not in them",
		"UPDATE teams SET deleted = 1 WHERE deleted IS NULL": "members are deleted",
	} {
		path := filepath.Join(t.TempDir(), "ltm.db")
		store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
		require.NoError(t, err)
		storagetest.Fill(t, store)
		raw(t, path, statement)
		faults, err := store.Check(t.Context())
		require.NoError(t, err)
		require.NoError(t, store.Close())
		require.Contains(t, strings.Join(faults, "\n"), says, statement)
	}
}

func TestVersions(t *testing.T) {
	storagetest.TestVersions(t, false, func(t *testing.T) (
		func(int64) int64, func(string), func() storagetest.Dumper) {
		path := filepath.Join(t.TempDir(), "ltm.db")
		var made, newest int64
		migrate := func(version int64) int64 {
			var err error
			newest, err = sqlite.MigrateTo(t.Context(), path, version)
			require.NoError(t, err)
			made = version
			return newest
		}
		return migrate, func(statements string) { raw(t, path, statements) }, func() storagetest.Dumper {
			store, err := sqlite.Open(t.Context(), path, sqlite.Options{})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, store.Close()) })
			if made > 0 && made < newest {
				require.FileExists(t, fmt.Sprintf("%s.before-%d", path, newest))
			}
			return store
		}
	})
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
