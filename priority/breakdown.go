package priority

import (
	"fmt"
	"strings"

	"ltm/memory"
)

// Term is one summand of a score.
type Term struct {
	Name   string
	Value  float64 // 0 to 1
	Weight float64 // what a value of 1 adds; negative for "low"

	// Rest is what the terms before it left of 1, of which the term takes a share; 0 if it is
	// added as it is.
	Rest         float64
	Contribution float64 // Weight · Value, and · Rest unless that is 0
}

// Breakdown is the arithmetic of a score.
type Breakdown struct {
	Terms []Term  // in the order of the formula
	Sum   float64 // of the contributions
	Score float64 // Sum clamped to [0,1]
}

// String spells the arithmetic in one line, for example
//
//	0.4·0.80 difficulty + 0.3·0.50 recency + 0.3·0.20 frequency + 0.5·1.00 critical = 1.03, clamped to 1.00
//	0.25·1.00 base + 0.75·0.55·0.82 failures + 0.41·0.25·0.22 calls = 0.61
//
// Figures are rounded for display; the score is computed from the exact ones.
func (b Breakdown) String() string {
	var s strings.Builder
	for i, t := range b.Terms {
		weight := t.Weight
		switch {
		case weight < 0:
			weight = -weight
			s.WriteString(" − ")
		case i > 0:
			s.WriteString(" + ")
		}
		if t.Rest != 0 {
			fmt.Fprintf(&s, "%.2f·", t.Rest)
		}
		fmt.Fprintf(&s, "%.3g·%.2f %s", weight, t.Value, t.Name)
	}
	fmt.Fprintf(&s, " = %.2f", b.Sum)
	if b.Score != b.Sum {
		fmt.Fprintf(&s, ", clamped to %.2f", b.Score)
	}
	return s.String()
}

// term multiplies. The conversion prevents a fused multiply-add, so that every machine computes the
// same bits.
func term(name string, value, weight float64) Term {
	return Term{Name: name, Value: value, Weight: weight, Contribution: float64(weight * value)}
}

// shares returns terms that each take a share of what those before it, beginning with base, left
// of 1. Their sum is 1 less what the last one leaves.
func shares(base Term, terms []Term) []Term {
	out := append(make([]Term, 0, len(terms)+1), base)
	rest := 1 - base.Contribution
	for _, t := range terms {
		t.Rest, t.Contribution = rest, float64(rest*t.Contribution)
		out = append(out, t)
		rest -= t.Contribution
	}
	return out
}

func sum(terms ...Term) Breakdown {
	b := Breakdown{Terms: terms}
	for _, t := range terms {
		b.Sum += t.Contribution
	}
	b.Score = memory.Clamp01(b.Sum)
	return b
}
