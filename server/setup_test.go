package server_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/postgres"
	"ltm/server/postgres/pgtest"
	"ltm/server/sqlite"
)

// place is a running server with its database, for one test.
type place struct {
	t         *testing.T
	store     server.Storage
	memory    server.Memory // nil: none
	srv       *server.Server
	http      *httptest.Server
	url       string
	log       *logBuffer
	clock     *clock
	file      string // of the database
	described func() *description
}

// clock is the time of a test.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// plenty is a rate that tests do not reach.
func plenty() server.Rate { return server.Rate{PerSecond: 1e6, Burst: 1e6} }

// start starts a server over SQLite, or over Postgres within [TestPostgres]. change may change its
// options.
func start(t *testing.T, change ...func(*server.Options)) *place {
	t.Helper()
	if strings.HasPrefix(t.Name(), "TestPostgres/") {
		store, err := postgres.Open(context.Background(), pgtest.New(t), postgres.Options{})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, store.Close()) })
		return over(t, store, change...)
	}
	file := filepath.Join(t.TempDir(), "data", "ltm.db")
	store, err := sqlite.Open(context.Background(), file, sqlite.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	p := over(t, store, change...)
	p.file = file
	return p
}

// over starts a server over a database.
func over(t *testing.T, store server.Storage, change ...func(*server.Options)) *place {
	t.Helper()
	p := &place{t: t, store: store, log: &logBuffer{},
		clock: &clock{at: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)}}
	o := server.Options{Storage: store, Now: p.clock.now, Log: slog.New(slog.NewJSONHandler(p.log, nil)),
		TokenRate: plenty(), AddressRate: plenty(), FailureRate: plenty(), Version: "test"}
	for _, f := range change {
		f(&o)
	}
	p.memory = o.Memory
	var err error
	p.srv, err = server.New(o)
	require.NoError(t, err)
	p.http = httptest.NewUnstartedServer(p.srv)
	p.http.Config = server.HTTPServer(p.srv, o.Log)
	p.http.Start()
	t.Cleanup(p.http.Close)
	p.url = p.http.URL
	p.described = sync.OnceValue(func() *description { return describe(p) })
	return p
}

// newUser adds a user and returns their id and token.
func (p *place) newUser(name string) (id, token string) {
	p.t.Helper()
	var err error
	token, err = server.NewToken(rand.Reader)
	require.NoError(p.t, err)
	id = "01K3Q8ZJ6M4T2V9XWBDN7R" + strings.ToUpper(name + "0000")[:4]
	at := p.clock.now()
	ctx := context.Background()
	require.NoError(p.t, p.store.CreateUser(ctx, server.User{ID: id, Name: name, Display: name, CreatedAt: at}))
	require.NoError(p.t, p.store.CreateToken(ctx, server.Token{ID: "T" + id[1:], UserID: id, Name: "test",
		Hash: server.Hash(token), CreatedAt: at}, 10))
	return id, token
}

// answer is what a server answered.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// value returns the answer's JSON.
func (a answer) value(t *testing.T) map[string]any {
	t.Helper()
	var v map[string]any
	require.NoError(t, json.Unmarshal(a.body, &v), string(a.body))
	return v
}

// request is a request to a server.
type request struct {
	token  string
	header map[string]string
	body   string
	host   string
}

// do sends a request such as "GET /v1/packets". The answer must be as the server describes it.
func (p *place) do(what string, r request) answer {
	p.t.Helper()
	a, err := p.try(what, r)
	require.NoError(p.t, err)
	if p.described != nil { // else it is a server that the test itself has started
		p.described().compare(what, a)
	}
	return a
}

func (p *place) try(what string, r request) (answer, error) {
	method, path, _ := strings.Cut(what, " ")
	var body io.Reader
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	req, err := http.NewRequest(method, p.url+path, body)
	if err != nil {
		return answer{}, err
	}
	if r.token != "" {
		req.Header.Set("Authorization", "Bearer "+r.token)
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	if r.host != "" {
		req.Host = r.host
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: p.http.Client().Transport}
	resp, err := client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, b}, err
}

// ok sends a request that must have a status.
func (p *place) ok(status int, what string, r request) answer {
	p.t.Helper()
	a := p.do(what, r)
	require.Equal(p.t, status, a.status, "%s: %s", what, a.body)
	if status >= 400 {
		p.isProblem(a)
	}
	return a
}

// isProblem checks the body of an error.
func (p *place) isProblem(a answer) {
	p.t.Helper()
	require.Contains(p.t, []string{"application/problem+json", "application/json"}, a.header.Get("Content-Type"))
	v := a.value(p.t)
	require.Equal(p.t, float64(a.status), v["status"])
	for _, name := range []string{"type", "title", "detail", "error", "request_id"} {
		require.NotEmpty(p.t, v[name], name)
	}
}

// packetText returns a small packet.
func packetText(id, goal string) string {
	b, _ := json.Marshal(map[string]any{"ltm_version": "0.2", "id": id, "created_at": "2026-08-28T09:15:30Z",
		"goal": goal, "next_step": "Run the cold chamber test."})
	return string(b)
}

// ids of packets.
const (
	idA = "01K3Q8ZJ6M4T2V9XWBDN7RHEA1"
	idB = "01K3Q8ZJ6M4T2V9XWBDN7RHEB2"
)

// startTeam starts a server with a team alpha: Ann owns it, and Bob is in it.
func startTeam(t *testing.T, change ...func(*server.Options)) (p *place, ann, bob string) {
	t.Helper()
	p = start(t, change...)
	_, ann = p.newUser("ann")
	_, bob = p.newUser("bob")
	p.ok(201, "POST /v1/teams", request{token: ann, body: `{"name":"alpha"}`})
	p.ok(201, "POST /v1/invites/"+p.invite("alpha", ann)+"/accept", request{token: bob})
	return p, ann, bob
}

// invite makes an invite and returns its code.
func (p *place) invite(team, token string) string {
	p.t.Helper()
	return p.ok(201, "POST /v1/teams/"+team+"/invites", request{token: token}).value(p.t)["code"].(string)
}

// goal returns the goal of a packet as a user reads it.
func (p *place) goal(id, token string) string {
	p.t.Helper()
	return p.ok(200, "GET /v1/packets/"+id, request{token: token}).value(p.t)["goal"].(string)
}

// list returns the entries of a list.
func (p *place) list(path, key, token string) (entries []map[string]any) {
	p.t.Helper()
	for _, e := range p.ok(200, "GET "+path, request{token: token}).value(p.t)[key].([]any) {
		entries = append(entries, e.(map[string]any))
	}
	return entries
}

// count returns how often a text is in the files of the database.
func (p *place) count(text string) (n int) {
	p.t.Helper()
	files, err := filepath.Glob(p.file + "*")
	require.NoError(p.t, err)
	require.NotEmpty(p.t, files)
	for _, name := range files {
		b, err := os.ReadFile(name)
		require.NoError(p.t, err)
		n += bytes.Count(b, []byte(text))
	}
	return n
}

func discard() *slog.Logger { return slog.New(slog.DiscardHandler) }
