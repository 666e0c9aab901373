package server_test

import (
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server"
)

// browser reads pages as a person does: with cookies, following redirects, and with the forms that are on the pages.
type browser struct {
	t      testing.TB
	p      *place
	base   string // of the server, as the browser sees it
	client *http.Client
}

func (p *place) browser() *browser {
	jar, err := cookiejar.New(nil)
	require.NoError(p.t, err)
	return &browser{p.t, p, p.url, &http.Client{Jar: jar, Transport: p.http.Client().Transport}}
}

// shown is a page that a browser shows.
type shown struct {
	answer
	address string // path and query
}

func (v shown) text() string { return string(v.body) }

func (b *browser) do(req *http.Request) shown {
	b.t.Helper()
	resp, err := b.client.Do(req)
	require.NoError(b.t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(b.t, err)
	v := shown{answer{resp.StatusCode, resp.Header, body}, resp.Request.URL.RequestURI()}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") && strings.HasPrefix(v.address, "/ui") {
		checkPage(b.t, v)
	}
	return v
}

// get loads a page, such as "packets?tag=a", which must have a status.
func (b *browser) get(status int, page string) shown {
	b.t.Helper()
	req, err := http.NewRequest(http.MethodGet, b.base+"/ui/"+page, nil)
	require.NoError(b.t, err)
	v := b.do(req)
	require.Equal(b.t, status, v.status, "%s: %s", page, v.body)
	return v
}

// post sends a form to a page, as a page of the server does.
func (b *browser) post(status int, page string, form url.Values, header ...string) shown {
	b.t.Helper()
	req, err := http.NewRequest(http.MethodPost, b.base+"/ui/"+page, strings.NewReader(form.Encode()))
	require.NoError(b.t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", b.base)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	v := b.do(req)
	require.Equal(b.t, status, v.status, "%s %v: %s", page, form, v.body)
	return v
}

var hiddenField = regexp.MustCompile(`<input type="hidden" name="(form|once)" value="([^"]*)">`)

// hidden returns the fields that forms of a page have.
func hidden(v shown) url.Values {
	form := url.Values{}
	for _, m := range hiddenField.FindAllStringSubmatch(v.text(), -1) {
		form.Set(m[1], m[2])
	}
	return form
}

// press loads a page and presses a button on it, with fields filled in.
func (b *browser) press(status int, page, button string, filled ...string) shown {
	b.t.Helper()
	v := b.get(200, page)
	require.Contains(b.t, v.text(), `value="`+button+`"`, "there is such a button")
	form := hidden(v)
	require.NotEmpty(b.t, form.Get("form"))
	return b.post(status, page, filledIn(form, button, filled))
}

func filledIn(form url.Values, button string, filled []string) url.Values {
	form.Set("do", button)
	for i := 0; i+1 < len(filled); i += 2 {
		form.Set(filled[i], filled[i+1])
	}
	return form
}

// enter signs a browser in with a token or a key.
func (b *browser) enter(secret string) shown {
	b.t.Helper()
	b.get(200, "sign-in")
	return b.post(200, "sign-in", url.Values{"do": {"in"}, "secret": {secret}})
}

// elements lists what pages consist of. Nothing in them embeds or fetches but the style sheet and the script.
func elements() []string {
	return strings.Fields("html head meta title script link body a header nav form input span bdi button main p " +
		"section h1 h2 h3 code kbd div footer ul ol li label select option table caption thead tbody tr th td " +
		"dl dt dd details summary strong time pre br")
}

// checkPage checks what holds for every page: it is well-formed, has no style or foreign address and no script but
// one, each field has a label, and at most one button is the primary one.
func checkPage(t testing.TB, v shown) {
	t.Helper()
	require.Equal(t, "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; "+
		"base-uri 'none'; script-src 'self'", v.header.Get("Content-Security-Policy"))
	require.Equal(t, "no-store", v.header.Get("Cache-Control"))
	require.Equal(t, "nosniff", v.header.Get("X-Content-Type-Options"))
	require.Equal(t, "same-origin", v.header.Get("Referrer-Policy"))
	require.Equal(t, "DENY", v.header.Get("X-Frame-Options"))
	d := xml.NewDecoder(strings.NewReader(strings.Replace(v.text(), "<!doctype html>", "", 1)))
	d.Strict, d.AutoClose, d.Entity = false, []string{"meta", "link", "input", "br"}, xml.HTMLEntity
	labels, fields, headings, ids := map[string]bool{}, []string{}, 0, map[string]bool{}
	inLabel, primary := false, 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err, v.text())
		if end, ok := token.(xml.EndElement); ok && end.Name.Local == "label" {
			inLabel = false
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		name := e.Name.Local
		require.Contains(t, elements(), name, v.address)
		if name == "h1" {
			headings++
		}
		attributes := checkAttributes(t, v, e)
		if id := attributes["id"]; id != "" {
			require.False(t, ids[id], "two elements have the id %s", id)
			ids[id] = true
		}
		if slices.Contains(strings.Fields(attributes["class"]), "main") {
			primary++
		}
		switch {
		case name == "label":
			labels[attributes["for"]], inLabel = true, true
		case inLabel:
		case name == "input" && attributes["type"] != "hidden", name == "select":
			fields = append(fields, attributes["id"])
		case name == "form" && attributes["method"] == "":
			t.Errorf("%s: a form without a method", v.address)
		}
	}
	require.Equal(t, 1, headings, "%s: one heading of the page", v.address)
	require.LessOrEqual(t, primary, 1, "%s: primary buttons", v.address)
	for _, field := range fields {
		require.True(t, labels[field], "%s: the field %q has a label", v.address, field)
	}
}

// checkAttributes returns the attributes of an element, none of which may run or lead elsewhere.
func checkAttributes(t testing.TB, v shown, e xml.StartElement) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, a := range e.Attr {
		name := strings.ToLower(a.Name.Local)
		all[name] = a.Value
		never := []string{"style", "src", "srcdoc", "http-equiv", "formaction", "target", "ping", "background"}
		if name == "src" {
			require.Regexp(t, `^script (\.\./)*times\.js\?v=\w+$`, e.Name.Local+" "+a.Value)
			continue
		}
		require.False(t, strings.HasPrefix(name, "on") || slices.Contains(never, name), "%s: <%s %s>", v.address,
			e.Name.Local, name)
		if name == "href" || name == "action" {
			require.Regexp(t, `^(#main|(\.\./)*(\./|docs|device|[a-z.-]+(\?[!-~]*)?))$`, a.Value, v.address)
		}
	}
	return all
}

// member adds a user and signs a browser in as them.
func (p *place) member(name string) (b *browser, id, token string) {
	p.t.Helper()
	id, token = p.newUser(name)
	b = p.browser()
	v := b.enter(token)
	require.Equal(p.t, "/ui/packets", v.address)
	return b, id, token
}

// withProxy has a server behind a proxy at https://example.org/ltm.
func withProxy(o *server.Options) { o.ExternalURL = "https://example.org/ltm" }
