package page_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/page"
)

// loopback is the host that requests of these tests name, unless they say otherwise.
const loopback = "127.0.0.1:5861"

// visitor is a browser with a jar of one cookie.
type visitor struct {
	t      *testing.T
	site   *page.Site
	cookie *http.Cookie
}

// enter is a visitor that came by a link.
func enter(t *testing.T, site *page.Site) visitor {
	t.Helper()
	link, err := site.Link()
	require.NoError(t, err)
	v := visitor{t: t, site: site}
	answer := v.ask(http.MethodGet, "/"+link, nil)
	require.Equal(t, http.StatusOK, answer.Code)
	require.Len(t, answer.Result().Cookies(), 1)
	v.cookie = answer.Result().Cookies()[0]
	return v
}

// ask sends a request as a browser does that follows a link or sends a form of the page, with some headers changed.
func (v visitor) ask(method, address string, headers map[string]string) *httptest.ResponseRecorder {
	return v.request(method, address, "", headers)
}

// send posts a form of the page.
func (v visitor) send(address, form string) *httptest.ResponseRecorder {
	return v.request(http.MethodPost, address, form,
		map[string]string{"Content-Type": "application/x-www-form-urlencoded"})
}

func (v visitor) request(method, address, body string, headers map[string]string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(v.t.Context(), method, "http://"+loopback+address, strings.NewReader(body))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Sec-Fetch-Mode", "navigate")
	r.Header.Set("Sec-Fetch-Dest", "document")
	if v.cookie != nil {
		r.AddCookie(v.cookie)
	}
	for name, value := range headers {
		switch {
		case name == "Host":
			r.Host = value
		case value == "":
			r.Header.Del(name)
		default:
			r.Header.Set(name, value)
		}
	}
	w := httptest.NewRecorder()
	v.site.ServeHTTP(w, r)
	return w
}

func (v visitor) get(address string) *httptest.ResponseRecorder {
	return v.ask(http.MethodGet, address, nil)
}

// paths are one of each sort of address.
func paths() []string {
	return []string{"/", "/memories", "/memory/mem_00000001", "/memory/mem_00000001/file", "/none"}
}

func TestALinkLetsInOneVisitorOnce(t *testing.T) {
	site, _ := newSite(t, someMemories())
	link, err := site.Link()
	require.NoError(t, err)
	first, second := visitor{t: t, site: site}, visitor{t: t, site: site}
	in := first.get("/" + link)
	require.Equal(t, http.StatusOK, in.Code)
	require.Contains(t, in.Body.String(), `http-equiv="refresh" content="0;url=./"`)
	require.NotContains(t, in.Body.String(), strings.TrimPrefix(link, "enter?token="))
	cookie := in.Result().Cookies()[0]
	require.True(t, cookie.HttpOnly)
	require.Equal(t, http.SameSiteStrictMode, cookie.SameSite)

	used := second.get("/" + link)
	require.Equal(t, http.StatusForbidden, used.Code)
	require.Empty(t, used.Result().Cookies())
	require.Contains(t, used.Body.String(), "was used before")
	require.Contains(t, used.Body.String(), "ltm ui")

	first.cookie = cookie
	again := first.get("/" + link)
	require.Equal(t, http.StatusSeeOther, again.Code, "a visitor that is inside goes to the start page")
	require.Equal(t, "./", again.Header().Get("Location"))
}

func TestALinkIsNotUsedUpByLookingAtItsHead(t *testing.T) {
	site, _ := newSite(t, someMemories())
	link, err := site.Link()
	require.NoError(t, err)
	v := visitor{t: t, site: site}
	head := v.ask(http.MethodHead, "/"+link, nil)
	require.Equal(t, http.StatusOK, head.Code)
	require.Empty(t, head.Result().Cookies())
	require.Equal(t, http.StatusOK, v.get("/"+link).Code)
	require.Equal(t, http.StatusForbidden, v.ask(http.MethodHead, "/"+link, nil).Code, "it was used")
}

