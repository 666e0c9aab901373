package postgres_test

import (
	"errors"
	"fmt"
	"io"
	"net"
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
	"ltm/server/sqlstore"
)

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

func TestNewerDatabasesAreRefused(t *testing.T) {
	url := pgtest.New(t)
	store, err := postgres.Open(t.Context(), url, postgres.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Close())
	pgtest.Exec(t, url, "INSERT INTO ltm_migrations (version_id, is_applied) VALUES (9999, true)")
	_, err = open(t, url)
	require.ErrorIs(t, err, server.ErrNewer)
	require.ErrorContains(t, err, "9999")
}

func TestForeignDatabasesAreRefused(t *testing.T) {
	url := pgtest.New(t)
	pgtest.Exec(t, url, "CREATE TABLE packets (id int)", "CREATE TABLE goose_db_version (id int)")
	_, err := open(t, url)
	require.ErrorIs(t, err, postgres.ErrForeign)
	pgtest.Exec(t, url, "CREATE SCHEMA ours")
	_, err = open(t, url+"&search_path=ours")
	require.NoError(t, err, "a schema of its own")
	pgtest.Exec(t, url, "SELECT id FROM packets")
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

// cannot reports whether an error is that of a node that does not answer: it may be busy, or be gone.
func cannot(err error) bool { return errors.Is(err, server.ErrBusy) || errors.Is(err, server.ErrAway) }

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
			assert.Condition(t, func() bool { return cannot(err) }, "%v", err)
			err = store.CreateUser(t.Context(), server.User{ID: "v", CreatedAt: time.Now()})
			assert.Condition(t, func() bool { return cannot(err) }, "%v", err)
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

// TestFaults tells a full disk and a lost database from one that is busy.
func TestFaults(t *testing.T) {
	for code, want := range map[string]sqlstore.Fault{"53100": sqlstore.Full, "25006": sqlstore.Away,
		"57P01": sqlstore.Away, "3D000": sqlstore.Away, "08006": sqlstore.Away, "28P01": sqlstore.Away,
		"53300": sqlstore.Busy, "55P03": sqlstore.Busy, "57014": sqlstore.Busy, "40001": sqlstore.Lost,
		"23505": sqlstore.Twice, "42601": sqlstore.Broken, "": sqlstore.Broken} {
		require.Equal(t, want, postgres.Classify(fmt.Errorf("change: %w", &pgconn.PgError{Code: code})), code)
	}
	require.Equal(t, sqlstore.Away, postgres.Classify(io.ErrUnexpectedEOF))
}
