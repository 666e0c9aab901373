package priority

import "ltm/memory"

// Use is what a priority is computed from.
type Use struct {
	// Difficulty of the work that taught it, 0 to 1.
	Difficulty float64
	// Importance is "critical", "important" or "low"; anything else has no effect.
	Importance string
	// Accesses is the use of the memory in this clone as of its last access; see [Profile.Access].
	// Storing it counts as the first access.
	Accesses float64
	// SessionsSinceAccess is 0 for an access in this session and 1 for one in the session before.
	// It is negative if this clone has never recorded an access; Accesses is then ignored.
	SessionsSinceAccess int
}

// Score returns the priority of a memory, from 0 (reduced first) to 1, and its arithmetic:
//
//	0.4·difficulty + 0.3·recency + 0.3·frequency + importance
//
// Recency and frequency are defined by the [Profile]. Importance adds 0.5 (critical) or 0.25
// (important), or subtracts 0.25 (low). The sum is clamped to [0,1].
func Score(u Use, p Profile) (float64, Breakdown) {
	terms := append(make([]Term, 0, 4),
		term("difficulty", memory.Clamp01(u.Difficulty), weightDifficulty),
		term("recency", p.recency(u), weightRecency),
		term("frequency", p.frequency(u), weightFrequency),
	)
	if bonus := importanceBonus(u.Importance); bonus != 0 {
		terms = append(terms, term(u.Importance, 1, bonus))
	}
	b := sum(terms...)
	return b.Score, b
}

// Of is [Score] without its arithmetic, which takes most of the time.
func Of(u Use, p Profile) float64 {
	sum := float64(weightDifficulty * memory.Clamp01(u.Difficulty))
	sum += float64(weightRecency * p.recency(u))
	sum += float64(weightFrequency * p.frequency(u))
	return memory.Clamp01(sum + importanceBonus(u.Importance))
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

// share returns n as a share of full, from 0 to 1. If full is 0, any n above 0 counts as 1.
func share(n, full float64) float64 {
	if !(n > 0) {
		return 0
	}
	if full <= 0 {
		return 1
	}
	return min(1, n/full)
}