// TestCookiesOfEarlierPagesAreBounded, as a browser that keeps its sessions sends all of them to this host name.
func TestCookiesOfEarlierPagesAreBounded(t *testing.T) {
	site, _ := newSite(t, someMemories())
	link, err := site.Link()
	require.NoError(t, err)
	sent := []string{"session=another-program"}
	for i := range 20 {
		sent = append(sent, fmt.Sprintf("ltm-page%02d=x", i))
	}
	v := visitor{t: t, site: site}
	answer := v.ask(http.MethodGet, "/"+link, map[string]string{"Cookie": strings.Join(sent, "; ")})
	var gone []string
	for _, c := range answer.Result().Cookies() {
		if c.MaxAge < 0 {
			gone = append(gone, c.Name)
		}
	}
	require.Equal(t, []string{"ltm-page00", "ltm-page01", "ltm-page02", "ltm-page03"}, gone, "the oldest")
}

// TestAStolenPathShowsNothing asks for every sort of address without the cookie, and with that of another page.
func TestAStolenPathShowsNothing(t *testing.T) {
	site, _ := newSite(t, someMemories())
	other, _ := newSite(t, someMemories())
	guest := visitor{t: t, site: site}
	fromOther := guest
	fromOther.cookie = enter(t, other).cookie
	forged := guest
	forged.cookie = &http.Cookie{Name: enter(t, site).cookie.Name, Value: enter(t, other).cookie.Value}
	for _, v := range []visitor{guest, fromOther, forged} {
		for _, path := range paths() {
			answer := v.get(path)
			require.Equal(t, http.StatusForbidden, answer.Code, path)
			require.NotContains(t, answer.Body.String(), "Pool")
			require.NotContains(t, answer.Body.String(), "harbor", "the project's name")
		}
	}
}

// TestTwoPagesAtOnce has cookies of two pages in one browser, which sends both to either.
func TestTwoPagesAtOnce(t *testing.T) {
	one, _ := newSite(t, someMemories())
	two, _ := newSite(t, someMemories())
	a, b := enter(t, one), enter(t, two)
	require.NotEqual(t, a.cookie.Name, b.cookie.Name)
	both := a.cookie.Name + "=" + a.cookie.Value + "; " + b.cookie.Name + "=" + b.cookie.Value
	for _, site := range []*page.Site{one, two} {
		v := visitor{t: t, site: site}
		require.Equal(t, http.StatusOK, v.ask(http.MethodGet, "/", map[string]string{"Cookie": both}).Code)
	}
	shadow := a.cookie.Name + "=wrong; " + a.cookie.Name + "=" + a.cookie.Value
	v := visitor{t: t, site: one}
	require.Equal(t, http.StatusOK, v.ask(http.MethodGet, "/", map[string]string{"Cookie": shadow}).Code,
		"another program on the host may set a cookie of the same name")
}

// TestHostNames refuses names that someone else can have resolved to this machine.
func TestHostNames(t *testing.T) {
	site, _ := newSite(t, someMemories(), "Box.Example")
	v := enter(t, site)
	for _, host := range []string{"localhost", "localhost:1", "LOCALHOST:5861", "127.0.0.1", "127.8.9.1:80", "[::1]",
		"[::1]:5861", "box.example", "box.example:443"} {
		require.Equal(t, http.StatusOK, v.ask(http.MethodGet, "/", map[string]string{"Host": host}).Code, host)
	}
	for _, host := range []string{"evil.example", "evil.example:5861", "localhost.evil.example",
		"127.0.0.1.evil.example", "127.0.0.1.nip.io", "128.0.0.1", "0.0.0.0", "[::]", "10.0.0.1",
		"[::ffff:127.0.0.1]",
		"localhost.", "", "127.1",
		"2130706433", "[::1%lo]", "127.0.0.1:5861@evil.example", "a.box.example", "box.example.evil.example"} {
		for _, path := range append(paths(), "/enter?token=x", "/assets/x") {
			answer := v.ask(http.MethodGet, path, map[string]string{"Host": host})
			require.Equal(t, http.StatusMisdirectedRequest, answer.Code, "%q %s", host, path)
			require.NotContains(t, answer.Body.String(), "Pool")
		}
	}
}

