package storagetest_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"ltm/server/postgres"
	"ltm/server/postgres/pgtest"
	"ltm/server/sqlite"
	"ltm/server/sqlstore"
)

// database is a place for one database.
type database interface {
	// open opens it; called again, it opens the same one, as a second server does.
	open(ctx context.Context) (*sqlstore.Store, error)
	// copy returns a copy of it while nothing has it open.
	copy(t *testing.T) database
	// exec runs statements in it, past the server.
	exec(t *testing.T, statements ...string)
	// indexes returns what makes its indexes.
	indexes(t *testing.T) []string
	// migrate brings an empty or older database to a version, as the program of that version did. With 0 it only
	// returns the newest version. Migrations of programs to come may be given by their versions.
	migrate(t *testing.T, version int64, next ...map[int64]string) (newest int64)
}

// fresh returns an empty database.
type fresh func(t *testing.T) database

// onEach runs a test on each kind of database. "-run /SQLite" and "-run /Postgres" run all tests on one of them.
func onEach(t *testing.T, run func(t *testing.T, empty fresh)) {
	t.Run("SQLite", func(t *testing.T) { run(t, newSQLite) })
	t.Run("Postgres", func(t *testing.T) { run(t, newPostgres) })
}

// copies returns copies of one database with all tables: they are made much faster than the tables.
func copies(t *testing.T, empty fresh) fresh {
	d := empty(t)
	store, err := d.open(t.Context())
	require.NoError(t, err)
	require.NoError(t, store.Close())
	return d.copy
}

// opened opens a database until the end of the test.
func opened(t *testing.T, d database) *sqlstore.Store {
	t.Helper()
	store, err := d.open(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return store
}

// sqliteFile is the path of a file.
type sqliteFile string

func newSQLite(t *testing.T) database { return sqliteFile(filepath.Join(t.TempDir(), "a b%20?#.db")) }

func (f sqliteFile) open(ctx context.Context) (*sqlstore.Store, error) {
	return sqlite.Open(ctx, string(f), sqlite.Options{BusyTimeout: time.Minute, Limit: 2 * time.Minute})
}

func (f sqliteFile) copy(t *testing.T) database {
	data, err := os.ReadFile(string(f))
	require.NoError(t, err)
	to := newSQLite(t).(sqliteFile)
	require.NoError(t, os.WriteFile(string(to), data, 0o600))
	return to
}

// connect returns a connection of another process, as it were.
func (f sqliteFile) connect(t *testing.T) *sql.DB {
	t.Helper()
	path := filepath.ToSlash(string(f))
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive of Windows
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path}).String())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func (f sqliteFile) exec(t *testing.T, statements ...string) {
	t.Helper()
	db := f.connect(t)
	for _, statement := range statements {
		_, err := db.Exec(statement)
		require.NoError(t, err)
	}
	require.NoError(t, db.Close())
}

func (f sqliteFile) indexes(t *testing.T) (all []string) {
	t.Helper()
	db := f.connect(t)
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
}

func (f sqliteFile) migrate(t *testing.T, version int64, next ...map[int64]string) (newest int64) {
	t.Helper()
	if version > 0 {
		f.exec(t, fmt.Sprint("PRAGMA application_id = ", 0x6c746d73))
	}
	return migrate(t, goose.DialectSQLite3, f.connect(t), "sqlite", version, next)
}

// postgresURL is the URL of a database.
type postgresURL string

func newPostgres(t *testing.T) database { return postgresURL(pgtest.New(t)) }

// newPlainPostgres returns a database whose URL has a role that row-level security holds.
func newPlainPostgres(t *testing.T) database { return postgresURL(pgtest.Plain(t, pgtest.New(t))) }

func (u postgresURL) open(ctx context.Context) (*sqlstore.Store, error) {
	return postgres.Open(ctx, string(u), postgres.Options{Limit: 2 * time.Minute})
}

func (u postgresURL) copy(t *testing.T) database { return postgresURL(pgtest.Copy(t, string(u))) }

func (u postgresURL) connect(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), string(u))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close(context.Background())) })
	return conn
}

func (u postgresURL) exec(t *testing.T, statements ...string) {
	t.Helper()
	pgtest.Exec(t, string(u), statements...)
}

func (u postgresURL) indexes(t *testing.T) []string {
	t.Helper()
	rows, err := u.connect(t).Query(t.Context(),
		"SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1")
	require.NoError(t, err)
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return all
}

func (u postgresURL) migrate(t *testing.T, version int64, next ...map[int64]string) (newest int64) {
	t.Helper()
	config, err := pgx.ParseConfig(string(u))
	require.NoError(t, err)
	return migrate(t, goose.DialectPostgres, stdlib.OpenDB(*config), "postgres", version, next)
}

// migrate runs the migrations of a package, and those to come, up to a version, and closes the database.
func migrate(t *testing.T, dialect goose.Dialect, db *sql.DB, pkg string, version int64, next []map[int64]string) (
	newest int64) {
	t.Helper()
	files := fstest.MapFS{}
	names, err := filepath.Glob(filepath.Join("..", pkg, "migrations", "*.sql"))
	require.NoError(t, err)
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		files["migrations/"+filepath.Base(name)] = &fstest.MapFile{Data: data}
	}
	for _, some := range next {
		for version, statements := range some {
			name := fmt.Sprintf("migrations/%04d_next.sql", version)
			files[name] = &fstest.MapFile{Data: []byte("-- +goose Up\n" + statements)}
		}
	}
	m, err := sqlstore.NewMigrations(dialect, db, files)
	require.NoError(t, err)
	if version > 0 {
		require.NoError(t, m.Up(t.Context(), version))
	}
	require.NoError(t, db.Close())
	return m.Newest
}
