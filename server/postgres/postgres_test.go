package postgres_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/postgres"
	"ltm/server/postgres/pgtest"
	"ltm/server/sqlite"
	"ltm/server/sqlstore"
	"ltm/server/storagetest"
)

// fresh returns an opener of an empty database.
func fresh(t *testing.T) storagetest.Opener {
	url := pgtest.New(t)
	return func() server.Storage {
		store, err := postgres.Open(t.Context(), url, postgres.Options{Limit: 2 * time.Minute})
		require.NoError(t, err)
		return store
	}
}

// TestThreads uses a role that row-level security holds.
func TestThreads(t *testing.T) {
	storagetest.RunThreads(t, func(t *testing.T) storagetest.Opener {
		url := plain(t, pgtest.New(t))
		return func() server.Storage {
			store, err := postgres.Open(t.Context(), url, postgres.Options{Limit: 2 * time.Minute})
			require.NoError(t, err)
			return store
		}
	})
}

func TestContract(t *testing.T) { storagetest.Run(t, fresh) }

// dumper returns an empty database of Postgres.
func dumper(t *testing.T) storagetest.Dumper {
	s := fresh(t)()
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s.(storagetest.Dumper)
}

// file returns an empty file of SQLite.
func file(t *testing.T) storagetest.Dumper {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "ltm.db"), sqlite.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func TestDumps(t *testing.T) {
	for name, ends := range map[string][2]func(*testing.T) storagetest.Dumper{
		"within Postgres": {dumper, dumper}, "from a file": {file, dumper}, "to a file": {dumper, file},
	} {
		t.Run(name, func(t *testing.T) { storagetest.TestDumps(t, ends[0], ends[1], sqlstore.ErrNotEmpty) })
	}
	t.Run("as a plain role", func(t *testing.T) {
		held := func(t *testing.T) storagetest.Dumper { return opened(t, plain(t, pgtest.New(t))) }
		storagetest.TestDumps(t, dumper, held, sqlstore.ErrNotEmpty)
	})
	t.Run("damaged", func(t *testing.T) { storagetest.TestDamagedDumps(t, dumper, sqlstore.ErrDamaged) })
}

