package web

import (
	"crypto/subtle"
	"net/http"
	"strings"
)

// controlPath is where another process of the same person gets a new link. It is not for browsers.
const controlPath = "/control/link"

// Control returns the secret that a process shows to get a new link: POST [ControlPath] with it as a bearer token
// answers the path and query of an address.
func (s *Site) Control() string { return s.wall.control }

// ControlPath returns where to ask.
func ControlPath() string { return controlPath }

// controls returns why a process gets no link, or nil.
func (w *wall) controls(r *http.Request) *refusal {
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	fromBrowser := r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != ""
	if r.Method != http.MethodPost || fromBrowser || !ok ||
		subtle.ConstantTimeCompare([]byte(given), []byte(w.control)) != 1 {
		return &refusal{http.StatusForbidden, "this is for the program that started the page"}
	}
	return nil
}

func (s *Site) giveLink(w http.ResponseWriter, _ *http.Request) {
	link, err := s.Link()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte(link)) // there is nobody to tell if the other process is gone
}
