package server_test

import (
	"database/sql"
	"net/netip"
	"net/url"
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

func TestWeakness9Statuses(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	require.Equal(t, `Bearer realm="ltm"`, p.ok(401, "GET /v1/packets", request{}).header.Get("WWW-Authenticate"))
	require.Equal(t, `Bearer realm="ltm", error="invalid_token"`,
		p.ok(401, "GET /v1/packets", request{token: "nope"}).header.Get("WWW-Authenticate"))
	for _, header := range []string{"Bearer ", "bearer ", "BEARER ", "Bearer   "} {
		p.ok(200, "GET /v1/packets", request{header: map[string]string{"Authorization": header + ann}})
	}
	for _, header := range []string{"Bearer", "Bearer ", "Basic " + ann, ann, "Bearer\t" + ann,
		"Bearer " + strings.Repeat("a", 5000), "Bearer \xff"} {
		p.ok(401, "GET /v1/packets", request{header: map[string]string{"Authorization": header}})
	}
	p.ok(413, "POST /v1/packets", request{token: ann, body: strings.Repeat(" ", 32769)})
	p.ok(413, "POST /v1/packets", request{token: ann, body: strings.Repeat(" ", 200_000)})
	p.ok(413, "POST /v1/teams", request{token: ann, body: strings.Repeat(" ", 4097)})
	p.ok(413, "POST /v1/invites/x/accept", request{body: strings.Repeat(" ", 1025)})
	p.ok(413, "POST /oauth/token", request{body: strings.Repeat("a", 4097)})
	p.ok(404, "GET /nothing", request{})
	p.ok(404, "GET /none", request{})
	require.Equal(t, "GET, HEAD, POST", p.ok(405, "PUT /v1/packets", request{}).header.Get("Allow"))
	p.ok(405, "OPTIONS /v1/packets", request{})
	p.ok(405, "BREW /v1/packets", request{})
}

// TestPathsAreNotCleaned checks that no path leads to another route than it says, as a redirect of
// ../teams/NAME would.
func TestPathsAreNotCleaned(t *testing.T) {
	p, ann, _ := startTeam(t)
	for _, path := range []string{"/v1/packets/../teams/alpha", "/v1//teams/alpha", "/v1/./teams/alpha",
		"/v1/packets/%2e%2e/teams/alpha", "/v1/packets/..%2Fteams%2Falpha", "/v1/teams/alpha/", "//v1/teams/alpha"} {
		p.ok(404, "DELETE "+path, request{token: ann})
	}
	require.Len(t, p.list("/v1/teams", "teams", ann), 1)
}

func TestWeakness10ModeOfTheDatabase(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes")
	}
	p := start(t)
	info, err := os.Stat(p.file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestWeakness11Invites(t *testing.T) {
	p, ann, bob := startTeam(t)
	_, cid := p.newUser("cid")
	code := p.invite("alpha", bob)
	own := p.invite("alpha", ann)
	listed := p.list("/v1/teams/alpha/invites", "invites", bob)
	require.Len(t, listed, 2)
	p.ok(404, "GET /v1/teams/alpha/invites", request{token: cid})
	path := "/v1/teams/alpha/invites/"
	for _, i := range listed {
		if strings.HasSuffix(i["created_by"].(string), "ANN0") {
			p.ok(404, "DELETE "+path+i["id"].(string), request{token: cid})
			p.ok(403, "DELETE "+path+i["id"].(string), request{token: bob})
		} else {
			p.ok(204, "DELETE "+path+i["id"].(string), request{token: bob})
			p.ok(404, "DELETE "+path+i["id"].(string), request{token: bob})
		}
	}
	p.ok(410, "POST /v1/invites/"+code+"/accept", request{token: cid})

	require.Equal(t, "alpha", p.ok(200, "GET /v1/invites/"+own, request{}).value(t)["team"].(map[string]any)["name"])
	p.clock.advance(7*24*time.Hour + time.Second)
	p.ok(410, "GET /v1/invites/"+own, request{})
	p.ok(410, "POST /v1/invites/"+own+"/accept", request{token: cid})
	require.Empty(t, p.list("/v1/teams/alpha/invites", "invites", ann))
}

func TestWeakness11RemovedMembersStayOut(t *testing.T) {
	p, ann, bob := startTeam(t)
	codes := []string{p.invite("alpha", bob), p.invite("alpha", ann)} // Bob may have been told of Ann's
	id := p.ok(200, "GET /v1/whoami", request{token: bob}).value(t)["user"].(map[string]any)["id"].(string)
	p.ok(204, "DELETE /v1/teams/alpha/members/"+id, request{token: ann})
	for _, code := range codes {
		p.ok(410, "POST /v1/invites/"+code+"/accept", request{token: bob})
	}
	require.Empty(t, p.list("/v1/teams", "teams", bob))
}

// TestDisabledUsers checks that a disabled user is told so everywhere, and goes on as before once enabled.
func TestDisabledUsers(t *testing.T) {
	p, ann, bob := startTeam(t)
	invite := p.invite("alpha", bob)
	id := p.ok(200, "GET /v1/whoami", request{token: bob}).value(t)["user"].(map[string]any)["id"].(string)
	before := p.ok(200, "GET /v1/packets", request{token: bob}).body
	session := p.browser()
	session.enter(bob)
	require.NoError(t, p.store.DisableUser(t.Context(), id, true, p.clock.now()))
	for _, path := range []string{"GET /v1/packets", "GET /v1/whoami", "DELETE /v1/teams/alpha"} {
		require.Contains(t, string(p.ok(403, path, request{token: bob}).body), "operator of this server disabled you")
	}
	require.Contains(t, session.get(403, "packets").text(), "The operator of this server disabled you")
	p.ok(410, "POST /v1/invites/"+invite+"/accept", request{})
	require.Len(t, p.list("/v1/teams/alpha/members", "members", ann), 2)
	require.NoError(t, p.store.DisableUser(t.Context(), id, false, p.clock.now()))
	require.Equal(t, string(before), string(p.ok(200, "GET /v1/packets", request{token: bob}).body))
	session.get(200, "packets")
}

// TestDisabledUsersAreLimited: their tokens are looked up no more often than those of others.
func TestDisabledUsersAreLimited(t *testing.T) {
	p := start(t, func(o *server.Options) { o.TokenRate = server.Rate{PerSecond: 1, Burst: 3} })
	_, ann := p.newUser("ann")
	who := p.ok(200, "GET /v1/whoami", request{token: ann}).value(t)
	id := who["user"].(map[string]any)["id"].(string)
	require.NoError(t, p.store.DisableUser(t.Context(), id, true, p.clock.now()))
	for range 2 {
		p.ok(403, "GET /v1/whoami", request{token: ann})
	}
	p.ok(429, "GET /v1/whoami", request{token: ann})
}

func TestWeakness11LinksFromStrangersHeaders(t *testing.T) {
	evil := map[string]string{"X-Forwarded-Proto": "javascript", "X-Forwarded-Host": "evil.example",
		"Forwarded": "host=evil.example;proto=javascript", "X-Forwarded-For": "203.0.113.1"}
	link := func(p *place, r request) string {
		_, r.token = p.newUser("ann")
		p.ok(201, "POST /v1/teams", request{token: r.token, body: `{"name":"alpha"}`})
		return p.ok(201, "POST /v1/teams/alpha/invites", r).value(t)["url"].(string)
	}
	p := start(t)
	require.True(t, strings.HasPrefix(link(p, request{header: evil}), p.url+"/v1/invites/"))

	p = start(t, func(o *server.Options) { o.ExternalURL = "https://ltm.example.org/ltm/" })
	require.True(t, strings.HasPrefix(link(p, request{header: evil}), "https://ltm.example.org/ltm/v1/invites/"))

	proxy := func(o *server.Options) { o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} }
	p = start(t, proxy)
	require.True(t, strings.HasPrefix(link(p, request{header: map[string]string{"X-Forwarded-Proto": "https",
		"X-Forwarded-Host": "ltm.example.org:8443"}}), "https://ltm.example.org:8443/v1/invites/"))
	p = start(t, proxy)
	require.True(t, strings.HasPrefix(link(p, request{header: evil}), "http://evil.example/v1/invites/"),
		"a trusted proxy says which host, but no other schemes")

	for _, host := range []string{"evil.example/x", "a@b", "evil example", "[::1", "evil.example:99999x", `a"b`} {
		p = start(t, proxy)
		_, ann := p.newUser("ann")
		p.ok(201, "POST /v1/teams", request{token: ann, body: `{"name":"alpha"}`})
		p.ok(400, "POST /v1/teams/alpha/invites", request{token: ann,
			header: map[string]string{"X-Forwarded-Host": host}})
		require.Empty(t, p.list("/v1/teams/alpha/invites", "invites", ann))
	}
	for _, bad := range []string{"ltm.example.org", "ftp://a", "https://", "https://u:p@a", "https://a?b",
		"https://a#b"} {
		_, err := server.New(server.Options{Storage: p.store, ExternalURL: bad})
		require.ErrorContains(t, err, "external URL", bad)
	}
}

func TestWeakness11Transfer(t *testing.T) {
	p, ann, bob := startTeam(t)
	idOf := func(token string) string {
		return p.ok(200, "GET /v1/whoami", request{token: token}).value(t)["user"].(map[string]any)["id"].(string)
	}
	_, cid := p.newUser("cid")
	give := func(status int, token, to string) {
		p.ok(status, "POST /v1/teams/alpha/transfer", request{token: token, body: `{"user_id":"` + to + `"}`})
	}
	give(403, bob, idOf(bob))
	give(404, cid, idOf(cid))
	give(404, ann, idOf(cid))
	give(400, ann, "")
	give(204, ann, idOf(bob))
	give(403, ann, idOf(ann))
	p.ok(204, "POST /v1/teams/alpha/leave", request{token: ann})
	p.ok(400, "POST /v1/teams/alpha/leave", request{token: bob})
	members := p.list("/v1/teams/alpha/members", "members", bob)
	require.Len(t, members, 1)
	require.Equal(t, "owner", members[0]["role"])
}

func TestWeakness12Accepting(t *testing.T) {
	p, ann, bob := startTeam(t)
	code := p.invite("alpha", ann)
	p.ok(401, "POST /v1/invites/"+code+"/accept", request{token: "stale"})
	p.ok(201, "POST /v1/invites/"+code+"/accept", request{token: bob}) // is in it already
	long := strings.Repeat("x", 81)
	for _, body := range []string{`{"display":"` + long + `"}`, `{"display":5}`, `[]`, `{`, `{"display":"a"} x`} {
		p.ok(400, "POST /v1/invites/"+code+"/accept", request{body: body})
	}
	got := p.ok(201, "POST /v1/invites/"+code+"/accept",
		request{body: `{"display":"  Dan\u001b[31m \n\u202e <b>x\u0000 "}`}).value(t)
	require.Equal(t, "Dan[31m <b>x", got["user"].(map[string]any)["display"])
	require.Regexp(t, "^ltms_[0-9A-Za-z]{48}$", got["token"])
	require.Len(t, p.list("/v1/teams/alpha/members", "members", got["token"].(string)), 3)
}

func TestWeakness12MailAddresses(t *testing.T) {
	p, ann, _ := startTeam(t)
	eve := server.User{ID: "01K3Q8ZJ6M4T2V9XWBDN7REVE0", Email: "eve@example.org", Display: "Eve",
		CreatedAt: p.clock.now()}
	require.NoError(t, p.store.CreateUser(t.Context(), eve))
	const token = "eve-has-a-token"
	require.NoError(t, p.store.CreateToken(t.Context(), server.Token{ID: "T1", UserID: eve.ID,
		Hash: server.Hash(token), CreatedAt: p.clock.now()}, 1))
	p.ok(201, "POST /v1/invites/"+p.invite("alpha", ann)+"/accept", request{token: token})
	require.NotContains(t, string(p.do("GET /v1/teams/alpha/members", request{token: ann}).body), "eve@example.org")
	require.Contains(t, string(p.do("GET /v1/teams/alpha/members", request{token: token}).body), "eve@example.org")
	require.Contains(t, string(p.do("GET /v1/whoami", request{token: token}).body), "eve@example.org")
}

func TestWeakness13Tokens(t *testing.T) {
	p := start(t)
	id, ann := p.newUser("ann")
	_, bob := p.newUser("bob")
	const second = "another-token-of-ann"
	require.NoError(t, p.store.CreateToken(t.Context(), server.Token{ID: "T2", UserID: id, Name: "laptop",
		Hash: server.Hash(second), CreatedAt: p.clock.now(), ExpiresAt: p.clock.now().Add(time.Hour)}, 10))
	p.ok(200, "GET /v1/packets", request{token: second})
	tokens := p.list("/v1/tokens", "tokens", ann)
	require.Len(t, tokens, 2)
	require.NotContains(t, string(p.do("GET /v1/tokens", request{token: ann}).body), "hash")
	p.ok(404, "DELETE /v1/tokens/T2", request{token: bob})
	p.clock.advance(time.Hour)
	p.ok(401, "GET /v1/packets", request{token: second})
	require.Len(t, p.list("/v1/tokens", "tokens", ann), 1)

	own := p.ok(200, "GET /v1/whoami", request{token: ann}).value(t)["token"].(map[string]any)["id"].(string)
	p.ok(204, "DELETE /v1/tokens/"+own, request{token: ann})
	p.ok(401, "GET /v1/packets", request{token: ann})
}

func TestWeakness13Rotation(t *testing.T) {
	p := start(t)
	id, old := p.newUser("ann")
	const fresh = "the-token-in-its-place"
	require.NoError(t, p.store.RotateToken(t.Context(), "T"+id[1:], server.Token{ID: "T2", Name: "laptop",
		Hash: server.Hash(fresh), CreatedAt: p.clock.now()}, p.clock.now().Add(time.Hour)))
	p.ok(200, "GET /v1/whoami", request{token: old})
	p.ok(200, "GET /v1/whoami", request{token: fresh})
	p.clock.advance(time.Hour)
	p.ok(401, "GET /v1/whoami", request{token: old})
	p.ok(200, "GET /v1/whoami", request{token: fresh})
}

func TestWeakness14NewerDatabases(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ltm.db")
	store, err := sqlite.Open(t.Context(), file, sqlite.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Close())
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "INSERT INTO ltm_migrations (version_id, is_applied) VALUES (9999, 1)")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	_, err = sqlite.Open(t.Context(), file, sqlite.Options{})
	require.ErrorIs(t, err, server.ErrNewer)
	after, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, before, after)
}

