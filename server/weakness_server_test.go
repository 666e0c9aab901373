package server_test

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/sqlite"
)

// stall opens a connection and sends the beginning of a request with a body.
func stall(t *testing.T, p *place, token string) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "POST /v1/packets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"+
		"Content-Length: 100\r\n\r\n{", token)
	require.NoError(t, err)
	return conn, bufio.NewReader(conn)
}

func TestWeakness7StalledBodies(t *testing.T) {
	p := start(t, func(o *server.Options) { o.BodyTime = 20 * time.Millisecond })
	_, ann := p.newUser("ann")
	_, r := stall(t, p, ann)
	resp, err := http.ReadResponse(r, nil)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	require.Equal(t, http.StatusRequestTimeout, resp.StatusCode)
	require.Empty(t, p.list("/v1/packets", "packets", ann))
}

func TestWeakness7NoTimeLimits(t *testing.T) {
	s := server.HTTPServer(http.NotFoundHandler(), discard())
	require.Positive(t, s.ReadHeaderTimeout)
	require.LessOrEqual(t, s.ReadHeaderTimeout, 10*time.Second)
	require.LessOrEqual(t, s.ReadTimeout, 30*time.Second)
	require.Positive(t, s.ReadTimeout)
	require.LessOrEqual(t, s.WriteTimeout, 30*time.Second)
	require.Positive(t, s.WriteTimeout)
	require.Positive(t, s.IdleTimeout)
	require.LessOrEqual(t, s.MaxHeaderBytes, 64<<10)
}

func TestWeakness7WrongTokens(t *testing.T) {
	p := start(t, func(o *server.Options) { o.FailureRate = server.Rate{PerSecond: 0.1, Burst: 3} })
	_, ann := p.newUser("ann")
	_, bob := p.newUser("bob")
	p.ok(200, "GET /v1/packets", request{token: ann})
	for range 3 {
		p.ok(401, "GET /v1/packets", request{token: "wrong"})
	}
	a := p.ok(429, "GET /v1/packets", request{token: "wrong"})
	require.Equal(t, "10", a.header.Get("Retry-After"))
	p.ok(200, "GET /v1/packets", request{token: bob}) // who has a token is not locked out by who guesses
	p.ok(200, "GET /v1/packets", request{token: ann})
	p.clock.advance(10 * time.Second)
	p.ok(401, "GET /v1/packets", request{token: "wrong"})
	p.ok(429, "GET /v1/packets", request{token: "wrong"})
}

// TestWrongCodesHaveTheirOwnBudget guesses the codes of invites and devices beside those who have right ones.
func TestWrongCodesHaveTheirOwnBudget(t *testing.T) {
	p := start(t, func(o *server.Options) { o.FailureRate = server.Rate{PerSecond: 0.1, Burst: 3} })
	_, ann := p.newUser("ann")
	p.ok(201, "POST /v1/teams", request{token: ann, body: `{"name":"alpha"}`})
	code := p.invite("alpha", ann)
	device, user := p.device()
	none := strings.Repeat("0", 48)
	for range 5 {
		p.do("GET /v1/packets", request{token: "wrong"})
	}
	p.ok(410, "GET /v1/invites/"+none, request{})
	p.ok(410, "POST /v1/invites/"+none+"/accept", request{})
	p.ok(410, "GET /v1/invites/"+none, request{})
	p.ok(429, "GET /v1/invites/"+none, request{})
	p.ok(429, "POST /v1/invites/"+none+"/accept", request{})
	p.ok(429, "POST /oauth/token", request{body: grant(none)}) // counted with the tokens
	p.decide(p.signIn(ann), "approve", user, 200)
	p.ok(200, "POST /oauth/token", request{body: grant(device)})
	p.ok(200, "GET /v1/invites/"+code, request{})
	p.ok(201, "POST /v1/invites/"+code+"/accept", request{})
}

