package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// The pages for people, below /ui/. Every page shows what a route of the interface answers to the same person, and
// every button does what a route does, by the same functions. Links are relative, so that a proxy may put the server
// below any path; all pages have addresses of the form /ui/NAME?…, so that no text of anyone is part of a path.
const uiPath = "/ui/"

// bodySignIn and bodyUI are the largest forms.
const (
	bodySignIn = 8192
	bodyUI     = 8192
)

// screen is a page with the forms on it.
type screen struct {
	name  string // in its address
	who   access // people, operators or open
	query []string
	show  func(ctx context.Context, c *call, q fields) (*view, error)
	do    map[string]action // by what the pressed button says
}

// fields are the parameters of an address, or the fields of a form.
type fields map[string]string

// action does what a form asks for. If it fails, its page is shown again with what was wrong.
type action func(ctx context.Context, c *call, q, form fields) (outcome, error)

// outcome says what the browser does after an action.
type outcome struct {
	to     string  // where to go; "": the same page
	done   string  // what is said there, see [notices]
	secret *secret // shown on this answer, and never again
}

// secret is what is shown once.
type secret struct{ Title, Value, Text string }

// view is what a page shows.
type view struct {
	Title string
	Body  string // the name of its template
	Data  any

	Section string // of the navigation
	Up      string // the way to /ui/
	Style   string // the address of the style sheet, as is Script
	Script  string
	Who     string // is signed in
	App     bool   // an application's operator is
	Apps    bool   // there are applications
	Form    string // proves that a form is of this session
	Once    string // names a form, so that it is not taken twice
	Notice  string // what was done
	Error   string
	Secret  *secret
	Next    string // where signing in leads
}

// notices are what a page says after an action. An address has their names, so that no text of anyone is in it.
func notices() map[string]string {
	return map[string]string{
		"deleted": "The packet is deleted.", "created": "The team is created.", "joined": "You are in the team now.",
		"left": "You have left the team.", "team-deleted": "The team is deleted with its packets and invites.",
		"removed": "They are out of the team, and its open invites are revoked.",
		"handed":  "The team has another owner now.", "revoked": "The invite is revoked.",
		"confirmed":     "The claim is confirmed: it counts as true.",
		"rejected":      "The claim is rejected, and is not suggested again.",
		"token-revoked": "The token is revoked: whatever used it is signed out.", "out": "You are signed out.",
	}
}

func (s *Server) registerUI() {
	s.uiAssets()
	s.uiSignIn()
	all := slices.Concat(s.uiPackets(), s.uiTeams(), s.uiTokens())
	if s.opts.Memory != nil {
		all = append(all, s.uiApps()...)
	}
	for _, p := range all {
		s.registerScreen(p)
	}
	s.router.page("GET /ui/{$}", policy{Access: open}, func(w http.ResponseWriter, r *http.Request, c *call) {
		e, ok := s.readSession(r, c)
		switch {
		case !ok:
			seeOther(w, "sign-in")
		case e.kind == withKey:
			seeOther(w, "app")
		default:
			seeOther(w, "packets")
		}
	})
	for _, pattern := range []string{"GET /ui", "GET /{$}"} {
		s.router.page(pattern, policy{Access: open}, func(w http.ResponseWriter, _ *http.Request, _ *call) {
			seeOther(w, "ui/")
		})
	}
}

// seeOther leads to another page, by a relative address.
func seeOther(w http.ResponseWriter, to string) {
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
}

// uiAssets serves the style sheet and the script, under addresses that change with them.
func (s *Server) uiAssets() {
	kinds := map[string]string{"style.css": "text/css", "times.js": "text/javascript"} // a machine may know others
	for name, data := range map[string][]byte{"style.css": s.pages.sheet, "times.js": s.pages.script} {
		s.router.page("GET /ui/"+name, policy{Access: open, Query: []string{"v"}},
			func(w http.ResponseWriter, _ *http.Request, _ *call) {
				w.Header().Set("Content-Type", kinds[name]+"; charset=utf-8")
				w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
				_, _ = w.Write(data) // the client is gone
			})
	}
}

