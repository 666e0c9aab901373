package search

import (
	"math"
	"sync"
)

// hot holds the postings of words that several searches have read, decoded: common words are in most
// questions, and to decode their postings takes longer than to score them.
type hot struct {
	mu    sync.Mutex
	lists map[uint64]*decoded // nil: read once
	held  int                 // documents in lists

	norms *norms // nil: not computed yet
}

// decoded has the postings of a list, by document. It is immutable.
type decoded struct {
	size     int // of the data that it is from, which only grows
	slots    []uint32
	counts   []float32 // weighted, in halves
	aliases  []float32 // weighted, in aliases; nil if the word is in none
	from, to []uint32  // positions, in the data
}

const (
	// leastHot is how many bytes of postings are worth decoding once for all.
	leastHot = 256

	// mostHot bounds the documents in decoded lists, at 16 bytes each.
	mostHot = 1 << 18
)

// decoded returns the decoded postings of a list, or nil for one that is short or was not read before:
// a process that searches once should not decode more than it needs.
func (x *Index) decoded(l list) *decoded {
	if len(l.data) < leastHot || len(l.data) > math.MaxInt32 {
		return nil
	}
	h := &x.hot
	h.mu.Lock()
	defer h.mu.Unlock()
	d, known := h.lists[l.key]
	if d != nil && d.size == len(l.data) {
		return d
	}
	if h.lists == nil || h.held > mostHot {
		h.lists, h.held, known = map[uint64]*decoded{}, 0, false
	}
	if !known {
		h.lists[l.key] = nil
		return nil
	}
	d = decode(l)
	h.lists[l.key] = d
	h.held += len(d.slots)
	return d
}

func decode(l list) *decoded {
	d := &decoded{size: len(l.data)}
	c := l.cursor()
	for c.next() {
		d.slots = append(d.slots, c.slot)
		d.counts = append(d.counts, float32(c.count))
		if c.alias > 0 && d.aliases == nil {
			d.aliases = make([]float32, len(d.slots)-1)
		}
		if d.aliases != nil {
			d.aliases = append(d.aliases, float32(c.alias))
		}
		d.from, d.to = append(d.from, uint32(c.from)), append(d.to, uint32(c.to))
	}
	return d
}

// norms has for every slot what BM25 adds for the length of its document, and what its aliases count.
type norms struct {
	live, slots int // of the index that they are from: no two states of it share both
	bySlot      []float64
	aliases     []float32 // see aliasFactors
}

func (x *Index) lengthNorms() *norms {
	h := &x.hot
	h.mu.Lock()
	defer h.mu.Unlock()
	if n := h.norms; n != nil && n.live == x.live && n.slots == len(x.lengths) {
		return n
	}
	all := make([]float64, len(x.lengths))
	sum := 0.0
	for slot := range all {
		all[slot] = x.length(slot)
		if !x.dead[slot] {
			sum += all[slot]
		}
	}
	mean, k1 := max(half, sum/float64(x.live)), x.saturation() // length of a document, in halves
	for slot, length := range all {
		all[slot] = k1 * (1 - bLen + bLen*(length/mean))
	}
	h.norms = &norms{x.live, len(x.lengths), all, x.aliasFactors(all, k1)}
	return h.norms
}
