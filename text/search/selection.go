package search

import (
	"cmp"
	"slices"
)

// maxInsert is the number of hits up to which insertion is faster than sorting.
const maxInsert = 128

// first returns the first n candidates in order. Sorting all of them could cost more than finding
// them.
func (s *search) first(found []candidate, n int) []candidate {
	if n > maxInsert {
		slices.SortFunc(found, s.compare)
		return found[:n]
	}
	top := make([]candidate, 0, n)
	for _, c := range found {
		if len(top) == n && s.compare(top[n-1], c) < 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(top, c, s.compare)
		if len(top) == n {
			top = top[:n-1]
		}
		top = slices.Insert(top, at, c)
	}
	return top
}

// partition moves the n candidates with the highest raw score to the front; ties are decided as in
// compare.
func (s *search) partition(found []candidate, n int) {
	ahead := func(a, b candidate) bool {
		return a.raw > b.raw || a.raw == b.raw && s.compareTies(a, b) < 0
	}
	for lo, hi := 0, len(found); hi-lo > 1; {
		pivot := found[(lo+hi)/2]
		i, j := lo, hi-1
		for i <= j {
			for ahead(found[i], pivot) {
				i++
			}
			for ahead(pivot, found[j]) {
				j--
			}
			if i <= j {
				found[i], found[j] = found[j], found[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case n <= j:
			hi = j + 1
		case n >= i:
			lo = i
		default:
			return
		}
	}
}

// compare orders candidates, best first.
func (s *search) compare(a, b candidate) int {
	if a.order != b.order {
		return cmp.Compare(b.order, a.order)
	}
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	return s.compareTies(a, b)
}

// compareTies orders equally good candidates: newest first, then by ID.
func (s *search) compareTies(a, b candidate) int {
	if x, y := s.x.created[a.slot], s.x.created[b.slot]; x != y {
		return cmp.Compare(y, x)
	}
	return cmp.Compare(s.x.ids[a.slot], s.x.ids[b.slot])
}
