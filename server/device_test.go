package server_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
)

func grant(code string) string {
	return url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"}, "device_code": {code},
		"client_id": {"ltm-cli"}}.Encode()
}

// signIn signs a person in on the page /device and returns their cookie.
func (p *place) signIn(token string) string {
	p.t.Helper()
	a := p.do("POST /device", request{body: url.Values{"do": {"sign in"}, "token": {token}}.Encode()})
	require.Equal(p.t, 303, a.status, string(a.body))
	cookie := a.header.Get("Set-Cookie")
	require.Contains(p.t, cookie, "HttpOnly")
	require.Contains(p.t, cookie, "SameSite=Strict")
	require.NotContains(p.t, cookie, token)
	value, _, _ := strings.Cut(cookie, ";")
	return value
}

var formField = regexp.MustCompile(`name="form" value="([^"]+)"`)

// decide sends a form of the page /device.
func (p *place) decide(cookie, do, code string, status int) string {
	p.t.Helper()
	page := p.do("GET /device?user_code="+url.QueryEscape(code), request{header: map[string]string{"Cookie": cookie}})
	found := formField.FindSubmatch(page.body)
	require.NotNil(p.t, found, string(page.body))
	a := p.do("POST /device", request{header: map[string]string{"Cookie": cookie},
		body: url.Values{"do": {do}, "user_code": {code}, "form": {string(found[1])}}.Encode()})
	require.Equal(p.t, status, a.status, string(a.body))
	return string(a.body)
}

// device asks for a device to be let in.
func (p *place) device() (device, user string) {
	p.t.Helper()
	v := p.ok(200, "POST /oauth/authorize_device", request{body: "client_id=ltm-cli&scope=read+write"}).value(p.t)
	require.Equal(p.t, p.url+"/device", v["verification_uri"])
	require.Equal(p.t, p.url+"/device?user_code="+v["user_code"].(string), v["verification_uri_complete"])
	require.Equal(p.t, 600.0, v["expires_in"])
	require.Equal(p.t, 5.0, v["interval"])
	return v["device_code"].(string), v["user_code"].(string)
}

// poll asks for a device's token and returns the error, if it is one.
func (p *place) poll(device string) any {
	p.t.Helper()
	a := p.do("POST /oauth/token", request{body: grant(device)})
	if a.status != 200 {
		require.Equal(p.t, 400, a.status, string(a.body))
		require.Equal(p.t, "application/json", a.header.Get("Content-Type"))
	}
	require.Equal(p.t, "no-store", a.header.Get("Cache-Control"))
	return a.value(p.t)["error"]
}

func TestDeviceFlow(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	device, code := p.device()
	require.Equal(t, "authorization_pending", p.poll(device))
	p.clock.advance(3 * time.Second)
	require.Equal(t, "slow_down", p.poll(device))
	p.clock.advance(5 * time.Second)
	require.Equal(t, "authorization_pending", p.poll(device))

	cookie := p.signIn(ann)
	looked := p.decide(cookie, "look", strings.ToLower(code), 200)
	require.Contains(t, looked, "ltm-cli")
	require.Contains(t, looked, "since 8s")
	require.Contains(t, p.decide(cookie, "approve", code, 200), "is let in")
	p.decide(cookie, "approve", code, 404)
	v := p.ok(200, "POST /oauth/token", request{body: grant(device)}).value(t)
	require.Equal(t, "Bearer", v["token_type"])
	who := p.ok(200, "GET /v1/whoami", request{token: v["access_token"].(string)}).value(t)
	require.Equal(t, "ann", who["user"].(map[string]any)["name"])
	require.Equal(t, "device", who["token"].(map[string]any)["name"])
	require.Equal(t, "expired_token", p.poll(device))
}

