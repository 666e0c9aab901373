package page

import (
	"context"
	"net/http"
	"strings"
)

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
		return reply{}, nil
	}}
}