// TestChangesNeedThePageItself posts in every way that is not the page's own.
func TestChangesNeedThePageItself(t *testing.T) {
	site, stopped := newSite(t, someMemories())
	v := enter(t, site)
	for name, headers := range map[string]map[string]string{
		"cross-site":            {"Sec-Fetch-Site": "cross-site"},
		"another port":          {"Sec-Fetch-Site": "same-site"},
		"typed":                 {"Sec-Fetch-Site": "none"},
		"says nothing":          {"Sec-Fetch-Site": ""},
		"foreign origin":        {"Sec-Fetch-Site": "", "Origin": "http://evil.example"},
		"another port's origin": {"Sec-Fetch-Site": "", "Origin": "http://127.0.0.1:1"},
		"no origin":             {"Sec-Fetch-Site": "", "Origin": "null"},
		"like ours":             {"Sec-Fetch-Site": "", "Origin": "http://" + loopback + ".evil.example"},
		"another scheme":        {"Sec-Fetch-Site": "", "Origin": "ftp://" + loopback},
	} {
		require.Equal(t, http.StatusForbidden, v.ask(http.MethodPost, "/stop", headers).Code, name)
	}
	guest := visitor{t: t, site: site}
	require.Equal(t, http.StatusForbidden, guest.ask(http.MethodPost, "/stop", nil).Code, "no cookie")
	require.False(t, *stopped)
	for _, headers := range []map[string]string{nil, {"Sec-Fetch-Site": "", "Origin": "http://" + loopback}} {
		answer := v.ask(http.MethodPost, "/stop", headers)
		require.Equal(t, http.StatusOK, answer.Code)
		require.Contains(t, answer.Body.String(), "It has ended")
		require.NotContains(t, answer.Body.String(), "<nav", "no link leads anywhere any more")
		require.True(t, *stopped)
		*stopped = false
	}
}

func TestNoOtherMethodDoesAnything(t *testing.T) {
	site, stopped := newSite(t, someMemories())
	v := enter(t, site)
	for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodOptions, "TRACE"} {
		require.Equal(t, http.StatusMethodNotAllowed, v.ask(method, "/stop", nil).Code, method)
	}
	v.get("/stop")
	require.False(t, *stopped, "GET changes nothing")
}

// TestAnotherSiteCannotLoadWhatIsHere asks as a page elsewhere does for images, scripts, frames and data.
func TestAnotherSiteCannotLoadWhatIsHere(t *testing.T) {
	site, _ := newSite(t, someMemories())
	v := enter(t, site)
	for _, from := range []string{"cross-site", "same-site"} {
		for dest, mode := range map[string]string{"image": "no-cors", "script": "no-cors", "empty": "cors",
			"iframe": "navigate", "object": "navigate"} {
			for _, path := range paths() {
				answer := v.ask(http.MethodGet, path,
					map[string]string{"Sec-Fetch-Site": from, "Sec-Fetch-Dest": dest, "Sec-Fetch-Mode": mode})
				require.Equal(t, http.StatusForbidden, answer.Code, "%s %s %s", from, dest, path)
			}
		}
		require.Equal(t, http.StatusOK, v.ask(http.MethodGet, "/", map[string]string{"Sec-Fetch-Site": from}).Code,
			"a link to the page is followed")
	}
}

