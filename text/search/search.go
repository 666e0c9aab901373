package search

import (
	"math"
	"slices"
)

type Options struct {
	// Limit is the maximum number of hits; 0 returns all.
	Limit int
	// MinScore is the minimum score of a hit, 0..1.
	MinScore float64
	// Tag, unless empty, is another tag that a document must have.
	Tag string
	// Prior returns how important a document is by itself, 0..1. It orders documents of similar
	// relevance. It may be nil.
	Prior func(id string) float64
	// Keep reports whether a document may be a hit. Other documents still count for how rare a word
	// is. If it is nil, all may.
	Keep func(id string) bool
	// Weigh, unless nil, sets Hit.Evidence and Hit.Covered. It returns how much a word of the query counts for them,
	// 0..1; stem is what its inflections have in common.
	Weigh func(word, stem string) float64
	// Explain sets Hit.Explanation.
	Explain bool
}

type Hit struct {
	ID string
	// Score is how much of the query the document answers, 0..1, where a rare word is a larger part of the query than a
	// common one. About 0.5 is half of the query; 0.78 is each word once in a document of mean length. It means the
	// same for every query and index, so callers can use it as a threshold.
	Score float64
	// Words is the number of distinct words of the query in the document, not counting stop words and other spellings.
	Words int
	// Evidence is what the words of the query in the document are worth, in words that only one document contains. A
	// word counts by its rarity and frequency, as in the score, and half if only an alias or a tag has it. What else
	// the query says does not count against it. It is 0 unless Options.Weigh is set.
	Evidence float64
	// Covered is the share of the query that the document contains, 0..1, by how rare its words are. Words that no
	// document contains do not count. It is 0 unless Options.Weigh is set.
	Covered float64
	// Taken maps each word of the query that no document contains to the words of the index that
	// were used instead. All hits of a search share it. It is nil if there are no such words.
	Taken map[string][]string
	// Explanation explains the score. It is nil unless Options.Explain is set.
	Explanation *Explanation
}

// Search returns the documents that match q, best first, and their number without the limit. See
// the package documentation for what matches.
func (x *Index) Search(q Query, o Options) (hits []Hit, total int) {
	if x.live == 0 {
		return nil, 0
	}
	s := x.newSearch(q, o)
	defer x.scratch.Put(s.scratch)
	s.filter()
	s.terms = x.plan(q.terms(s.text))
	sought := func(t *term) bool { return !t.stop }
	if s.filtered && (s.text == "" || s.quoted && !slices.ContainsFunc(s.terms, sought)) {
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
	quoted   bool // a phrase is part of the filter
	norms    *norms
	k1       float64
	ceiling  float64 // the score of a document with each word once
}

// scratch has a number for each slot, all zero between searches, and reusable space.
type scratch struct {
	sum     []float64 // the score so far
	count   []float32 // weighted count of the word being scored
	words   []uint16  // see Hit.Words
	barred  []bool    // excluded by a filter
	touched []uint32  // slots whose sum is not zero
	current []uint32  // slots whose count is not zero
	near    []float32 // for spread, as are
	reached []uint32

	found []candidate // for collect
	at    []uint32    // for places
}

func (x *Index) newSearch(q Query, o Options) *search {
	s, _ := x.scratch.Get().(*scratch)
	if s == nil {
		s = &scratch{}
	}
	if n := len(x.ids); len(s.sum) < n {
		n += n / 8
		*s = scratch{sum: make([]float64, n), count: make([]float32, n), words: make([]uint16, n),
			barred: make([]bool, n)}
	}
	return &search{scratch: s, x: x, q: q, text: q.Text, o: o, norms: x.lengthNorms(), k1: x.saturation()}
}

func (s *search) reset() {
	for _, slot := range s.touched {
		s.sum[slot], s.words[slot] = 0, 0
	}
	s.touched = s.touched[:0]
	if s.filtered {
		clear(s.barred[:len(s.x.ids)])
	}
}

// score adds the worth of one term to every document that contains it.
func (s *search) score(t *term) {
	s.gather(t.lists)
	s.spread()
	t.df = s.countLive()
	t.idf = idf(s.x.live, t.df)
	s.ceiling += t.weight * t.idf
	s.add(t)
	if len(t.exact) == 0 {
		return
	}
	s.gather(unscaled(t.exact))
	s.spread()
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

// gather sums a word's weighted counts by document.
func (s *search) gather(lists []weighted) {
	s.current = s.current[:0]
	for _, l := range lists {
		scale := float32(l.scale / half)
		c := l.cursor()
		for c.next() {
			if s.count[c.slot] == 0 {
				s.current = append(s.current, c.slot)
			}
			n := float32(c.count)
			if c.alias > 0 {
				n += float32(c.alias) * s.aliasFactor(c.slot)
			}
			s.count[c.slot] += scale * n
		}
	}
}

// aliasFactor returns what an alias unit of a document counts. A damaged index can have units in a document without
// an alias.
func (s *search) aliasFactor(slot uint32) float32 {
	if s.norms.aliases == nil {
		return 0
	}
	return s.norms.aliases[slot]
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

// add turns the counts into scores and clears them. Stop words only add to documents that other words found.
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

// addExact does so for the form that was asked for.
func (s *search) addExact(weight float64) {
	for _, slot := range s.current {
		n := s.count[slot]
		s.count[slot] = 0
		if s.sum[slot] > 0 {
			s.sum[slot] += weight * s.frequency(slot, n)
		}
	}
}

// frequency returns BM25's factor for a word that occurs n times in a document.
func (s *search) frequency(slot uint32, n float32) float64 {
	return float64(n) * (s.k1 + 1) / (float64(n) + s.norms.bySlot[slot])
}

// candidate is a document that may become a hit.
type candidate struct {
	slot  uint32
	words int
	raw   float64 // sum of the words' worths, relative to the ceiling
	near  float64 // the proximity bonus
	score float64 // 0..1, without the prior
	order float64 // score plus the prior
}

func (s *search) collect() []candidate {
	defer s.reset()
	least := -math.Log(1-floor) / steepness // the raw score at the floor
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

// keeps reports whether the caller allows a document as a hit.
func (s *search) keeps(slot uint32) bool { return s.o.Keep == nil || s.o.Keep(s.x.ids[slot]) }

// cut drops candidates that rank too low to be hits, and returns how many of those have the minimum score.
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

// listed returns all documents that pass the filter, for a query without words.
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

// prior returns what the caller's prior adds to the order of a candidate.
func (s *search) prior(c candidate) float64 {
	if s.o.Prior == nil {
		return 0
	}
	return priorWeight * clamp(s.o.Prior(s.x.ids[c.slot]))
}

// clamp bounds a prior to 0..1; NaN becomes 0.
func clamp(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(v, 1)
}

// hits filters and orders candidates and converts them to hits.
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
	if s.o.Weigh != nil {
		s.weighEvidence(found, hits)
	}
	if s.o.Explain {
		s.explain(found, hits)
	}
	return hits, total
}

// taken returns the words used instead of the unknown words of the query.
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

// scale maps a sum of words to 0..1. It is strictly increasing, so that different sums keep different scores.
func scale(raw float64) float64 { return 1 - math.Exp(-steepness*raw) }