func TestDeviceFlowEnds(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	cookie := p.signIn(ann)

	device, code := p.device()
	require.Contains(t, p.decide(cookie, "deny", code, 200), "was denied")
	require.Equal(t, "access_denied", p.poll(device))

	device, code = p.device()
	p.clock.advance(10 * time.Minute)
	require.Equal(t, "expired_token", p.poll(device))
	p.decide(cookie, "approve", code, 404)
	require.Equal(t, "expired_token", p.poll("never-was-one"))
	require.Equal(t, "expired_token", p.poll("\xff\x00"))

	for body, want := range map[string]string{
		"":                            "unsupported_grant_type",
		"grant_type=password":         "unsupported_grant_type",
		grant(""):                     "invalid_request",
		grant("a") + "&device_code=b": "invalid_request",
		"%zz":                         "invalid_request",
	} {
		a := p.do("POST /oauth/token", request{body: body})
		require.Equal(t, 400, a.status)
		require.Equal(t, want, a.value(t)["error"], body)
	}
	for _, body := range []string{"", "client_id=", "client_id=%20", "client_id=a&client_id=b", "%zz"} {
		a := p.ok(400, "POST /oauth/authorize_device", request{body: body})
		require.Equal(t, "invalid_request", a.value(t)["error"])
	}
}

// TestGuessesAtOnceAreCounted guesses codes at the same time, after right ones, which do not count.
func TestGuessesAtOnceAreCounted(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	cookie := p.signIn(ann)
	_, code := p.device()
	for range 8 {
		p.decide(cookie, "look", code, 200)
	}
	page := p.ok(200, "GET /device", request{header: map[string]string{"Cookie": cookie}})
	form := string(formField.FindSubmatch(page.body)[1])
	statuses := make(chan int, 40)
	for range cap(statuses) {
		go func() {
			a, _ := p.try("POST /device", request{header: map[string]string{"Cookie": cookie},
				body: url.Values{"do": {"look"}, "user_code": {"BCDF-GHJK"}, "form": {form}}.Encode()})
			statuses <- a.status
		}()
	}
	count := map[int]int{}
	for range cap(statuses) {
		count[<-statuses]++
	}
	require.Equal(t, map[int]int{404: 5, 429: 35}, count)
}

func TestDeviceFlowIsLimited(t *testing.T) {
	p := start(t, func(o *server.Options) { o.MaxTokens = 1 })
	_, ann := p.newUser("ann")
	for range 20 {
		p.device()
	}
	p.ok(429, "POST /oauth/authorize_device", request{body: "client_id=ltm-cli"})
	p.clock.advance(10 * time.Second)
	_, code := p.device()
	cookie := p.signIn(ann)
	require.Contains(t, p.decide(cookie, "approve", code, 507), "more tokens than the 1")

	for range 5 {
		p.decide(cookie, "look", "BCDF-GHJK", 404)
	}
	require.Contains(t, p.decide(cookie, "look", code, 429), "too many wrong codes")
	p.clock.advance(time.Minute)
	p.decide(cookie, "look", code, 200)
}

// TestDevicesTogetherAreLimited approves two devices, each when there is still room for one token.
func TestDevicesTogetherAreLimited(t *testing.T) {
	p := start(t, func(o *server.Options) { o.MaxTokens = 2 })
	_, ann := p.newUser("ann")
	cookie := p.signIn(ann)
	first, code := p.device()
	second, other := p.device()
	p.decide(cookie, "approve", code, 200)
	p.decide(cookie, "approve", other, 200)
	p.ok(200, "POST /oauth/token", request{body: grant(first)})
	a := p.ok(507, "POST /oauth/token", request{body: grant(second)})
	require.Contains(t, string(a.body), "more tokens than the 2")
}