// TestEveryAnswerHasThePolicy looks at answers of every sort, refusals included.
func TestEveryAnswerHasThePolicy(t *testing.T) {
	site, _ := newSite(t, someMemories())
	v := enter(t, site)
	answers := []*httptest.ResponseRecorder{v.ask(http.MethodGet, "/", map[string]string{"Host": "evil.example"}),
		v.ask(http.MethodPost, "/stop", map[string]string{"Sec-Fetch-Site": "cross-site"}), v.get("/enter?token=x"),
		visitor{t: t, site: site}.get("/"), v.ask(http.MethodPost, "/control/link", nil)}
	for _, path := range paths() {
		answers = append(answers, v.get(path))
	}
	for _, answer := range answers {
		h := answer.Header()
		csp := h.Get("Content-Security-Policy")
		require.Contains(t, csp, "default-src 'none'")
		require.Contains(t, csp, "frame-ancestors 'none'")
		require.NotContains(t, csp, "unsafe")
		require.Equal(t, "no-referrer", h.Get("Referrer-Policy"))
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
		require.Equal(t, "DENY", h.Get("X-Frame-Options"))
		require.Equal(t, "no-store", h.Get("Cache-Control"))
	}
}

// process asks a site for a link as another process does, and changes what it sends or gets.
type process struct {
	site   *page.Site
	ask    func(*http.Request)
	answer func(http.Header, *string)
	sent   string
}

// RoundTrip implements [http.RoundTripper].
func (p *process) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Host = r.URL.Host
	if p.ask != nil {
		p.ask(r)
	}
	p.sent = fmt.Sprint(r.Header, r.URL)
	out := httptest.NewRecorder()
	p.site.ServeHTTP(out, r)
	answer := out.Result()
	if link := out.Body.String(); p.answer != nil {
		p.answer(answer.Header, &link)
		answer.Body = io.NopCloser(strings.NewReader(link))
	}
	return answer, nil
}

// TestControl gives a new link to who has the secret but to no browser, and accepts links from no one else.
func TestControl(t *testing.T) {
	site, _ := newSite(t, someMemories())
	link := func(p *process, control string) string {
		p.site = site
		return page.AskForLink(t.Context(), &http.Client{Transport: p}, "http://"+loopback+"/", control)
	}
	good := &process{}
	got := link(good, site.Control())
	require.Regexp(t, `^enter\?token=[\w-]{43}$`, got)
	require.NotContains(t, good.sent, site.Control(), "it is not sent")
	require.Equal(t, http.StatusOK, visitor{t: t, site: site}.get("/"+got).Code)
	require.Empty(t, link(&process{}, strings.Repeat("x", 43)), "another secret")
	require.Empty(t, link(&process{}, ""))
	set := func(key, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(key, value) }
	}
	for name, change := range map[string]func(*http.Request){
		"no proof": set("Authorization", ""), "the secret itself": set("Authorization", "Bearer "+site.Control()),
		"another nonce": func(r *http.Request) {
			r.Header.Set("Authorization", strings.Replace(r.Header.Get("Authorization"), " ", " x", 1))
		},
		"a browser": set("Sec-Fetch-Site", "same-origin"), "a page": set("Origin", "http://"+loopback),
		"another host": func(r *http.Request) { r.Host = "evil.example" },
		"a get":        func(r *http.Request) { r.Method = http.MethodGet },
	} {
		require.Empty(t, link(&process{ask: change}, site.Control()), name)
	}
	for name, change := range map[string]func(http.Header, *string){
		"no proof":     func(h http.Header, _ *string) { h.Del("Ltm-Proof") },
		"another link": func(_ http.Header, link *string) { *link = "enter?token=" + strings.Repeat("x", 43) },
		"more":         func(_ http.Header, link *string) { *link += "\x1b[2J" },
	} {
		require.Empty(t, link(&process{answer: change}, site.Control()), name)
	}
}

// TestOpenLinksAreBounded keeps the newest links open.
func TestOpenLinksAreBounded(t *testing.T) {
	site, _ := newSite(t, someMemories())
	var links []string
	for range 100 {
		link, err := site.Link()
		require.NoError(t, err)
		links = append(links, link)
	}
	v := visitor{t: t, site: site}
	require.Equal(t, http.StatusForbidden, v.get("/"+links[0]).Code)
	require.Equal(t, http.StatusOK, v.get("/"+links[99]).Code)
	_, err := url.Parse(links[99])
	require.NoError(t, err)
}
