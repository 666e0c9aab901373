package server_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server"
)

func TestInvitesAcceptedAtOnce(t *testing.T) {
	p, ann, _ := startTeam(t)
	code := p.invite("alpha", ann)
	var wg sync.WaitGroup
	statuses := make([]int, 32)
	for i := range statuses {
		wg.Go(func() {
			if a, err := p.try("POST /v1/invites/"+code+"/accept", request{}); err == nil {
				statuses[i] = a.status
			}
		})
	}
	wg.Wait()
	joined := 0
	for _, status := range statuses {
		require.Contains(t, []int{201, 410}, status)
		if status == 201 {
			joined++
		}
	}
	require.Equal(t, 1, joined)
	require.Len(t, p.list("/v1/teams/alpha/members", "members", ann), 3)
}

func TestTextsComeBackByteForByte(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	id := `a/b?c#d%25 \u0000é𝄞`
	body := `{"ltm_version":"0.2","id":"` + id + `","created_at":"2026-08-28T11:15:31.5+02:00","project":{"name":"p\u0000"},` +
		`"goal":"line\nbreak\u0000<&>\u2028","next_step":"\ud834\udd1e","tags":["a","a"]}`
	a := p.ok(201, "POST /v1/packets", request{token: ann, body: body})
	got := p.ok(200, "GET "+a.header.Get("Location"), request{token: ann})
	v := got.value(t)
	require.Equal(t, "line\nbreak\x00<&>\u2028", v["goal"])
	require.Equal(t, "a/b?c#d%25 \x00é𝄞", v["id"])
	require.Equal(t, "𝄞", v["next_step"])
	require.Equal(t, []any{"a", "a"}, v["tags"])
	require.Len(t, p.list("/v1/packets?tag=a&project=p%00&text=line", "packets", ann), 1)
	p.ok(204, "DELETE "+a.header.Get("Location"), request{token: ann})
}

func TestTwoServersOnOneDatabase(t *testing.T) {
	p := start(t)
	q := over(t, p.store)
	_, ann := p.newUser("ann")
	etag := p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idA, "One.")}).header.Get("ETag")
	var wg sync.WaitGroup
	var mu sync.Mutex
	statuses := map[int]int{}
	for i, at := range []*place{p, q, p, q, p, q, p, q} {
		wg.Go(func() {
			a, err := at.try("POST /v1/packets", request{token: ann, body: packetText(idA, strings.Repeat("x", i+1)),
				header: map[string]string{"If-Match": etag}})
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				statuses[a.status]++
			}
		})
	}
	wg.Wait()
	require.Equal(t, map[int]int{201: 1, 412: 7}, statuses)
	next := p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idB, "Two.")})
	require.Equal(t, next.header.Get("ETag"), q.ok(200, "GET /v1/packets/"+idB, request{token: ann}).header.Get("ETag"))
	cursor := p.ok(200, "GET /v1/packets?limit=1", request{token: ann}).value(t)["next"].(string)
	require.Len(t, q.list("/v1/packets?cursor="+cursor, "packets", ann), 1)
}

func TestRefuseSecrets(t *testing.T) {
	leaking := packetText(idA, "Logs are under /home/mira/logs.")
	p := start(t)
	_, ann := p.newUser("ann")
	p.ok(201, "POST /v1/packets", request{token: ann, body: leaking})

	p = start(t, func(o *server.Options) { o.RefuseSecrets = true })
	_, ann = p.newUser("ann")
	a := p.ok(422, "POST /v1/packets", request{token: ann, body: leaking})
	fault := a.value(t)["errors"].([]any)[0].(map[string]any)
	require.Equal(t, "/goal", fault["pointer"])
	require.Equal(t, "abs-path", fault["kind"])
	require.NotContains(t, string(a.body), "mira")
	require.Empty(t, p.list("/v1/packets", "packets", ann))
	p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idA, "Logs are in the usual place.")})
}

// asleep is a database that does not answer.
type asleep struct{ server.Storage }

func (asleep) Ping(ctx context.Context) error { return errors.New("connection refused by 192.0.2.7") }

func TestReadiness(t *testing.T) {
	p := start(t)
	p.ok(200, "GET /readyz", request{})
	q := over(t, asleep{p.store})
	q.ok(200, "GET /v1/healthz", request{})
	a := q.ok(503, "GET /readyz", request{})
	require.NotEmpty(t, a.header.Get("Retry-After"))
	require.NotContains(t, string(a.body), "192.0.2.7")
	require.Contains(t, q.log.String(), "192.0.2.7")
	p.srv.Drain()
	p.ok(503, "GET /readyz", request{})
	p.ok(200, "GET /v1/healthz", request{})
}

