package priority

import "ltm/memory"

// Weights is how much each sign of hard work counts: failures, the number of calls, tokens, and a
// compaction. Only their proportions matter.
type Weights struct {
	Failures   float64 `json:"failures"`
	Calls      float64 `json:"calls"`
	Tokens     float64 `json:"tokens"`
	Compaction float64 `json:"compaction"`
}

// The names of sets of weights.
const (
	Balanced  = "balanced"
	Debugging = "debugging"
	Research  = "research"
	Legacy    = "legacy"
)

// WeightNames lists the names that [WeightsOf] knows, the default first.
func WeightNames() []string { return []string{Balanced, Debugging, Research, Legacy} }

// WeightsOf returns the weights of that name, which add up to 1. ok is false for an unknown name.
func WeightsOf(name string) (w Weights, ok bool) {
	switch name {
	case Balanced:
		// Failures and the amount of text say most; the number of calls and a compaction also grow
		// with the mere length of the work.
		return Weights{Failures: 0.30, Calls: 0.20, Tokens: 0.30, Compaction: 0.20}, true
	case Debugging:
		// What failed must not be tried again, so failures weigh most. Their gain is taken only
		// from calls and tokens, so that no segment of mostly failures scores below balanced.
		return Weights{Failures: 0.60, Calls: 0.10, Tokens: 0.10, Compaction: 0.20}, true
	case Research:
		// Reading rarely fails: the effort is how much was read and looked up.
		return Weights{Failures: 0.10, Calls: 0.30, Tokens: 0.45, Compaction: 0.15}, true
	case Legacy:
		// The predecessor's weights, which do not count tokens.
		return Weights{Failures: 0.5, Calls: 0.3, Compaction: 0.2}, true
	}
	return Weights{}, false
}

// Normalized returns the weights scaled to a sum of 1. A weight outside [0,1] is clamped and NaN
// counts as 0; if all are 0, it returns the balanced weights.
func (w Weights) Normalized() Weights {
	w = Weights{memory.Clamp01(w.Failures), memory.Clamp01(w.Calls),
		memory.Clamp01(w.Tokens), memory.Clamp01(w.Compaction)}
	total := w.Failures + w.Calls + w.Tokens + w.Compaction
	if total == 0 {
		balanced, _ := WeightsOf(Balanced)
		return balanced
	}
	return Weights{exact(w.Failures / total), exact(w.Calls / total),
		exact(w.Tokens / total), exact(w.Compaction / total)}
}
