package search

import (
	"math"
	"slices"
)

// Options of a search.
type Options struct {
	// Limit is the most hits that are returned; 0 returns all.
	Limit int
	// MinScore is the least score of a hit, 0..1.
	MinScore float64
	// Tag, unless empty, is one more tag that a document must have.
	Tag string
	// Prior tells how much a document matters by itself, 0..1. It orders what
	// is about as relevant. It may be nil.
	Prior func(id string) float64
	// Keep reports whether a document may be a hit. Others still count for how
	// rare a word is. It may be nil: then all may.
	Keep func(id string) bool
	// Explain fills Hit.Explanation.
	Explain bool
}

// Hit is a document that was found.
type Hit struct {
	ID string
	// Score is how much of the query the document answers, 0..1: the rarer a
	// word, the more of the query it is. About 0.5 is half of it, 0.78 each
	// word once in a document of mean length. It means the same for every
	// query and every index, so callers can cut by it.
	Score float64
	// Words is how many distinct words of the query stand in the document,
	// not counting stop words and other spellings.
	Words int
	// Taken are the words of the query that no document holds, each with the
	// words of the index that it was taken for. All hits of a search share it;
	// it is nil if there are no such words.
	Taken map[string][]string
	// Explanation says where the score comes from. It is nil unless asked for.
	Explanation *Explanation
}

// Search returns the documents that answer q, best first, and how many there
// are without the limit. See the package documentation for what matches.
func (x *Index) Search(q Query, o Options) (hits []Hit, total int) {
	if x.live == 0 {
		return nil, 0
	}
	s := x.newSearch(q, o)
	defer x.scratch.Put(s.scratch)
	s.filter()
	s.terms = x.plan(s.text)
	if s.filtered && (s.text == "" || s.quoted && allStop(s.terms)) {
		return s.hits(s.listed())
	}
	for _, t := range s.terms {
		s.score(t)
	}
	found, more := s.cut(s.collect())
	s.rank(found)
	hits, total = s.hits(found)
	return hits, total + more
}

// search is the state of one Search.
type search struct {
	*scratch
	x        *Index
	q        Query
	text     string // the words to find
	o        Options
	terms    []*term
	filtered bool
	quoted   bool    // a phrase is part of the filter
	mean     float64 // length of a document, in halves
	ceiling  float64 // what a document with each word once would score
}

// scratch holds a number for each slot, all of which are zero between searches, and
// space that they share.
type scratch struct {
	sum     []float64 // the score so far
	count   []float32 // weighted count of the word being scored
	words   []uint16  // see Hit.Words
	barred  []bool    // by a filter
	touched []uint32  // slots whose sum is not zero
	current []uint32  // slots whose count is not zero

	found []candidate // of collect
	at    []uint32    // of places
}

func (x *Index) newSearch(q Query, o Options) *search {
	s, _ := x.scratch.Get().(*scratch)
	if s == nil {
		s = &scratch{}
	}
	if n := len(x.ids); len(s.sum) < n {
		n += n / 8
		*s = scratch{sum: make([]float64, n), count: make([]float32, n), words: make([]uint16, n), barred: make([]bool, n)}
	}
	mean := max(half, float64(x.halves)/float64(x.live))
	return &search{scratch: s, x: x, q: q, text: q.Text, o: o, mean: mean}
}

// reset makes the scratch ready for the next search.
func (s *search) reset() {
	for _, slot := range s.touched {
		s.sum[slot], s.words[slot] = 0, 0
	}
	s.touched = s.touched[:0]
	if s.filtered {
		clear(s.barred[:len(s.x.ids)])
	}
}

// score adds what one term is worth to every document that holds it. A joined
// form that no document holds is nothing that could be missed.
func (s *search) score(t *term) {
	s.gather(t.lists)
	t.df = s.countLive()
	t.idf = idf(s.x.live, t.df)
	s.ceiling += t.weight * t.idf
	s.add(t)
	if len(t.exact) == 0 {
		return
	}
	s.gather(unscaled(t.exact))
	t.exactIDF = idf(s.x.live, s.countLive())
	s.addExact(t.weight * exactWeight * t.exactIDF)
}

func unscaled(lists []list) []weighted {
	out := make([]weighted, len(lists))
	for i, l := range lists {
		out[i] = weighted{l, 1}
	}
	return out
}

// gather counts a word in every document.
func (s *search) gather(lists []weighted) {
	s.current = s.current[:0]
	for _, l := range lists {
		scale := float32(l.scale / half)
		c := l.cursor()
		for c.next() {
			if s.count[c.slot] == 0 {
				s.current = append(s.current, c.slot)
			}
			s.count[c.slot] += scale * float32(c.count)
		}
	}
}

func (s *search) countLive() int {
	if s.x.live == len(s.x.ids) {
		return len(s.current)
	}
	n := 0
	for _, slot := range s.current {
		if !s.x.dead[slot] {
			n++
		}
	}
	return n
}

