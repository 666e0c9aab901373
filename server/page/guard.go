package page

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// cookiePrefix begins the names of the cookies of all pages.
const cookiePrefix = "ltm-"

// maxTickets is how many links can be open at once. The oldest is closed for one more.
const maxTickets = 32

// wall decides who is answered at all.
type wall struct {
	hosts   []string // besides loopback, in lower case
	cookie  string   // the name of the session's cookie: of this process alone, as cookies do not know ports
	session string   // its value
	control string   // the secret of other processes of the same person
	cross   *http.CrossOriginProtection
	now     func() time.Time

	mu      sync.Mutex
	tickets [][sha256.Size]byte // of links that were not used yet
	last    time.Time           // when the last visitor was answered
	running int                 // requests that are being answered
}

func newWall(hosts []string, now func() time.Time) (*wall, error) {
	name, err := secret(6)
	if err != nil {
		return nil, err
	}
	session, err := secret(32)
	if err != nil {
		return nil, err
	}
	control, err := secret(32)
	if err != nil {
		return nil, err
	}
	w := &wall{cookie: cookiePrefix + name, session: session, control: control, now: now, last: now(),
		cross: http.NewCrossOriginProtection()}
	for _, host := range hosts {
		w.hosts = append(w.hosts, strings.ToLower(host))
	}
	return w, nil
}

// secret returns n random bytes as a text for addresses.
func secret(n int) (string, error) {
	data := make([]byte, n)
	if _, err := rand.Read(data); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(data), nil
}

// policy is what the browser may do on the page: nothing that did not come with it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// refusal is a request that was not carried out, for a reason of the page itself.
type refusal struct {
	status int
	text   string
}

// Error implements error.
func (r *refusal) Error() string { return r.text }

// around returns a handler behind the wall. refuse answers what does not get through.
func (w *wall) around(next http.Handler, refuse func(http.ResponseWriter, *http.Request, *refusal)) http.Handler {
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		h := out.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		h.Set("Cache-Control", "no-store")
		if why := w.refuses(r); why != nil {
			refuse(out, r, why)
			return
		}
		defer w.visit(r)()
		next.ServeHTTP(out, r)
	})
}

// refuses returns why a request is not answered at all, or nil.
func (w *wall) refuses(r *http.Request) *refusal {
	if !w.isOurs(r.Host) {
		return &refusal{http.StatusMisdirectedRequest, "this page does not answer under that host name; " +
			"ltm ui --allow-host NAME adds one"}
	}
	if r.URL.Path == controlPath {
		return w.controls(r)
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		if strange(r.Header) {
			return &refusal{http.StatusForbidden, "another site asked for this"}
		}
		return nil
	case http.MethodPost:
	default:
		return &refusal{http.StatusMethodNotAllowed, "only GET and POST are answered"}
	}
	if err := w.cross.Check(r); err != nil || !w.fromOurPage(r) {
		return &refusal{http.StatusForbidden, "this did not come from the page itself; nothing was changed"}
	}
	if !w.isInside(r) {
		return &refusal{http.StatusForbidden, "you are not signed in here, so nothing was changed; " +
			"get a new link by ltm ui, then load the page with the form again: what you typed is still in its tab"}
	}
	return nil
}

// isOurs reports whether a request's host is one that only this machine resolves to this page. A name of anyone else
// would let a page of theirs read what is here (DNS rebinding).
func (w *wall) isOurs(host string) bool {
	name := strings.ToLower(host)
	if h, port, err := net.SplitHostPort(name); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
		name = h
	} else {
		name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	}
	if name == "localhost" || slices.Contains(w.hosts, name) {
		return true
	}
	address, err := netip.ParseAddr(name)
	return err == nil && (address == netip.IPv6Loopback() || address.Is4() && address.IsLoopback())
}

// strange reports whether another site's page has the browser fetch something. Following a link to a page is fine.
func strange(h http.Header) bool {
	switch h.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return false
	}
	return h.Get("Sec-Fetch-Mode") != "navigate" || h.Get("Sec-Fetch-Dest") != "document"
}