// registerScreen registers a page and its forms.
func (s *Server) registerScreen(p screen) {
	p.query = append(p.query, "done")
	show := policy{Access: p.who, Query: p.query}
	s.router.page("GET "+uiPath+p.name, show, func(w http.ResponseWriter, r *http.Request, c *call) {
		q := queryFields(r)
		done := q["done"]
		delete(q, "done")
		v, err := p.show(r.Context(), c, q)
		if err != nil {
			s.uiFault(w, r, c, err)
			return
		}
		v.Notice = notices()[done]
		s.sendView(w, r, c, http.StatusOK, v)
	})
	if len(p.do) == 0 {
		return
	}
	take := policy{Access: p.who, Query: p.query, Body: bodyUI}
	s.router.page("POST "+uiPath+p.name, take, func(w http.ResponseWriter, r *http.Request, c *call) {
		s.takeForm(w, r, c, p)
	})
}

func queryFields(r *http.Request) fields {
	q := fields{}
	for name, given := range r.URL.Query() { // [checkQuery] let one of each through
		q[name] = given[0]
	}
	return q
}

// address returns where an outcome leads.
func (o outcome) address(name string, q fields) string {
	to := o.to
	if to == "" {
		to = link(name, q.pairs()...)
	}
	if o.done == "" {
		return to
	}
	if strings.Contains(to, "?") {
		return to + "&done=" + o.done
	}
	return to + "?done=" + o.done
}

func (q fields) pairs() (pairs []string) {
	for _, name := range slices.Sorted(maps.Keys(q)) {
		pairs = append(pairs, name, q[name])
	}
	return pairs
}

// link returns the relative address of a page with parameters, without those that are empty.
func link(name string, pairs ...string) string {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	if len(v) == 0 {
		return name
	}
	return name + "?" + v.Encode()
}

// sentence returns a problem's text as a page shows it.
func sentence(text string) string {
	if text == "" {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// writeProblem answers a request that is refused: as a page to who reads pages.
func (s *Server) writeProblem(w *response, r *http.Request, c *call, p *Problem) {
	if !strings.HasPrefix(r.URL.Path, uiPath) {
		p.write(w)
		return
	}
	s.uiFault(w, r, c, p)
}

// fault is what a page says that cannot be shown.
type fault struct {
	Detail, Request string
	SignIn          bool
}

// uiFault shows a problem. A visitor who is not signed in gets the sign-in form.
func (s *Server) uiFault(w http.ResponseWriter, r *http.Request, c *call, err error) {
	p := c.failed(err)
	maps.Copy(w.Header(), p.header)
	if p.Status == http.StatusUnauthorized {
		if r.Method != http.MethodPost {
			s.sendSignIn(w, r, c, p.Status, signIn{}, nextOf(r), sentence(p.Detail))
			return
		}
		s.sendSignIn(w, r, c, p.Status, signIn{}, "", sentence(p.Detail))
		return
	}
	s.sendView(w, r, c, p.Status, &view{Title: p.Title, Body: "fault",
		Data: fault{sentence(p.Detail), c.id, c.session == nil}})
}

// sendView sends a page.
func (s *Server) sendView(w http.ResponseWriter, r *http.Request, c *call, status int, v *view) {
	v.Up = strings.Repeat("../", max(strings.Count(r.URL.EscapedPath(), "/")-2, 0))
	v.Style, v.Script = v.Up+"style.css?v="+s.pages.sheetName, v.Up+"times.js?v="+s.pages.scriptName
	v.Apps = s.opts.Memory != nil
	if c.session != nil {
		v.Form, v.App = s.formOf(*c.session), c.app != nil
		if v.Who = shownUser(c.user); v.App {
			v.Who = c.app.app.Name
		}
	}
	var err error
	if v.Once, err = s.newID(); err == nil {
		err = s.pages.sendUI(w, status, v)
	}
	if err != nil {
		c.failed(err).write(w)
	}
}

// maxNext is the length of an address that signing in leads to.
const maxNext = 2000

// nextOf returns where a page is, to return to it.
func nextOf(r *http.Request) string {
	name := strings.TrimPrefix(r.URL.Path, uiPath)
	if r.URL.RawQuery != "" {
		name += "?" + r.URL.RawQuery
	}
	return checkNext(name)
}

// checkNext returns an address if it is one of a page here; otherwise "".
func checkNext(to string) string {
	name, _, _ := strings.Cut(to, "?")
	if name == "" || len(to) > maxNext || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz-") != "" {
		return ""
	}
	for i := range len(to) {
		if to[i] <= ' ' || to[i] > '~' || to[i] == '\\' {
			return ""
		}
	}
	return to
}

// nameOf returns a short name of an asset's bytes.
func nameOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}
