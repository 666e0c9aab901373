package server_test

import (
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/threads"
)

func TestPagesSignIn(t *testing.T) {
	p := start(t, withApps)
	id, ann := p.newUser("ann")
	b := p.browser()
	require.Equal(t, "/ui/sign-in", b.get(200, "").address)
	v := b.get(401, "team?name=alpha")
	require.Contains(t, v.text(), `name="next" value="team?name=alpha"`)
	require.Contains(t, v.text(), "Sign in to see this page.")
	for _, wrong := range []string{"", "wrong", strings.Repeat("x", 300), "ltmk_wrong", ann + "x"} {
		v := b.post(401, "sign-in", url.Values{"do": {"in"}, "secret": {wrong}})
		require.Contains(t, v.text(), `role="alert"`)
		if wrong != "" {
			require.NotContains(t, v.text(), wrong)
		}
	}
	b.post(400, "sign-in", url.Values{"do": {"what"}})
	v = b.post(200, "sign-in", url.Values{"do": {"in"}, "secret": {" " + ann + "\n"}, "next": {"packets?tag=a"}})
	require.Equal(t, "/ui/packets?tag=a", v.address)
	require.Contains(t, v.text(), "<bdi>ann</bdi>")
	for _, foreign := range []string{"//evil.example", "https://evil.example", "/device", `..\..`, "a:b", "\\evil",
		"packets?x=\r\nSet-Cookie: a=b", strings.Repeat("a", 2001)} {
		v := b.post(200, "sign-in", url.Values{"do": {"in"}, "secret": {ann}, "next": {foreign}})
		require.Equal(t, "/ui/packets", v.address, foreign)
	}
	require.Equal(t, "/ui/packets", b.get(200, "").address)

	v = b.get(200, "packets")
	form := hidden(v)
	other := p.browser()
	other.enter(ann)
	require.Equal(t, "/ui/sign-in?done=out", b.post(200, "sign-out", form).address)
	b.get(401, "packets")
	other.get(200, "packets")
	require.NoError(t, p.store.RevokeToken(t.Context(), "T"+id[1:], p.clock.now()))
	other.get(401, "packets")
}

// TestPagesSessionsLast checks that a session that is used goes on, but not forever, and that its forms stay good.
func TestPagesSessionsLast(t *testing.T) {
	p := start(t)
	b, _, _ := p.member("ann")
	form := hidden(b.get(200, "teams"))
	for range 47 {
		p.clock.advance(10 * time.Minute)
		b.get(200, "packets")
	}
	b.post(200, "teams", filledIn(form, "create", []string{"name", "alpha"}))
	p.clock.advance(10 * time.Minute)
	b.get(401, "packets")

	b, _, _ = p.member("bob")
	p.clock.advance(15 * time.Minute)
	b.get(401, "packets")
}