// add turns the counts into scores and clears them. Stop words add only to
// what other words have found.
func (s *search) add(t *term) {
	weight, asked := t.weight*t.idf, uint16(0)
	if t.known() && t.kind == plainToken && !t.stop {
		asked = 1
	}
	for _, slot := range s.current {
		n := s.count[slot]
		s.count[slot] = 0
		if s.sum[slot] == 0 {
			if t.stop || s.barred[slot] || s.x.dead[slot] {
				continue
			}
			s.touched = append(s.touched, slot)
		}
		s.sum[slot] += weight * s.frequency(slot, n)
		s.words[slot] += asked
	}
}

// addExact does so for the form that was asked.
func (s *search) addExact(weight float64) {
	for _, slot := range s.current {
		n := s.count[slot]
		s.count[slot] = 0
		if s.sum[slot] > 0 {
			s.sum[slot] += weight * s.frequency(slot, n)
		}
	}
}

// frequency is BM25's factor for a word that stands n times in a document.
func (s *search) frequency(slot uint32, n float32) float64 {
	length := float64(s.x.lengths[slot]) / s.mean
	return float64(n) * (k1 + 1) / (float64(n) + k1*(1-bLen+bLen*length))
}

// candidate is a document on its way to be a hit.
type candidate struct {
	slot  uint32
	words int
	raw   float64 // sum of what the words are worth, in parts of the ceiling
	near  float64 // what proximity added
	score float64 // 0..1 without the prior
	order float64 // with it
}

// collect returns the documents that were found.
func (s *search) collect() []candidate {
	defer s.reset()
	least := -math.Log(1-floor) / steepness // the raw score of the floor
	found := slices.Grow(s.found[:0], len(s.touched))
	for _, slot := range s.touched {
		c := candidate{slot: slot, words: int(s.words[slot]), raw: s.sum[slot] / s.ceiling}
		if (c.words > 0 || c.raw >= least) && s.keeps(slot) {
			found = append(found, c)
		}
	}
	s.found = found
	return found
}

// keeps reports whether the caller lets a document be a hit.
func (s *search) keeps(slot uint32) bool { return s.o.Keep == nil || s.o.Keep(s.x.ids[slot]) }

// cut drops candidates that are too far down to be among the hits, and counts
// those of them that are good enough.
func (s *search) cut(found []candidate) (best []candidate, more int) {
	n := max(proximityBest, 2*s.o.Limit)
	if s.o.Limit <= 0 || len(found) <= n {
		return found, 0
	}
	s.partition(found, n)
	for _, c := range found[n:] {
		if s.o.MinScore <= 0 || scale(c.raw) >= s.o.MinScore {
			more++
		}
	}
	return found[:n], more
}

// listed returns all documents that pass the filter of a query without words.
func (s *search) listed() []candidate {
	defer s.reset()
	var found []candidate
	for slot := range s.x.ids {
		if !s.x.dead[slot] && !s.barred[slot] && s.keeps(uint32(slot)) {
			c := candidate{slot: uint32(slot), raw: 1, score: 1}
			c.order = c.score + s.prior(c)
			found = append(found, c)
		}
	}
	return found
}

// rank gives the candidates their final scores.
func (s *search) rank(found []candidate) {
	best := min(proximityBest, len(found))
	if best < len(found) {
		s.partition(found, best)
	}
	s.proximity(found[:best])
	for i := range found {
		c := &found[i]
		c.score = scale(c.raw + c.near)
		c.order = c.score + s.prior(*c)
	}
}

// prior is what the caller's prior adds to the order of a candidate.
func (s *search) prior(c candidate) float64 {
	if s.o.Prior == nil {
		return 0
	}
	return priorWeight * clamp(s.o.Prior(s.x.ids[c.slot]))
}

// clamp brings a prior to 0..1; not a number is 0.
func clamp(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(v, 1)
}

// hits cuts and orders candidates and makes hits of them.
func (s *search) hits(found []candidate) (hits []Hit, total int) {
	found = slices.DeleteFunc(found, func(c candidate) bool { return c.score < s.o.MinScore })
	total = len(found)
	if n := s.o.Limit; n > 0 && n < total {
		found = s.first(found, n)
	} else {
		slices.SortFunc(found, s.compare)
	}
	taken := s.taken()
	for _, c := range found {
		hits = append(hits, Hit{ID: s.x.ids[c.slot], Score: c.score, Words: c.words, Taken: taken})
	}
	if s.o.Explain {
		s.explain(found, hits)
	}
	return hits, total
}

// taken returns what the unknown words of the query were taken for.
func (s *search) taken() map[string][]string {
	var out map[string][]string
	for _, t := range s.terms {
		if !t.guessed() {
			continue
		}
		if out == nil {
			out = make(map[string][]string)
		}
		out[t.word] = slices.Concat(t.fuzzy, t.begins)
	}
	return out
}

// scale brings a sum of words to 0..1, so that no two differ before and are
// equal after.
func scale(raw float64) float64 { return 1 - math.Exp(-steepness*raw) }