// opened opens a database.
func opened(t *testing.T, url string) storagetest.Dumper {
	t.Helper()
	s, err := postgres.Open(t.Context(), url, postgres.Options{Limit: 2 * time.Minute})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func TestRestoresKeepIndexes(t *testing.T) {
	var url string // of the database that was opened last
	fresh := func(t *testing.T) storagetest.Dumper {
		url = pgtest.New(t)
		return opened(t, url)
	}
	storagetest.TestRestoresKeepIndexes(t, fresh, func() []string {
		conn, err := pgx.Connect(t.Context(), url)
		require.NoError(t, err)
		defer func() { require.NoError(t, conn.Close(context.Background())) }()
		rows, err := conn.Query(t.Context(), "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1")
		require.NoError(t, err)
		all, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		return all
	})
}

// open opens a database.
func open(t *testing.T, url string) (server.Storage, error) {
	t.Helper()
	store, err := postgres.Open(t.Context(), url, postgres.Options{})
	if err != nil {
		require.Nil(t, store)
		return nil, err
	}
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return store, nil
}

// raw runs statements in a database.
func raw(t *testing.T, url string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	for _, statement := range statements {
		_, err := conn.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
}

func TestNewerDatabasesAreRefused(t *testing.T) {
	url := pgtest.New(t)
	store, err := postgres.Open(t.Context(), url, postgres.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Close())
	raw(t, url, "INSERT INTO ltm_migrations (version_id, is_applied) VALUES (9999, true)")
	_, err = open(t, url)
	require.ErrorIs(t, err, server.ErrNewer)
	require.ErrorContains(t, err, "9999")
}

func TestForeignDatabasesAreRefused(t *testing.T) {
	url := pgtest.New(t)
	raw(t, url, "CREATE TABLE packets (id int)", "CREATE TABLE goose_db_version (id int)")
	_, err := open(t, url)
	require.ErrorIs(t, err, postgres.ErrForeign)
	raw(t, url, "CREATE SCHEMA ours")
	_, err = open(t, url+"&search_path=ours")
	require.NoError(t, err, "a schema of its own")
	raw(t, url, "SELECT id FROM packets")
}

// TestManyOpenAtOnce checks that of several servers which start at once, one makes the tables.
func TestManyOpenAtOnce(t *testing.T) {
	url := pgtest.New(t)
	storagetest.TestManyOpenAtOnce(t, func() (server.Storage, error) {
		return postgres.Open(t.Context(), url, postgres.Options{})
	})
}

func TestAddresses(t *testing.T) {
	t.Setenv("PGHOST", "/nonexistent")
	for _, given := range []string{"", "nonsense", "postgres://ann:hunter2@127.0.0.1:notaport/x",
		"postgres://ann:hunter2@127.0.0.1:1/x?sslmode=disable", "postgres://ann:hunter2@127.0.0.1:1/x?sslmode=odd"} {
		_, err := open(t, given)
		require.Error(t, err, given)
		require.NotContains(t, err.Error(), "hunter2")
	}
}

// relay passes connections on to the cluster, until it hangs: then it takes what comes and answers nothing,
// as a node does that is gone.
type relay struct {
	url  string
	hung atomic.Bool
}

func newRelay(t *testing.T, to string) *relay {
	t.Helper()
	config, err := pgx.ParseConfig(to)
	require.NoError(t, err)
	network, address := pgconn.NetworkAddress(config.Host, config.Port)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	r := &relay{url: fmt.Sprintf("postgres://ltm@%s/%s?sslmode=disable", listener.Addr(), config.Database)}
	var all sync.WaitGroup
	var mu sync.Mutex
	conns := []io.Closer{listener}
	t.Cleanup(func() {
		mu.Lock()
		for _, c := range conns {
			_ = c.Close()
		}
		mu.Unlock()
		all.Wait()
	})
	pass := func(from, to net.Conn) {
		b := make([]byte, 1<<16)
		for {
			n, err := from.Read(b)
			if err != nil {
				_ = to.Close()
				return
			}
			if r.hung.Load() {
				continue
			}
			if _, err := to.Write(b[:n]); err != nil {
				return
			}
		}
	}
	all.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			node, err := net.Dial(network, address)
			if err != nil {
				_ = client.Close()
				continue
			}
			mu.Lock()
			conns = append(conns, client, node)
			mu.Unlock()
			all.Go(func() { pass(client, node) })
			all.Go(func() { pass(node, client) })
		}
	})
	return r
}

// TestDeadNode checks that a node which is gone costs no more than the limit, and that the server goes
// on when it is back.
func TestDeadNode(t *testing.T) {
	r := newRelay(t, pgtest.New(t))
	store, err := postgres.Open(t.Context(), r.url,
		postgres.Options{Limit: 2 * time.Second, ConnectTimeout: time.Second})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	u := server.User{ID: "u", CreatedAt: time.Unix(1, 0).UTC()}
	require.NoError(t, store.CreateUser(t.Context(), u))
	r.hung.Store(true)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			_, err := store.User(t.Context(), "u")
			assert.ErrorIs(t, err, server.ErrBusy)
			err = store.CreateUser(t.Context(), server.User{ID: "v", CreatedAt: time.Now()})
			assert.ErrorIs(t, err, server.ErrBusy)
		})
	}
	all.Wait()
	_, err = postgres.Open(t.Context(), r.url, postgres.Options{Limit: time.Second, ConnectTimeout: time.Second})
	require.Error(t, err)
	r.hung.Store(false)
	got, err := store.User(t.Context(), "u")
	require.NoError(t, err)
	require.Equal(t, u, got)
}

func TestVersions(t *testing.T) {
	storagetest.TestVersions(t, true, func(t *testing.T) (
		func(int64) int64, func(string), func() storagetest.Dumper) {
		url := pgtest.New(t)
		migrate := func(version int64) int64 {
			newest, err := postgres.MigrateTo(t.Context(), url, version)
			require.NoError(t, err)
			return newest
		}
		return migrate, func(statements string) { raw(t, url, statements) }, func() storagetest.Dumper {
			store, err := postgres.Open(t.Context(), url, postgres.Options{})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, store.Close()) })
			return store
		}
	})
}
