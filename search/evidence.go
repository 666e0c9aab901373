package search

// guessedEvidence is what a word that no document contains counts as evidence, by the words used instead of it, beside
// one that the document contains.
const guessedEvidence = 0.6

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
		for i, f := range s.frequencies(t.lists, found) {
			if f > 0 {
				hits[i].Evidence += weight * t.weight * t.idf * f
				hits[i].Covered += part
			}
		}
		if len(t.exact) == 0 {
			continue
		}
		for i, f := range s.frequencies(unscaled(t.exact), found) {
			hits[i].Evidence += weight * t.weight * exactWeight * t.exactIDF * f
		}
	}
	if known > 0 {
		for i := range hits {
			hits[i].Covered /= known
		}
	}
}
