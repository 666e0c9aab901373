package priority

import "math"

// Use is what is known of a memory when its priority is asked for.
type Use struct {
	// Difficulty of the work that taught it, 0 to 1.
	Difficulty float64
	// Importance is "critical", "important" or "low"; anything else has no effect.
	Importance string
	// Accesses counts how often it was read on purpose in this clone.
	Accesses int
	// SessionsSinceAccess is 0 for an access in this session, 1 for the one
	// before; negative when it was never accessed in this clone. Then nothing
	// is known of its use, and Accesses is not looked at.
	SessionsSinceAccess int
}

// Score returns the priority of a memory, from 0 (may go first) to 1, and how
// it came about:
//
//	0.4·difficulty + 0.3·recency + 0.3·frequency + importance
//
// with recency = 1/(1+sessions since the last access), frequency = min(1,
// accesses/10) and importance +0.5 (critical), +0.25 (important) or −0.25
// (low). The sum is clamped to [0,1].
func Score(u Use) (float64, Breakdown) {
	terms := append(make([]Term, 0, 4),
		term("difficulty", clamp(u.Difficulty), weightDifficulty),
		term("recency", recency(u), weightRecency),
		term("frequency", frequency(u), weightFrequency),
	)
	if bonus := importanceBonus(u.Importance); bonus != 0 {
		terms = append(terms, term(u.Importance, 1, bonus))
	}
	b := sum(terms...)
	return b.Score, b
}

func recency(u Use) float64 {
	if u.SessionsSinceAccess < 0 {
		return 0
	}
	return 1 / (1 + float64(u.SessionsSinceAccess))
}

func frequency(u Use) float64 {
	if u.SessionsSinceAccess < 0 {
		return 0
	}
	return share(float64(u.Accesses), fullFrequency)
}

func importanceBonus(level string) float64 {
	switch level {
	case "critical":
		return bonusCritical
	case "important":
		return bonusImportant
	case "low":
		return bonusLow
	}
	return 0
}

// Work is what a session did since something was last remembered.
type Work struct {
	Failures    int  // tool calls that failed
	Calls       int  // tool calls, failed ones included
	Tokens      int  // put into the context by them
	TokensKnown bool // false: Tokens is not looked at
	TokenCap    int  // tokens from which work counts as heavy; not positive: any token does
	Compacted   bool // the context overflowed and was compacted
}

// Difficulty returns how hard work was, from 0 to 1, and how it came about: the
// weighted sum of
//
//	failures/calls, min(1, calls/50), min(1, tokens/cap), compacted (0 or 1)
//
// with the weights as [Weights.Normalized] has them, or [Weights.WithoutTokens]
// when the tokens are not known. Work without calls has a failure rate of 0,
// and a rate is at most 1.
func Difficulty(work Work, w Weights) (float64, Breakdown) {
	compacted := 0.0
	if work.Compacted {
		compacted = 1
	}
	w = w.Normalized()
	if !work.TokensKnown {
		w = w.WithoutTokens()
	}
	terms := append(make([]Term, 0, 4),
		term("failure rate", failureRate(work), w.Failures),
		term("calls", share(float64(work.Calls), fullCalls), w.Calls),
	)
	if work.TokensKnown {
		terms = append(terms, term("tokens", share(float64(work.Tokens), float64(work.TokenCap)), w.Tokens))
	}
	b := sum(append(terms, term("compacted", compacted, w.Compaction))...)
	return b.Score, b
}

func failureRate(w Work) float64 {
	if w.Calls <= 0 {
		return 0
	}
	return share(float64(w.Failures), float64(w.Calls))
}

// share returns how much of full n is, from 0 to 1. Of nothing, anything is all.
func share(n, full float64) float64 {
	if n <= 0 {
		return 0
	}
	if full <= 0 {
		return 1
	}
	return min(1, n/full)
}

// clamp bounds v to [0,1]; not-a-number becomes 0.
func clamp(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return min(1, max(0, v))
}
