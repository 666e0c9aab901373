package search

import (
	"cmp"
	"slices"
)

// neighbours are two terms that are adjacent in the query, ignoring stop words.
type neighbours struct {
	a, b  int // indexes into the terms
	worth float64
}

// proximity adds a bonus to documents in which neighbors in the query are close together.
func (s *search) proximity(found []candidate) {
	pairs := s.neighbours()
	if len(pairs) == 0 || len(found) < 2 {
		return
	}
	needed := make([]bool, len(s.terms))
	for _, p := range pairs {
		needed[p.a], needed[p.b] = true, true
	}
	places := make([][][]uint32, len(s.terms))
	s.at = s.at[:0]
	s.mark(found)
	for i, t := range s.terms {
		if needed[i] {
			places[i] = s.places(t, len(found))
		}
	}
	s.unmark(found)
	for i := range found {
		for _, p := range pairs {
			if d := distance(places[p.a][i], places[p.b][i]); d <= proximityWindow {
				found[i].near += p.worth / float64(d) / s.ceiling
			}
		}
	}
}

// neighbours lists the pairs whose distance counts, in query order.
func (s *search) neighbours() []neighbours {
	type place struct{ pos, term int }
	var order []place
	for i, t := range s.terms {
		if t.stop || t.kind == joinedToken || len(t.lists) == 0 {
			continue
		}
		for _, p := range t.pos {
			order = append(order, place{p, i})
		}
	}
	slices.SortFunc(order, func(a, b place) int { return cmp.Compare(a.pos, b.pos) })
	var pairs []neighbours
	for i := 1; i < len(order); i++ {
		a, b := order[i-1].term, order[i].term
		known := func(p neighbours) bool { return p.a == a && p.b == b || p.a == b && p.b == a }
		if a == b || slices.ContainsFunc(pairs, known) {
			continue
		}
		x, y := s.terms[a], s.terms[b]
		pairs = append(pairs, neighbours{a, b, proximityWeight * min(x.weight*x.idf, y.weight*y.idf)})
	}
	return pairs
}

// mark records at each candidate's slot its index plus one.
func (s *search) mark(found []candidate) {
	for i, c := range found {
		s.count[c.slot] = float32(i + 1)
	}
}

func (s *search) unmark(found []candidate) {
	for _, c := range found {
		s.count[c.slot] = 0
	}
}

// places returns the positions of a term in each marked candidate, valid until the next call of proximity.
func (s *search) places(t *term, n int) [][]uint32 {
	out := make([][]uint32, n)
	several := false // several lists contain a candidate
	for _, l := range t.lists {
		c := l.cursor()
		for c.next() {
			i := int(s.count[c.slot]) - 1
			switch {
			case i < 0:
			case out[i] != nil:
				out[i], several = c.positions(out[i]), true
			default:
				from := len(s.at)
				s.at = c.positions(s.at)
				out[i] = s.at[from:len(s.at):len(s.at)]
			}
		}
	}
	if several {
		for _, p := range out {
			slices.Sort(p)
		}
	}
	return out
}

// distance returns the smallest distance between a position in a and another in b, both ascending,
// or more than the window.
func distance(a, b []uint32) uint32 {
	best := uint32(proximityWindow + 1)
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			best = min(best, b[j]-a[i])
			i++
		case a[i] > b[j]:
			best = min(best, a[i]-b[j])
			j++
		default: // the same word serves both, as after a respelling
			i++
		}
	}
	return best
}