func TestPagesCookie(t *testing.T) {
	p := start(t, withProxy, func(o *server.Options) {
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	_, ann := p.newUser("ann")
	through := map[string]string{"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9",
		"Origin": "https://example.org"}
	in := p.do("POST /ui/sign-in", request{header: through, body: url.Values{"do": {"in"}, "secret": {ann}}.Encode()})
	require.Equal(t, 303, in.status, string(in.body))
	require.Equal(t, "./", in.header.Get("Location"), "relative, so that a proxy's path stays")
	cookie := in.header.Get("Set-Cookie")
	for _, part := range []string{"__Host-ltm-device=", "Secure", "HttpOnly", "SameSite=Strict", "Path=/"} {
		require.Contains(t, cookie, part)
	}
	require.NotContains(t, cookie, ann)
	through["Cookie"], _, _ = strings.Cut(cookie, ";")
	page := p.do("GET /ui/teams", request{header: through})
	require.Equal(t, 200, page.status)
	checkPage(t, shown{page, "/ui/teams"})
	form := hidden(shown{page, ""})
	form.Set("do", "create")
	form.Set("name", "alpha")
	made := p.do("POST /ui/teams", request{header: through, body: form.Encode()})
	require.Equal(t, 303, made.status, string(made.body))
	require.Equal(t, "team?name=alpha&done=created", made.header.Get("Location"))
	require.Equal(t, "ui/", p.do("GET /ui", request{}).header.Get("Location"))
	require.Equal(t, "ui/", p.do("GET /", request{}).header.Get("Location"), "a person types the name of the server")
	require.Equal(t, "sign-in", p.do("GET /ui/", request{}).header.Get("Location"))
	through["Origin"] = "https://evil.example"
	require.Equal(t, 403, p.do("POST /ui/teams", request{header: through, body: form.Encode()}).status)
}

// TestPagesSignInByCode approves a browser from another one.
func TestPagesSignInByCode(t *testing.T) {
	p := start(t)
	_, ann := p.newUser("ann")
	b := p.browser()
	v := b.post(200, "sign-in", url.Values{"do": {"ask"}, "next": {"tokens"}})
	code := regexp.MustCompile(`<kbd>([A-Z-]{9})</kbd>`).FindStringSubmatch(v.text())[1]
	form := url.Values{"do": {"continue"}, "code": {code}, "next": {"tokens"},
		"device": regexp.MustCompile(`name="device" value="([^"]+)"`).FindStringSubmatch(v.text())[1:]}
	v = b.post(400, "sign-in", form)
	require.Contains(t, v.text(), "This is not approved yet.")
	require.Contains(t, v.text(), code, "the code is still there")
	b.get(401, "packets")

	looked := p.decide(p.signIn(ann), "look", code, 200)
	require.Contains(t, looked, "a browser, for the server")
	p.decide(p.signIn(ann), "approve", code, 200)
	v = b.post(200, "sign-in", form)
	require.Equal(t, "/ui/tokens", v.address)
	require.Regexp(t, `<bdi>browser</bdi> <span class="hint">this sign-in`, v.text())
	b.post(400, "sign-in", form) // used

	tokens := func() int { return len(p.list("/v1/tokens", "tokens", ann)) }
	require.Equal(t, 2, tokens())
	b.post(200, "sign-out", hidden(b.get(200, "tokens")))
	require.Equal(t, 1, tokens(), "its token ends with it")

	v = b.post(200, "sign-in", url.Values{"do": {"ask"}})
	code = regexp.MustCompile(`<kbd>([A-Z-]{9})</kbd>`).FindStringSubmatch(v.text())[1]
	form.Set("device", regexp.MustCompile(`name="device" value="([^"]+)"`).FindStringSubmatch(v.text())[1])
	p.decide(p.signIn(ann), "deny", code, 200)
	v = b.post(400, "sign-in", form)
	require.Contains(t, v.text(), "This was denied.")
	require.Contains(t, v.text(), `type="password"`)
}

// TestPagesRefuseForms sends every form as other sites can, and without a session.
func TestPagesRefuseForms(t *testing.T) {
	p := start(t, withMemory(nil))
	person, _, ann := p.member("ann")
	person.press(200, "teams", "create", "name", "alpha")
	operator := p.operator(keyA)
	p.ok(201, "POST /v1/packets", request{token: ann, body: packetText(idA, "Go on.")})
	forms := 0
	for _, pattern := range p.srv.Patterns() {
		page, isForm := strings.CutPrefix(pattern, "POST /ui/")
		if !isForm || page == "sign-in" {
			continue
		}
		forms++
		address := map[string]string{"team": "team?name=alpha", "packet": "packet?id=" + idA, "user": "user?user=ann",
			"claim": "claim?user=ann&id=" + absent}[page]
		if address == "" {
			address = page
		}
		b, read := person, address
		switch page {
		case "sign-out":
			read = "teams"
		case "user", "claim":
			b, read = operator, "app"
		}
		form := hidden(b.get(200, read))
		for _, header := range [][]string{{"Origin", "https://evil.example"}, {"Origin", "null"}, {"Origin", ""},
			{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Sec-Fetch-Site", "none"},
			{"Origin", strings.Replace(p.url, "http", "https", 1)}} {
			v := b.post(403, address, form, header...)
			require.Contains(t, v.text(), "not sent by a page of this server", "%s %v", page, header)
		}
		for _, wrong := range []url.Values{{}, {"form": {"x"}}, {"form": {form.Get("form") + "A"}}} {
			b.post(403, address, wrong)
		}
		b.post(400, address, url.Values{"form": {"a", "b"}})
		if page != "sign-out" {
			b.post(400, address, url.Values{"form": {form.Get("form")}, "do": {"nothing"}})
			p.browser().post(401, address, form)
		}
	}
	require.Equal(t, 7, forms)
	stranger, _, _ := p.member("bob")
	person.post(403, "teams", filledIn(hidden(stranger.get(200, "teams")), "create", []string{"name", "beta"}))
	for _, page := range []string{"teams?do=create&name=x", "tokens?do=issue", "team?name=alpha&do=delete"} {
		person.get(400, page)
	}
	person.get(200, "team?name=alpha")
	v := person.post(413, "teams", url.Values{"name": {strings.Repeat("x", 9000)}})
	require.Contains(t, v.text(), "8192 bytes")
	require.Equal(t, 405, p.do("DELETE /ui/teams", request{}).status)
}

func TestPagesAreLimited(t *testing.T) {
	p := start(t, withMemory(nil), func(o *server.Options) {
		o.TokenRate, o.KeyRate = server.Rate{PerSecond: 1, Burst: 3}, server.Rate{PerSecond: 1, Burst: 3}
		o.FailureRate = server.Rate{PerSecond: 0.1, Burst: 4}
	})
	b, _, _ := p.member("ann")
	b.get(200, "teams")
	b.get(200, "teams")
	v := b.get(429, "teams")
	require.Contains(t, v.text(), "Too many requests")
	require.NotEmpty(t, v.header.Get("Retry-After"))
	operator := p.browser()
	operator.enter(keyA)
	operator.get(200, "jobs")
	operator.get(200, "jobs")
	operator.get(429, "jobs")

	stranger := p.browser()
	for range 4 {
		stranger.post(401, "sign-in", url.Values{"do": {"in"}, "secret": {"wrong"}})
	}
	stranger.post(429, "sign-in", url.Values{"do": {"in"}, "secret": {"wrong"}})
	p.clock.advance(20 * time.Second)
	stranger.post(401, "sign-in", url.Values{"do": {"in"}, "secret": {"wrong"}})
}

// TestPagesKeepSidesApart checks that a person sees nothing of applications, nor an operator of people, and that
// without a memory there are no pages of it.
func TestPagesKeepSidesApart(t *testing.T) {
	p := start(t, withMemory(nil))
	person, _, _ := p.member("ann")
	operator := p.browser()
	require.Equal(t, "/ui/app", operator.enter(keyA).address)
	ofPeople, ofApps := []string{"packets", "packet?id=" + idA, "teams", "team?name=alpha", "tokens"},
		[]string{"app", "user?user=ann", "profile?user=ann", "claim?user=ann&id=" + absent, "threads?user=ann",
			"thread?user=ann&id=" + absent, "summary?user=ann&thread=" + absent + "&id=" + absent, "jobs"}
	for _, page := range ofPeople {
		operator.get(403, page)
	}
	for _, page := range ofApps {
		person.get(403, page)
	}
	require.Equal(t, len(ofPeople)+len(ofApps), countPages(p.srv), "every page is named here")
	// The page for devices is for persons, too, and takes the same sign-in.
	for b, asks := range map[*browser]bool{person: false, operator: true} {
		req, err := http.NewRequest(http.MethodGet, p.url+"/device", nil)
		require.NoError(t, err)
		require.Equal(t, asks, strings.Contains(b.do(req).text(), `type="password"`))
	}
	require.Contains(t, operator.post(200, "sign-out", hidden(operator.get(200, "app"))).text(), "signed out")

	plain := start(t)
	b, _, _ := plain.member("bob")
	b.get(404, "app")
	require.NotContains(t, plain.browser().get(200, "sign-in").text(), "application")
	plain.browser().post(401, "sign-in", url.Values{"do": {"in"}, "secret": {keyA}})
}

// countPages counts the pages that need a signed-in person.
func countPages(s *server.Server) (n int) {
	for _, pattern := range s.Patterns() {
		page, isPage := strings.CutPrefix(pattern, "GET /ui/")
		if isPage && page != "{$}" && page != "style.css" && page != "times.js" && page != "sign-in" {
			n++
		}
	}
	return n
}

// TestPagesOfAnIssuersApplication checks that a key shows no more than it gets from the interface.
func TestPagesOfAnIssuersApplication(t *testing.T) {
	p := start(t, withApps, func(o *server.Options) {
		o.Memory.(emptyMemory).apps[keyIssuer] = threads.App{ID: "01K3Q8ZJ6M4T2V9XWBDN7RAPPJ", Name: "j",
			Settings: threads.Settings{Issuer: &threads.Issuer{URL: "https://issuer.example", Audience: "chat"}}}
	})
	b := p.browser()
	v := b.post(403, "sign-in", url.Values{"do": {"in"}, "secret": {keyIssuer}})
	require.Contains(t, v.text(), "have tokens of their own")
	b.get(401, "app")

	// An application that gets an issuer while a person looks.
	b.enter(keyA)
	b.get(200, "app")
	apps := p.memory.(emptyMemory).apps
	a := apps[keyA]
	a.Settings.Issuer = &threads.Issuer{URL: "https://issuer.example"}
	apps[keyA] = a
	b.get(403, "app")
	b.get(403, "user?user=ann")
}

func TestPagesStyle(t *testing.T) {
	p := start(t)
	page := p.browser().get(200, "sign-in")
	address := regexp.MustCompile(`<link rel="stylesheet" href="(style\.css\?v=[0-9a-f]+)">`).FindStringSubmatch(page.text())
	require.NotNil(t, address)
	a := p.ok(200, "GET /ui/"+address[1], request{})
	require.Equal(t, "text/css; charset=utf-8", a.header.Get("Content-Type"))
	require.Contains(t, a.header.Get("Cache-Control"), "immutable")
	sheet := string(a.body)
	for _, no := range []string{"url(", "@import", "http:", "https:", "expression"} {
		require.NotContains(t, sheet, no)
	}
	for _, part := range []string{"prefers-color-scheme: dark", "max-width", ":focus-visible", "@media print"} {
		require.Contains(t, sheet, part)
	}
	require.Less(t, len(sheet)+len(page.body), 40_000)
	for path, up := range map[string]string{"nothing": "", "a/b": "../", "a/b/c": "../../"} {
		v := p.browser().get(404, path)
		require.Contains(t, v.text(), `href="`+up+`style.css?v=`, "a page at any depth finds it")
	}
	require.Equal(t, http.StatusNotFound, p.do("GET /ui//x", request{}).status)
}
