package search

// guessedEvidence is what a word that no document contains counts as evidence, by the words used instead of it, beside
// one that the document contains.
const guessedEvidence = 0.6

// asideEvidence is what a word that a document has only in an alias, or as a tag, counts as evidence, beside one of its
// text. An alias is a guess at a question and shares words with other questions about its subject, and a tag names an
// area that many documents are in; both help to find a document once it is asked for, and say little about whether it
// is.
const asideEvidence = 0.5

// weighEvidence sets the evidence of hits: the worth of the words of the query in each, weighed by the caller, relative
// to a word that only one document contains; and which share of the words that documents contain each covers.
func (s *search) weighEvidence(found []candidate, hits []Hit) {
	rarest, known := idf(s.x.live, 1), 0.0
	for _, t := range s.terms {
		if t.stop || len(t.lists) == 0 {
			continue
		}
		weight := s.o.Weigh(t.word, t.stem) / rarest
		if t.guessed() {
			weight *= guessedEvidence
		}
		part := weight * t.idf
		if t.kind == joinedToken {
			part = 0 // its parts count
		}
		known += part
		aside := s.aside(t, found)
		for i, f := range s.frequencies(t.lists, found) {
			if f > 0 {
				hits[i].Evidence += aside[i] * weight * t.weight * t.idf * f
				hits[i].Covered += part
			}
		}
		if len(t.exact) == 0 {
			continue
		}
		for i, f := range s.frequencies(unscaled(t.exact), found) {
			hits[i].Evidence += aside[i] * weight * t.weight * exactWeight * t.exactIDF * f
		}
	}
	if known > 0 {
		for i := range hits {
			hits[i].Covered /= known
		}
	}
}

// aside returns by what the evidence of a term in each document is multiplied: asideEvidence if the document has it
// only in an alias or as a tag, else 1.
func (s *search) aside(t *term, found []candidate) []float64 {
	factors := make([]float64, len(found))
	for i := range factors {
		factors[i] = 1
	}
	var tags []list // of the documents with a form of the term as a tag
	s.x.forms(t.stem, func(_, _ int, key string) {
		tags = append(tags, s.x.lists(s.x.number(tagKey(key)))...)
	})
	if s.norms.aliases == nil && len(tags) == 0 {
		return factors
	}
	text, tagged := make([]uint32, len(found)), make([]bool, len(found))
	s.mark(found)
	for _, l := range t.lists {
		s.atMarked(l.list, func(i int, count, alias uint32) {
			if text[i] += count; alias > 0 {
				factors[i] = asideEvidence
			}
		})
	}
	for _, l := range tags {
		s.atMarked(l, func(i int, _, _ uint32) { tagged[i] = true })
	}
	s.unmark(found)
	for i := range factors {
		switch {
		case tagged[i] && text[i] <= half: // once, and a tag is an occurrence
			factors[i] = asideEvidence
		case text[i] > 0:
			factors[i] = 1
		}
	}
	return factors
}

// atMarked calls yield for the documents of a list that mark marked, with their indexes and weighted counts.
func (s *search) atMarked(l list, yield func(i int, count, alias uint32)) {
	c := l.cursor()
	for c.next() {
		if i := s.count[c.slot]; i > 0 {
			yield(int(i)-1, c.count, c.alias)
		}
	}
}
