package priority

import "ltm/memory"

// Weights is how much each sign of hard work counts: failures, the number of calls, tokens, and a
// compaction. A weight is the share of what is left to 1 that its sign takes at most.
type Weights struct {
	Failures   float64 `json:"failures"`
	Calls      float64 `json:"calls"`
	Tokens     float64 `json:"tokens"`
	Compaction float64 `json:"compaction"`

	summed bool // the score is the weighted sum of the signs
}

// total is what the weights of a profile add up to. They act on what is left to 1, so that more
// than 1 in all spreads scores over the upper part of the range without reaching its end.
const total = 1.4

const (
	Balanced  = "balanced"
	Debugging = "debugging"
	Research  = "research"
	Legacy    = "legacy"
)

// WeightNames lists the names that [WeightsOf] knows, the default first.
func WeightNames() []string { return []string{Balanced, Debugging, Research, Legacy} }

// WeightsOf returns the weights of that name. ok is false for an unknown name.
func WeightsOf(name string) (w Weights, ok bool) {
	switch name {
	case Balanced:
		// Failures say most: work with many of them was hard however short it was. The amount of
		// text comes next; the number of calls and a compaction also grow with mere length.
		return Weights{Failures: 0.55, Calls: 0.25, Tokens: 0.35, Compaction: 0.25}, true
	case Debugging:
		// Failed attempts must not be repeated, so failures weigh most. Their gain is taken only from calls and tokens,
		// so that no segment of mostly failures scores below balanced.
		return Weights{Failures: 0.84, Calls: 0.14, Tokens: 0.14, Compaction: 0.28}, true
	case Research:
		// Reading rarely fails: the effort is how much was read and looked up.
		return Weights{Failures: 0.14, Calls: 0.42, Tokens: 0.63, Compaction: 0.21}, true
	case Legacy:
		// The predecessor's weights, which do not count tokens, and its sum.
		return Weights{Failures: 0.5, Calls: 0.3, Compaction: 0.2, summed: true}, true
	}
	return Weights{}, false
}

// Custom returns the weights of a person's own proportions: each is its share of the sum, times 1.4, and at most 1.
func Custom(proportions Weights) Weights {
	w := proportions.Normalized()
	weight := func(share float64) float64 { return min(1, exact(total*share)) }
	return Weights{Failures: weight(w.Failures), Calls: weight(w.Calls), Tokens: weight(w.Tokens),
		Compaction: weight(w.Compaction)}
}

// Normalized returns proportions scaled to a sum of 1. One outside [0,1] is clamped and NaN counts
// as 0; if all are 0, it returns those of the balanced weights.
func (w Weights) Normalized() Weights {
	w = Weights{Failures: memory.Clamp01(w.Failures), Calls: memory.Clamp01(w.Calls),
		Tokens: memory.Clamp01(w.Tokens), Compaction: memory.Clamp01(w.Compaction)}
	sum := w.Failures + w.Calls + w.Tokens + w.Compaction
	if sum == 0 {
		balanced, _ := WeightsOf(Balanced)
		return balanced.Normalized()
	}
	return Weights{Failures: exact(w.Failures / sum), Calls: exact(w.Calls / sum),
		Tokens: exact(w.Tokens / sum), Compaction: exact(w.Compaction / sum)}
}
