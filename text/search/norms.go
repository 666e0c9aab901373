package search

import "sync"

// norms has for every slot what BM25 adds for the length of its document, and what its aliases count.
type norms struct {
	live, slots int // of the index that they are from: no two states of it share both
	bySlot      []float64
	aliases     []float32 // see aliasFactors
}

// keptNorms are the norms that the last search computed; nil: none.
type keptNorms struct {
	mu sync.Mutex
	*norms
}

func (x *Index) lengthNorms() *norms {
	x.norms.mu.Lock()
	defer x.norms.mu.Unlock()
	if n := x.norms.norms; n != nil && n.live == x.live && n.slots == len(x.lengths) {
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
	x.norms.norms = &norms{x.live, len(x.lengths), all, x.aliasFactors(all, k1)}
	return x.norms.norms
}
