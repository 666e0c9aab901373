package server

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
)

// Patterns returns the patterns of all routes.
func (s *Server) Patterns() []string { return slices.Sorted(maps.Keys(s.router.policies)) }

// AddUndeclared adds a route without a policy.
func (s *Server) AddUndeclared(pattern string, h http.HandlerFunc) { s.router.HandleFunc(pattern, h) }

// MaxLimited is how many addresses a limiter remembers.
const MaxLimited = maxLimited

// ReadCursor reads a cursor for a list.
func ReadCursor(text string, q PacketQuery) (PacketPlace, bool) {
	place, err := listOf(q).place(text)
	at, id, ok := readTimePlace(place)
	return PacketPlace{Created: at, ID: id}, err == nil && ok
}

// CursorText returns the cursor of a place in a list.
func CursorText(q PacketQuery, place PacketPlace) string {
	return listOf(q).cursor(timePlace(place.Created, place.ID))
}

// Untold returns how many addresses a server keeps in mind for others after a wrong token of each of n addresses.
func (s *Server) Untold(n int) int {
	for i := range n {
		s.failures.take(strconv.Itoa(i), s.opts.Now())
	}
	return len(s.failures.hot)
}