func TestMetrics(t *testing.T) {
	p := start(t, func(o *server.Options) { o.Metrics = true })
	_, ann := p.newUser("ann")
	p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idA, "Go on.")})
	p.ok(401, "GET /v1/packets", request{token: "wrong"})
	p.ok(404, "GET /some/path/"+ann, request{})
	page := string(p.ok(200, "GET /metrics", request{}).body)
	for _, line := range []string{`ltm_http_requests_total{route="POST /v1/packets",status="201"} 1`,
		`ltm_http_requests_total{route="none",status="404"} 1`, `ltm_auth_failures_total{kind="token"} 1`,
		`ltm_packets 1`, `ltm_users 1`, `ltm_http_request_duration_seconds_count{route="POST /v1/packets"} 1`,
		`ltm_database_errors_total{kind="disk-full"} 0`, `ltm_database_connections{state="in_use"} `,
		"ltm_database_waits_total ", "ltm_last_purge_timestamp_seconds 0\n",
		"ltm_last_backup_timestamp_seconds 0\n",
		`ltm_build_info{goversion="` + runtime.Version() + `",version="test"} 1`, "go_goroutines"} {
		require.Contains(t, page, line)
	}
	require.NotContains(t, page, ann)
	require.Regexp(t, `\nltm_database_disk_free_bytes [1-9]`, page)

	// A request that a proxy on this machine passes on is not this machine's own.
	for _, name := range []string{"X-Forwarded-For", "Forwarded", "Via", "X-Real-Ip", "X-Forwarded-Host"} {
		p.ok(404, "GET /metrics", request{header: map[string]string{name: "127.0.0.1"}})
	}
	for _, name := range []string{"X-Forwarded-For", "Forwarded", "Via", "X-Real-Ip", "X-Forwarded-Proto"} {
		p.ok(404, "GET /metrics", request{header: map[string]string{name: ""}}) // the proxy's own value is the next
	}
	start(t).ok(404, "GET /metrics", request{})
	behind := start(t, func(o *server.Options) {
		o.Metrics, o.TrustedProxies = true, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	behind.ok(200, "GET /metrics", request{})
	for _, name := range []string{"X-Forwarded-For", "Forwarded"} {
		behind.ok(404, "GET /metrics", request{header: map[string]string{name: ""}})
	}

	p = start(t, func(o *server.Options) {
		o.Metrics = true
		o.MetricsFrom = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}
	})
	p.ok(404, "GET /metrics", request{})
}

func TestListsHaveETags(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	etag := p.ok(200, "GET /v1/packets", request{token: ann}).header.Get("ETag")
	again := request{token: ann, header: map[string]string{"If-None-Match": etag}}
	p.ok(304, "GET /v1/packets", again)
	p.ok(304, "HEAD /v1/packets", again)
	p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idA, "Go on.")})
	p.ok(200, "GET /v1/packets", again)
}

func TestNewNeedsAStorage(t *testing.T) {
	_, err := server.New(server.Options{})
	require.ErrorContains(t, err, "storage")
}

// TestAnswersAreJSONWhateverIsAccepted is about clients that say otherwise.
func TestAnswersAreJSONWhateverIsAccepted(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	for _, accept := range []string{"text/html", "application/cbor", "application/problem+json", "*/*;q=0", ";;,\xff",
		"json", "a/b+;c", "a;b+c", ","} {
		header := map[string]string{"Accept": accept}
		require.Equal(t, "application/json",
			p.ok(200, "GET /v1/teams", request{token: ann, header: header}).header.Get("Content-Type"), accept)
		p.ok(404, "GET /v1/packets/nope", request{token: ann, header: header})
	}
}

// lame is a storage whose database fails in a certain way.
type lame struct {
	server.Storage
	err error
}

func (l *lame) Ping(context.Context) error { return fmt.Errorf("%w: of /dev/sda1", l.err) }

func (l *lame) PutPacket(context.Context, server.PutPacket, server.Quota) (server.Put, error) {
	return server.Put{}, fmt.Errorf("%w: of /dev/sda1", l.err)
}

// TestLostDatabase tells a full disk and a lost database from a busy one: clients get the kind, operators the cause.
func TestLostDatabase(t *testing.T) {
	l := &lame{}
	p := start(t, func(o *server.Options) {
		l.Storage = o.Storage
		o.Storage = l
	})
	_, token := p.newUser("mira")
	for err, kind := range map[error]string{server.ErrFull: "disk-full", server.ErrAway: "no-database",
		server.ErrBusy: "busy"} {
		l.err = err
		for _, a := range []answer{p.ok(503, "GET /readyz", request{}),
			p.ok(503, "POST /v1/packets", request{token: token, body: packetText(idA, "Go on.")})} {
			require.Equal(t, "/docs#"+kind, a.value(t)["type"])
			require.NotEmpty(t, a.header.Get("Retry-After"))
			require.NotContains(t, string(a.body), "sda1", "the cause is for operators")
		}
		require.Contains(t, p.log.String(), err.Error()+": of /dev/sda1")
	}
}