// fromOurPage reports whether a browser says that a page of this site sent a request. [http.CrossOriginProtection]
// lets through requests that say nothing; here nothing is changed without a word.
func (w *wall) fromOurPage(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && (origin.Scheme == "http" || origin.Scheme == "https") && origin.Host == r.Host
}

// isInside reports whether a request has the session's cookie.
func (w *wall) isInside(r *http.Request) bool {
	for _, c := range r.CookiesNamed(w.cookie) { // another program on this host may have set one, too
		if subtle.ConstantTimeCompare([]byte(c.Value), []byte(w.session)) == 1 {
			return true
		}
	}
	return false
}

// ticket returns a token that lets in one visitor.
func (w *wall) ticket() (string, error) {
	token, err := secret(32)
	if err != nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tickets = append(w.tickets, sha256.Sum256([]byte(token)))
	w.tickets = w.tickets[max(0, len(w.tickets)-maxTickets):]
	return token, nil
}

// isOpen reports whether a token would let in a visitor.
func (w *wall) isOpen(token string) bool {
	sum := sha256.Sum256([]byte(token))
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.tickets, func(open [sha256.Size]byte) bool {
		return subtle.ConstantTimeCompare(open[:], sum[:]) == 1
	})
}

// admit uses up a token. It reports false for one that is not open.
func (w *wall) admit(token string) bool {
	sum := sha256.Sum256([]byte(token))
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, open := range w.tickets {
		if subtle.ConstantTimeCompare(open[:], sum[:]) == 1 {
			w.tickets = slices.Delete(w.tickets, i, i+1)
			return true
		}
	}
	return false
}

// visit notes that a visitor is being answered, until the function that it returns is called. A stream of changes is no
// visitor: a forgotten tab has one, too.
func (w *wall) visit(r *http.Request) (end func()) {
	if !w.isInside(r) || r.URL.Path == eventsPath {
		return func() {}
	}
	count := func(n int) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.running += n
		w.last = w.now()
	}
	count(1)
	return func() { count(-1) }
}

func (w *wall) idle() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running > 0 {
		return 0
	}
	return w.now().Sub(w.last)
}

// The files of pages that are not views.
const (
	messagePage = "message"
	enterPage   = "enter"
)

// enter lets in the visitor of a link that was not used yet, and leads to the address without the token. It does so by
// a page: browsers keep a cookie of the strict sort back in a redirect that another site or a file began.
func (s *Site) enter(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("token")
	if r.Method == http.MethodHead && s.wall.isOpen(token) {
		return // who has the link sees whether it was used
	}
	if r.Method != http.MethodGet || !s.wall.admit(token) {
		if s.wall.isInside(r) {
			w.Header().Set("Location", rootOf(r))
			w.WriteHeader(http.StatusSeeOther)
			return
		}
		s.say(w, r, http.StatusForbidden, "This link was used", message{
			Text: "A link to this page lets in one visitor, once. This one was used before, or is of a page that " +
				"has ended.",
			Next: "For a new link, run " + s.options.Again + " in the project's directory."})
		return
	}
	s.forgetOld(w, r)
	http.SetCookie(w, &http.Cookie{Name: s.wall.cookie, Value: s.wall.session, Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode})
	s.render(w, http.StatusOK, enterPage, s.frameOf(r, "Welcome", enterPage, nil))
}

// mostCookies is how many cookies of other pages a browser keeps: of those of other projects, some may still run.
const mostCookies = 16

// forgetOld removes the oldest cookies of earlier pages. Each page leaves one in a browser that does not end its
// sessions, and all of them are sent to every program on this host name, some of which refuse long headers.
func (s *Site) forgetOld(w http.ResponseWriter, r *http.Request) {
	var others []string
	for _, c := range r.Cookies() { // the oldest first
		if strings.HasPrefix(c.Name, cookiePrefix) && c.Name != s.wall.cookie {
			others = append(others, c.Name)
		}
	}
	for _, name := range others[:max(0, len(others)-mostCookies)] {
		http.SetCookie(w, &http.Cookie{Name: name, Path: "/", MaxAge: -1, HttpOnly: true,
			SameSite: http.SameSiteStrictMode})
	}
}