func TestTokensThatInvitesMakeMayExpire(t *testing.T) {
	p, ann, _ := startTeam(t, func(o *server.Options) { o.TokenLife = time.Hour })
	got := p.ok(201, "POST /v1/invites/"+p.invite("alpha", ann)+"/accept", request{}).value(t)
	token := got["token"].(string)
	require.Contains(t, p.ok(200, "GET /v1/whoami", request{token: token}).value(t)["token"], "expires_at")
	p.clock.advance(time.Hour)
	p.ok(401, "GET /v1/whoami", request{token: token})
}

// TestPathOfTheExternalURL checks that links, redirects and forms work behind a proxy that puts this
// server below a path.
func TestPathOfTheExternalURL(t *testing.T) {
	p := start(t, func(o *server.Options) { o.ExternalURL = "https://example.org/ltm" })
	_, ann := p.newUser("ann")
	require.Equal(t, "/ltm/v1/packets/"+idA,
		p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idA, "Go on.")}).header.Get("Location"))
	p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idB, "Go on.")})
	page := p.ok(200, "GET /v1/packets?limit=1", request{token: ann})
	require.Contains(t, page.header.Get("Link"), "</ltm/v1/packets?")
	require.Contains(t, string(p.ok(200, "GET /device", request{}).body), `action="/ltm/device"`)
	form := request{header: map[string]string{"Origin": "https://example.org"},
		body: url.Values{"do": {"sign in"}, "token": {ann}}.Encode()}
	require.Equal(t, "/ltm/device", p.do("POST /device", form).header.Get("Location"))
	form.header["Origin"] = "https://evil.example"
	require.Equal(t, 403, p.do("POST /device", form).status)
}
