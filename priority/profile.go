package priority

import "math"

// Weights says how much each witness of hard work counts: the share of tool
// calls that failed, the number of calls, the tokens, and a compaction. Only
// their proportions matter.
type Weights struct {
	Failures   float64 `json:"failures"`
	Calls      float64 `json:"calls"`
	Tokens     float64 `json:"tokens"`
	Compaction float64 `json:"compaction"`
}

// The names of the profiles.
const (
	Balanced  = "balanced"
	Debugging = "debugging"
	Research  = "research"
	Legacy    = "legacy"
)

// Profiles lists the names that [Profile] knows, the default first.
func Profiles() []string { return []string{Balanced, Debugging, Research, Legacy} }

// Profile returns the weights of that name. They add up to 1.
func Profile(name string) (w Weights, ok bool) {
	switch name {
	case Balanced:
		// Failures and the amount of text worked through say most; the number of
		// calls and a compaction follow from the length of the work too.
		return Weights{Failures: 0.30, Calls: 0.20, Tokens: 0.30, Compaction: 0.20}, true
	case Debugging:
		// What failed on the way is what must not be tried again.
		return Weights{Failures: 0.60, Calls: 0.15, Tokens: 0.15, Compaction: 0.10}, true
	case Research:
		// Reading fails seldom: how much was read and looked up is the effort.
		return Weights{Failures: 0.10, Calls: 0.30, Tokens: 0.45, Compaction: 0.15}, true
	case Legacy:
		// What balanced is without tokens, whether they are known or not.
		return Weights{Failures: 0.5, Calls: 0.3, Compaction: 0.2}, true
	}
	return Weights{}, false
}

// Normalized returns the weights with a sum of 1. What is out of [0,1] counts
// as the nearest of them and not-a-number as 0; when nothing is left, the
// balanced profile counts.
func (w Weights) Normalized() Weights {
	w = Weights{clamp(w.Failures), clamp(w.Calls), clamp(w.Tokens), clamp(w.Compaction)}
	total := w.Failures + w.Calls + w.Tokens + w.Compaction
	if total == 0 {
		balanced, _ := Profile(Balanced)
		return balanced
	}
	return Weights{exact(w.Failures / total), exact(w.Calls / total), exact(w.Tokens / total), exact(w.Compaction / total)}
}

// WithoutTokens returns weights for work whose tokens are not known, with the
// same sum. The weight of the tokens goes to the two witnesses of effort that
// remain, two thirds to the failures and one third to the calls. One of them
// that weighs nothing gets nothing while the other weighs something.
func (w Weights) WithoutTokens() Weights {
	toFailures := float64(w.Tokens * 2 / 3)
	switch {
	case w.Failures == 0 && w.Calls > 0:
		toFailures = 0
	case w.Calls == 0 && w.Failures > 0:
		toFailures = w.Tokens
	}
	return Weights{Failures: exact(w.Failures + toFailures), Calls: exact(w.Calls + (w.Tokens - toFailures)), Compaction: w.Compaction}
}

// exact drops what binary fractions leave in the last digits of a decimal one,
// so that 0.3 + 0.3·2/3 is 0.5.
func exact(v float64) float64 { return math.Round(v*1e12) / 1e12 }