// inside answers only visitors that have been let in.
func (s *Site) inside(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.wall.isInside(r) {
			s.outside(w, r)
			return
		}
		next.ServeHTTP(w, s.live.versioned(r))
	})
}

// outside answers a visitor that has not been let in.
func (s *Site) outside(w http.ResponseWriter, r *http.Request) {
	s.say(w, r, http.StatusForbidden, "Not signed in", message{
		Text: "This page shows the memories of a project to its owner, who enters by a link.",
		Next: "For a link, run " + s.options.Again + " in the project's directory."})
}

// refuse answers what the wall does not let through. It shows nothing of the site.
func (s *Site) refuse(w http.ResponseWriter, _ *http.Request, why *refusal) {
	http.Error(w, why.text, why.status)
}

// stopAction ends the program.
func stopAction() action {
	return action{path: "/stop", do: func(_ context.Context, s *Site, _ *http.Request) (reply, error) {
		s.options.Stop()
		text := "You can close this tab. " + s.options.Again + " in the project's directory starts the page again"
		return reply{page: messagePage, title: "It has ended", status: http.StatusOK, last: true,
			data: message{Text: text}}, nil
	}}
}

// local is what Go calls the zone of the machine when it does not know the name.
const local = "Local"

// zoneCookie is where the script says in which zone the reader is: not always that of the machine, as over SSH.
const zoneCookie = "ltm_zone"

// mostZones is how many such cookies are looked at: another program on this host may have set one, too.
const mostZones = 4

// zoneName is what may be the name of a zone. A name is looked up among files, so that it must be no other path.
var zoneName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+-]{0,31}(/[A-Za-z][A-Za-z0-9_+-]{0,31}){0,2}$`)

// zone returns the zone of the machine.
func (s *Site) zone() *time.Location {
	if s.options.Zone == nil {
		return time.UTC
	}
	return s.options.Zone
}

// zoneOf returns the zone of a reader: the machine's, unless the browser names one that the machine knows.
func (s *Site) zoneOf(r *http.Request) *time.Location {
	said := r.CookiesNamed(zoneCookie)
	for _, c := range said[:min(len(said), mostZones)] {
		name, err := url.PathUnescape(c.Value)
		if err != nil || name == local || !zoneName.MatchString(name) {
			continue
		}
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	return s.zone()
}

// nameOf names a zone to a reader: as the system does, or by what it differs from UTC at a time.
func nameOf(zone *time.Location, now time.Time) string {
	if name := zone.String(); name != local && zoneName.MatchString(name) { // it may be a path
		return name
	}
	return offsetOf(now.In(zone))
}

// offsetOf says how a time is written in its zone, such as UTC+01:00. Short names such as CST are those of several.
func offsetOf(at time.Time) string {
	if _, seconds := at.Zone(); seconds == 0 {
		return "UTC"
	}
	return "UTC" + at.Format("-07:00")
}

// A day is the midnight in UTC of its date, so that all days are equally long. Those of zones are not.
const dayLength = 24 * time.Hour

// dayIn returns the day of a time in a zone.
func dayIn(zone *time.Location, at time.Time) time.Time {
	year, month, day := at.In(zone).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// isDay reports whether a time is a date without a time of day. It is the same day everywhere.
func isDay(at time.Time) bool { return at.Equal(at.UTC().Truncate(dayLength)) }

// shownIn returns a time as readers whose browser runs no script see it.
func shownIn(zone *time.Location, at time.Time) shownTime {
	if isDay(at) {
		text := at.UTC().Format(time.DateOnly)
		return shownTime{Machine: text, Text: text}
	}
	here := at.In(zone)
	return shownTime{Machine: at.UTC().Format(time.RFC3339),
		Text: here.Format("2006-01-02 15:04 ") + offsetOf(here)}
}
