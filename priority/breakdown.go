package priority

import "ltm/memory"

type Term struct {
	Name   string
	Value  float64 // 0 to 1
	Weight float64 // what a value of 1 adds; negative for "low"

	// Rest is what the terms before it left of 1, of which the term takes a share; 0 if it is added as it is.
	Rest         float64
	Contribution float64 // Weight · Value, and · Rest unless that is 0
}

// Breakdown is the arithmetic of a score.
type Breakdown struct {
	Terms []Term  // in the order of the formula
	Sum   float64 // of the contributions
	Score float64 // Sum clamped to [0,1]
}

// term multiplies. The conversion prevents a fused multiply-add, so that every machine computes the same bits.
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