func TestWeakness7TooManyRequests(t *testing.T) {
	p := start(t, func(o *server.Options) { o.TokenRate = server.Rate{PerSecond: 1, Burst: 2} })
	_, ann := p.newUser("ann")
	_, bob := p.newUser("bob")
	p.ok(200, "GET /v1/packets", request{token: ann})
	p.ok(200, "GET /v1/packets", request{token: ann})
	require.Equal(t, "1", p.ok(429, "GET /v1/packets", request{token: ann}).header.Get("Retry-After"))
	p.ok(200, "GET /v1/packets", request{token: bob})
	p.clock.advance(time.Second)
	p.ok(200, "GET /v1/packets", request{token: ann})
}

func TestWeakness7TooManyRequestsFromAnAddress(t *testing.T) {
	p := start(t, func(o *server.Options) {
		o.AddressRate = server.Rate{PerSecond: 1, Burst: 2}
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	from := func(addr string) int {
		return p.do("GET /v1/healthz", request{header: map[string]string{"X-Forwarded-For": addr}}).status
	}
	require.Equal(t, 200, from("192.0.2.1"))
	require.Equal(t, 200, from("192.0.2.1"))
	require.Equal(t, 429, from("192.0.2.1"))
	require.Equal(t, 429, from("203.0.113.9, 192.0.2.1"), "what is left of the nearest hop, anyone may write")
	require.Equal(t, 200, from("192.0.2.1, 203.0.113.9"))
	require.Equal(t, 200, from("2001:db8::1"))
	require.Equal(t, 200, from("2001:db8::2"), "one client has the whole /64")
	require.Equal(t, 429, from("2001:db8::3"))
	require.Equal(t, 200, from("2001:db8:0:1::3"))
	require.Equal(t, 429, from("::ffff:192.0.2.1"))
}

// TestWeakness7MemoryOfLimits floods a server from more addresses than it remembers.
func TestWeakness7MemoryOfLimits(t *testing.T) {
	p := start(t, func(o *server.Options) {
		o.AddressRate = server.Rate{PerSecond: 0.001, Burst: 1}
	})
	from := func(i int) int {
		r := httptest.NewRequest("GET", "/v1/healthz", nil)
		r.RemoteAddr = fmt.Sprintf("10.%d.%d.%d:1", i>>16, i>>8&0xff, i&0xff)
		w := httptest.NewRecorder()
		p.srv.ServeHTTP(w, r)
		return w.Code
	}
	require.Equal(t, 200, from(0))
	require.Equal(t, 429, from(0))
	for i := range server.MaxLimited {
		require.Equal(t, 200, from(i+1))
	}
	require.Equal(t, 429, from(server.MaxLimited))
	require.Equal(t, 200, from(0), "who was quiet for longest is forgotten")
}

// gate is a database that holds up lists until it is opened.
type gate struct {
	server.Storage
	entered chan struct{}
	open    chan struct{}
}

func (g *gate) ListPackets(ctx context.Context, q server.PacketQuery) ([]server.PacketEntry, error) {
	close(g.entered)
	<-g.open
	return g.Storage.ListPackets(ctx, q)
}

func TestWeakness7ShutdownFinishesWhatRuns(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	g := &gate{p.store, make(chan struct{}), make(chan struct{})}
	h, err := server.New(server.Options{Storage: g, Now: p.clock.now})
	require.NoError(t, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- server.Serve(ctx, server.HTTPServer(h, discard()), l, server.Grace) }()

	q := &place{t: t, url: "http://" + l.Addr().String(), http: p.http}
	answered := make(chan int)
	go func() {
		a, _ := q.try("GET /v1/packets", request{token: ann})
		answered <- a.status
	}()
	<-g.entered
	stop()
	require.Eventually(t, func() bool { // what is new is refused
		conn, err := net.Dial("tcp", l.Addr().String())
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	}, time.Minute, time.Millisecond)
	select {
	case <-ended:
		require.Fail(t, "it did not wait")
	default:
	}
	close(g.open)
	require.Equal(t, 200, <-answered)
	require.NoError(t, <-ended)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/readyz", nil))
	require.Equal(t, 503, w.Code)
}

func TestWeakness7ShutdownCutsOffWhoStalls(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- server.Serve(ctx, server.HTTPServer(p.srv, discard()), l, time.Millisecond) }()
	q := &place{t: t, url: "http://" + l.Addr().String(), http: p.http}
	_, r := stall(t, q, ann)
	q.ok(200, "GET /v1/healthz", request{}) // so the stalled one was let in as well
	stop()
	require.NoError(t, <-ended)
	_, err = r.ReadByte()
	require.Error(t, err)
}

func TestWeakness8PushWhileTheTeamIsDeleted(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	for i := range 20 {
		p.ok(201, "POST /v1/teams", request{token: ann, body: `{"name":"alpha"}`})
		var wg sync.WaitGroup
		for j := range 4 {
			wg.Go(func() {
				a, err := p.try("POST /v1/packets?team=alpha", request{token: ann,
					body: packetText(fmt.Sprintf("packet-%d-%d", i, j), "Go on.")})
				if err == nil && a.status != 201 && a.status != 404 {
					t.Errorf("status %d: %s", a.status, a.body)
				}
			})
		}
		wg.Go(func() { _, _ = p.try("DELETE /v1/teams/alpha", request{token: ann}) })
		wg.Wait()
	}
	require.Empty(t, p.list("/v1/packets", "packets", ann), "none came back as a personal one")
}

func TestWeakness8LockedDatabase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), file, sqlite.Options{BusyTimeout: time.Millisecond})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	p := over(t, store)
	_, ann := p.newUser("ann")
	p.ok(200, "GET /v1/packets", request{token: ann})

	other, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	defer func() { require.NoError(t, other.Close()) }()
	conn, err := other.Conn(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	_, err = conn.ExecContext(t.Context(), "BEGIN IMMEDIATE")
	require.NoError(t, err)
	a := p.ok(503, "POST /v1/packets", request{token: ann, body: packetText(idA, "Go on.")})
	require.NotEmpty(t, a.header.Get("Retry-After"))
	require.NotContains(t, strings.ToLower(string(a.body)), "sqlite")
	p.ok(200, "GET /readyz", request{})
	p.clock.advance(time.Hour) // the time of the token's use cannot be noted now
	p.ok(200, "GET /v1/packets", request{token: ann})
	_, err = conn.ExecContext(t.Context(), "ROLLBACK")
	require.NoError(t, err)
	p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idA, "Go on.")})
}

// broken is a database that fails, and says why.
type broken struct{ server.Storage }

func (broken) ListTeams(context.Context, string) ([]server.Team, error) {
	return nil, fmt.Errorf("SQL logic error near \x1b[31mSELECT")
}

func (broken) TeamOf(context.Context, string, string) (server.Team, error) { return server.Team{}, nil }

func (broken) ListMembers(context.Context, string, string) ([]server.Member, error) { panic("a goal") }

func TestWeakness8ErrorsOfTheDatabaseAreNotShown(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	q := over(t, broken{p.store})
	a := q.ok(500, "GET /v1/teams", request{token: ann})
	require.NotContains(t, string(a.body), "SQL")
	id := a.value(t)["request_id"].(string)
	require.Equal(t, id, a.header.Get("X-Request-Id"))
	require.Contains(t, q.log.String(), id)
	require.Contains(t, q.log.String(), "SQL logic error near")
	require.NotContains(t, q.log.String(), `\u001b`, "the log is safe to show")
	q.ok(500, "GET /v1/teams/alpha/members", request{token: ann})
	require.Contains(t, q.log.String(), "panic")
	require.NotContains(t, q.log.String(), "a goal")
}
