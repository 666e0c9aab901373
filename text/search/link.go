package search

import "slices"

// A turn of a conversation is rarely understood alone: "yes, last summer" answers what was said before it. Where
// documents follow one another, a document is therefore ranked by its own words, and by those of its two neighbors
// at half their weight. The neighbors' words are found through links, so that a document that is added or removed
// touches its neighbors' links and nothing else.

const (
	// nearShare is the weight of a word of a neighbor: a document counted twice with its neighbors once finds more
	// than the document alone.
	nearShare = 0.5
	// nearLength is the length of a document, in halves of words, from which its words weigh less for its neighbors.
	// The weight is halved until the document counts as no longer than this: a page of an answer must not drown the
	// sentence that asked for it. Only powers of two are used, so that sums are exact in any order.
	nearLength = 64 * half
)

// share returns the weight of a document's words for its neighbors.
func share(length uint32) float32 {
	s := float32(nearShare)
	for ; length > nearLength; length /= 2 {
		s /= 2
	}
	return s
}

// links hold, for each slot, the slots of its neighbors plus one; 0 means no neighbor.
type links struct{ before, after []uint32 }

// follow puts a new slot behind the document with an ID, and before the one that followed it.
func (x *Index) follow(slot uint32, id string) {
	l := &x.links
	if id != "" && l.before == nil {
		l.before, l.after = make([]uint32, slot, 2*slot+8), make([]uint32, slot, 2*slot+8)
	}
	if l.before == nil {
		return
	}
	l.before, l.after = append(l.before, 0), append(l.after, 0)
	at, ok := x.slots[id]
	if !ok || at == slot {
		return
	}
	if next := l.after[at]; next > 0 {
		l.before[next-1], l.after[slot] = slot+1, next
	}
	l.after[at], l.before[slot] = slot+1, at+1
}

// leave joins the neighbors of a slot.
func (l *links) leave(slot uint32) {
	if l.before == nil {
		return
	}
	b, a := l.before[slot], l.after[slot]
	if b > 0 {
		l.after[b-1] = a
	}
	if a > 0 {
		l.before[a-1] = b
	}
	l.before[slot], l.after[slot] = 0, 0
}

// without returns the links of the live slots, which keep their order.
func (l *links) without(dead []bool) links {
	if l.before == nil {
		return links{}
	}
	number := make([]uint32, len(dead)+1) // of a slot plus one, among the live ones, plus one
	live := uint32(0)
	for slot, gone := range dead {
		if !gone {
			live++
			number[slot+1] = live
		}
	}
	var out links
	for slot, gone := range dead {
		if !gone {
			out.before = append(out.before, number[l.before[slot]])
			out.after = append(out.after, number[l.after[slot]])
		}
	}
	out.before, out.after = slices.Clip(out.before), slices.Clip(out.after)
	return out
}

// length returns the length of a document with its neighbors, in halves of its own words.
func (x *Index) length(slot int) float64 {
	n := float64(x.lengths[slot])
	if x.links.before == nil {
		return n
	}
	for _, near := range [...]uint32{x.links.before[slot], x.links.after[slot]} {
		if near > 0 {
			n += float64(share(x.lengths[near-1])) * float64(x.lengths[near-1])
		}
	}
	return n
}

// saturation returns BM25's k1. With neighbors it is that of documents which hold their own words twice and those of
// their neighbors once.
func (x *Index) saturation() float64 {
	if x.links.before == nil {
		return k1
	}
	return k1 * nearShare
}

// spread adds to the weighted counts of every document those of its neighbors.
func (s *search) spread() {
	l := &s.x.links
	if l.before == nil {
		return
	}
	if len(s.near) < len(s.count) {
		s.near = make([]float32, len(s.count))
	}
	s.reached = s.reached[:0]
	add := func(slot uint32, n float32) {
		if s.near[slot] == 0 {
			s.reached = append(s.reached, slot)
		}
		s.near[slot] += n
	}
	for _, slot := range s.current {
		n := s.count[slot]
		s.count[slot] = 0
		add(slot, n)
		n *= share(s.x.lengths[slot])
		if b := l.before[slot]; b > 0 {
			add(b-1, n)
		}
		if a := l.after[slot]; a > 0 {
			add(a-1, n)
		}
	}
	s.count, s.near = s.near, s.count
	s.current, s.reached = s.reached, s.current
}
