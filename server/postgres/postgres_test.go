package postgres_test

import (
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
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

// get returns what a server answers to a request with a token.
func get(s http.Handler, path, token string) (status int, body string) {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.RemoteAddr = "127.0.0.1:1"
	r.Header.Set("Authorization", "Bearer "+token)
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// TestDeadNode checks that a node which is gone costs no more than the limit and is told from one that is busy, and
// that the server goes on when it is back.
func TestDeadNode(t *testing.T) {
	url := pgtest.New(t)
	r := newRelay(t, url)
	store, err := postgres.Open(t.Context(), r.url,
		postgres.Options{Limit: 2 * time.Second, ConnectTimeout: time.Second})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	u := server.User{ID: "u", CreatedAt: time.Unix(1, 0).UTC()}
	require.NoError(t, store.CreateUser(t.Context(), u))
	require.NoError(t, store.CreateToken(t.Context(), server.Token{ID: "k", UserID: "u", Hash: server.Hash("token"),
		CreatedAt: u.CreatedAt}, 1))
	s, err := server.New(server.Options{Storage: store, Metrics: true})
	require.NoError(t, err)
	status, _ := get(s, "/readyz", "")
	require.Equal(t, http.StatusOK, status)
	r.hung.Store(true)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			_, err := store.User(t.Context(), "u")
			assert.ErrorIs(t, err, server.ErrAway)
			err = store.CreateUser(t.Context(), server.User{ID: "v", CreatedAt: time.Now()})
			assert.ErrorIs(t, err, server.ErrAway)
		})
	}
	for _, path := range []string{"/readyz", "/v1/packets"} {
		status, body := get(s, path, "token")
		require.Equal(t, http.StatusServiceUnavailable, status)
		require.Contains(t, body, "no-database", path)
	}
	all.Wait()
	require.Zero(t, store.Stats().Busy)
	_, body := get(s, "/metrics", "")
	require.Regexp(t, `ltm_database_errors_total\{kind="no-database"\} [1-9]`, body)
	_, err = postgres.Open(t.Context(), r.url, postgres.Options{Limit: time.Second, ConnectTimeout: time.Second})
	require.Error(t, err)
	r.hung.Store(false)
	got, err := store.User(t.Context(), "u")
	require.NoError(t, err)
	require.Equal(t, u, got)
	pgtest.Exec(t, url, "INSERT INTO ltm_migrations (version_id, is_applied) VALUES (9999, true)")
	require.ErrorContains(t, store.Ping(t.Context()), "version 9999", "the first one after a fault, too")
}

// TestBusyNode: a database that others hold up is busy, and the server is ready, also when all of its connections wait.
func TestBusyNode(t *testing.T) {
	url := pgtest.New(t)
	store, err := postgres.Open(t.Context(), url, postgres.Options{Limit: 3 * time.Second, MaxConns: 4})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE")
	require.NoError(t, err)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			_, err := store.User(t.Context(), "u")
			assert.ErrorIs(t, err, server.ErrBusy)
			assert.NotErrorIs(t, err, server.ErrAway)
		})
	}
	for store.Stats().InUse < 4 && store.Stats().Busy == 0 {
		runtime.Gosched()
	}
	require.NoError(t, store.Ping(t.Context()))
	all.Wait()
	require.Zero(t, store.Stats().Away)
	require.NoError(t, conn.Close(t.Context()))
}

// TestNoMoreConnections: a database that takes no more connections is busy, not gone: it has answered.
func TestNoMoreConnections(t *testing.T) {
	root := pgtest.New(t)
	role := "ltm_few_" + strings.ToLower(rand.Text()[:16])
	pgtest.Exec(t, root, "CREATE ROLE "+role+" LOGIN PASSWORD 'few'", "GRANT ALL ON SCHEMA public TO "+role)
	t.Cleanup(func() { pgtest.Exec(t, root, "DROP OWNED BY "+role+" CASCADE", "DROP ROLE "+role) })
	u, err := url.Parse(root)
	require.NoError(t, err)
	u.User = url.UserPassword(role, "few")
	store, err := postgres.Open(t.Context(), u.String(), postgres.Options{Limit: time.Second, MaxConns: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	_, err = store.User(t.Context(), "u")
	require.ErrorIs(t, err, server.ErrNotFound)
	conn, err := pgx.Connect(t.Context(), root)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "ALTER ROLE "+role+" CONNECTION LIMIT 0")
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), "BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE")
	require.NoError(t, err)
	var all sync.WaitGroup
	for range 4 { // one has the connection, the others wait for it
		all.Go(func() {
			_, err := store.User(t.Context(), "u")
			assert.ErrorIs(t, err, server.ErrBusy)
		})
	}
	all.Wait()
	require.NoError(t, conn.Close(t.Context()))
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