func TestDevicePage(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	page := p.ok(200, "GET /device?user_code=bcdfghjk", request{})
	require.Contains(t, string(page.body), `value="BCDF-GHJK"`)
	require.Contains(t, string(page.body), `type="password"`)
	require.NotContains(t, string(page.body), "<script")
	policy := page.header.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "form-action 'self'", "frame-ancestors 'none'",
		"base-uri 'none'"} {
		require.Contains(t, policy, part)
	}
	require.NotContains(t, policy, "unsafe")
	// With no-referrer, browsers send "Origin: null" with the page's own forms. On http they send no
	// Sec-Fetch-Site either, and the form would be one of another site.
	require.Equal(t, "same-origin", page.header.Get("Referrer-Policy"))
	require.Equal(t, "no-store", page.header.Get("Cache-Control"))
	require.NotContains(t, string(p.ok(200, "GET /device?user_code=%3Cscript%3E", request{}).body), "script")

	post := func(status int, r request, fields ...string) string {
		t.Helper()
		form := url.Values{}
		for i := 0; i < len(fields); i += 2 {
			form.Set(fields[i], fields[i+1])
		}
		r.body = form.Encode()
		a := p.do("POST /device", r)
		require.Equal(t, status, a.status, string(a.body))
		require.Contains(t, a.header.Get("Content-Type"), "text/html")
		return string(a.body)
	}
	post(401, request{}, "do", "sign in", "token", "wrong")
	post(401, request{}, "do", "sign in", "token", "")
	post(401, request{}, "do", "approve", "user_code", "BCDF-GHJK")

	cookie := p.signIn(ann)
	in := request{header: map[string]string{"Cookie": cookie}}
	_, code := p.device()
	require.Contains(t, post(403, in, "do", "approve", "user_code", code), "not of this session")
	post(403, in, "do", "approve", "user_code", code, "form", "x")
	for _, header := range []string{"cross-site", "same-site"} {
		post(403, request{header: map[string]string{"Cookie": cookie, "Sec-Fetch-Site": header}}, "do", "approve")
	}
	post(403, request{header: map[string]string{"Cookie": cookie, "Origin": "https://evil.example"}}, "do", "approve")
	p.decide(cookie, "what", code, 400)

	for _, bad := range []string{"ltm-device=x", "ltm-device=" + strings.Repeat("A", 96), cookie + "A",
		cookie[:len(cookie)-2]} {
		a := p.ok(200, "GET /device", request{header: map[string]string{"Cookie": bad}})
		require.Contains(t, string(a.body), `type="password"`, bad)
	}
	require.NotContains(t, string(p.ok(200, "GET /device", in).body), `type="password"`)
}

func TestDeviceSessionsEnd(t *testing.T) {
	p := start(t)
	id, ann := p.newUser("ann")
	cookie := p.signIn(ann)
	signedIn := func() bool {
		a := p.ok(200, "GET /device", request{header: map[string]string{"Cookie": cookie}})
		return !strings.Contains(string(a.body), `type="password"`)
	}
	require.True(t, signedIn())
	p.clock.advance(15 * time.Minute)
	require.False(t, signedIn())

	cookie = p.signIn(ann)
	require.True(t, signedIn())
	out := p.do("POST /device", request{header: map[string]string{"Cookie": cookie},
		body: url.Values{"do": {"sign out"}, "form": {p.formOf(cookie)}}.Encode()})
	require.Equal(t, 303, out.status)
	require.Contains(t, out.header.Get("Set-Cookie"), "Max-Age=0")

	require.NoError(t, p.store.RevokeToken(t.Context(), "T"+id[1:], p.clock.now()))
	require.False(t, signedIn(), "revoking the token ends the session")
}

// formOf returns what proves that a form is ours.
func (p *place) formOf(cookie string) string {
	p.t.Helper()
	page := p.ok(200, "GET /device", request{header: map[string]string{"Cookie": cookie}})
	found := formField.FindSubmatch(page.body)
	require.NotNil(p.t, found)
	return string(found[1])
}

// TestDeviceSessionsOfSeveralServers checks that servers with one key share sessions, and others do
// not.
func TestDeviceSessionsOfSeveralServers(t *testing.T) {
	key := func(o *server.Options) { o.SessionKey = []byte(strings.Repeat("k", 32)) }
	p := start(t, key)
	_, ann := p.newUser("ann")
	header := map[string]string{"Cookie": p.signIn(ann)}
	same, other := over(t, p.store, key), over(t, p.store)
	require.NotContains(t, string(same.ok(200, "GET /device", request{header: header}).body), `type="password"`)
	require.Contains(t, string(other.ok(200, "GET /device", request{header: header}).body), `type="password"`)
	_, err := server.New(server.Options{Storage: p.store, SessionKey: []byte("short")})
	require.ErrorContains(t, err, "at least 32")
}
