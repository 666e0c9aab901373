package priority

import "math"

// Use is what is known of a memory when its priority is asked for.
type Use struct {
	// Difficulty of the work that taught it, 0 to 1.
	Difficulty float64
	// Importance is "critical", "important" or "low"; anything else has no effect.
	Importance string
	// Accesses is how much it was used in this clone, as of the last access: see
	// [Access]. Being stored counts as the first one.
	Accesses float64
	// SessionsSinceAccess is 0 for an access in this session, 1 for the one
	// before; negative when this clone has never seen the memory. Then nothing is
	// known of its use, and Accesses is not looked at.
	SessionsSinceAccess int
}

// Score returns the priority of a memory, from 0 (may go first) to 1, and how
// it came about:
//
//	0.4·difficulty + 0.3·recency + 0.3·frequency + importance
//
// with recency and frequency as the profile has them, and importance +0.5
// (critical), +0.25 (important) or −0.25 (low). The sum is clamped to [0,1].
func Score(u Use, p Profile) (float64, Breakdown) {
	terms := append(make([]Term, 0, 4),
		term("difficulty", clamp(u.Difficulty), weightDifficulty),
		term("recency", p.recency(u), weightRecency),
		term("frequency", p.frequency(u), weightFrequency),
	)
	if bonus := importanceBonus(u.Importance); bonus != 0 {
		terms = append(terms, term(u.Importance, 1, bonus))
	}
	b := sum(terms...)
	return b.Score, b
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

// share returns how much of full n is, from 0 to 1. If full is 0, any n counts
// as 1.
func share(n, full float64) float64 {
	if !(n > 0) {
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
