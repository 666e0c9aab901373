package search

import (
	"fmt"
	"strings"
)

// Explanation gives the arithmetic of a hit's score:
//
//	worth of a term = Weight × IDF × Frequency  (+ Exact)
//	Raw             = (sum of the terms' worths) / Ceiling + Proximity
//	Score           = 1 − e^(−1.5 × Raw)
//
// Hits are ordered by Score + 0.02 × Prior.
type Explanation struct {
	Terms     []TermScore // the words of the query that the document contains
	Missing   []string    // those that do not
	Ceiling   float64     // the score of a document with each word once
	Proximity float64     // the bonus for words of the query that are close together
	Raw       float64
	Prior     float64
}

// TermScore is the contribution of one word of a query to a document's score.
type TermScore struct {
	Word      string   // as asked
	Fuzzy     []string // the spellings used instead, if no document has the word
	Begins    []string // the longer words used instead, if no document has the word
	Weight    float64  // 1, less for stop words and other spellings
	DF        int      // documents that contain it
	IDF       float64  // ln(1 + (N − DF + 0.5) / (DF + 0.5))
	Frequency float64  // BM25's factor for its frequency, given the document's length
	Exact     float64  // the bonus for the exact form that was asked for
	Score     float64
}

// String spells the explanation in lines, best word first as asked.
func (e *Explanation) String() string {
	var b strings.Builder
	for _, t := range e.Terms {
		fmt.Fprintf(&b, "%-20s %.3f = %.2f × idf %.2f (in %d) × tf %.2f", t.Word, t.Score, t.Weight, t.IDF, t.DF,
			t.Frequency)
		if t.Exact > 0 {
			fmt.Fprintf(&b, " + exact %.3f", t.Exact)
		}
		if len(t.Fuzzy) > 0 {
			fmt.Fprintf(&b, " as %s", strings.Join(t.Fuzzy, ", "))
		}
		if len(t.Begins) > 0 {
			fmt.Fprintf(&b, " as the beginning of %s", strings.Join(t.Begins, ", "))
		}
		b.WriteByte('\n')
	}
	if len(e.Missing) > 0 {
		fmt.Fprintf(&b, "%-20s %s\n", "not in it", strings.Join(e.Missing, ", "))
	}
	fmt.Fprintf(&b, "raw %.3f = words / %.3f + proximity %.3f, prior %.2f\n", e.Raw, e.Ceiling, e.Proximity, e.Prior)
	return b.String()
}

// explain sets the explanations of hits by evaluating the terms again.
func (s *search) explain(found []candidate, hits []Hit) {
	for i, c := range found {
		e := &Explanation{Ceiling: s.ceiling, Proximity: c.near, Raw: c.raw + c.near}
		if s.o.Prior != nil {
			e.Prior = clamp(s.o.Prior(hits[i].ID))
		}
		hits[i].Explanation = e
	}
	for _, t := range s.terms {
		all, exact := s.frequencies(t.lists, found), s.frequencies(unscaled(t.exact), found)
		for i := range found {
			e := hits[i].Explanation
			if all[i] == 0 {
				if !t.stop && t.kind == plainToken {
					e.Missing = append(e.Missing, t.word)
				}
				continue
			}
			ts := TermScore{
				Word: t.word, Fuzzy: t.fuzzy, Begins: t.begins, Weight: t.weight, DF: t.df, IDF: t.idf,
				Frequency: all[i],
				Exact:     t.weight * exactWeight * t.exactIDF * exact[i],
			}
			ts.Score = ts.Weight*ts.IDF*ts.Frequency + ts.Exact
			e.Terms = append(e.Terms, ts)
		}
	}
}

// frequencies returns BM25's frequency factor of lists in each candidate.
func (s *search) frequencies(lists []weighted, found []candidate) []float64 {
	out := make([]float64, len(found))
	s.gather(lists)
	s.spread()
	for i, c := range found {
		if n := s.count[c.slot]; n > 0 {
			out[i] = s.frequency(c.slot, n)
		}
	}
	for _, slot := range s.current {
		s.count[slot] = 0
	}
	return out
}
