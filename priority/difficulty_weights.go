package priority

// Weights says how much each witness of hard work counts: what failed, the number
// of calls, the tokens, and a compaction. Only their proportions matter.
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

// WeightsOf returns the weights of that name. They add up to 1.
func WeightsOf(name string) (w Weights, ok bool) {
	switch name {
	case Balanced:
		// Failures and the amount of text worked through say most; the number of
		// calls and a compaction follow from the length of the work too.
		return Weights{Failures: 0.30, Calls: 0.20, Tokens: 0.30, Compaction: 0.20}, true
	case Debugging:
		// What failed on the way is what must not be tried again. What failures
		// gain is taken from calls and tokens alone, so that no segment in which
		// failing is most of what happened scores below balanced.
		return Weights{Failures: 0.60, Calls: 0.10, Tokens: 0.10, Compaction: 0.20}, true
	case Research:
		// Reading fails seldom: how much was read and looked up is the effort.
		return Weights{Failures: 0.10, Calls: 0.30, Tokens: 0.45, Compaction: 0.15}, true
	case Legacy:
		// Without tokens.
		return Weights{Failures: 0.5, Calls: 0.3, Compaction: 0.2}, true
	}
	return Weights{}, false
}

// Normalized returns the weights with a sum of 1. What is out of [0,1] counts
// as the nearest of them and not-a-number as 0; when nothing is left, the
// balanced weights count.
func (w Weights) Normalized() Weights {
	w = Weights{clamp(w.Failures), clamp(w.Calls), clamp(w.Tokens), clamp(w.Compaction)}
	total := w.Failures + w.Calls + w.Tokens + w.Compaction
	if total == 0 {
		balanced, _ := WeightsOf(Balanced)
		return balanced
	}
	return Weights{exact(w.Failures / total), exact(w.Calls / total), exact(w.Tokens / total), exact(w.Compaction / total)}
}
