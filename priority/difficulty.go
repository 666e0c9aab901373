package priority

import "math"

// Work is what a segment of a session did: from one memory that was stored to the
// next.
type Work struct {
	Failures  int  // tool calls that failed
	Retries   int  // calls for what had failed just before
	Calls     int  // tool calls, failed ones included
	Tokens    int  // that the model wrote, and tools gave back
	Compacted bool // the context overflowed in this segment

	// HalfTokens is where the term of tokens reaches one half; not positive: at
	// [HalfTokens].
	HalfTokens int
}

// The scales of difficulty. Each is where its term reaches one half, but for the
// first, which is how much evidence the prior is worth.
const (
	// Unknown is the difficulty of work of which nothing is known, and the prior
	// of all work: most of what is worth a memory was neither trivial nor an
	// ordeal. Few calls say little, so the prior is worth four of them.
	Unknown   = 0.30
	priorCall = 4

	// Told is the difficulty of what a person says outright. No work shows what it
	// cost them to find out, and they would not say it if it were nothing.
	Told = 0.50

	// halfFailures: four failures are half of all the trouble there can be. A retry
	// counts half, for its failure counts already.
	halfFailures = 4
	retryCounts  = 0.5

	// halfCalls and halfTokens are the middle of the tasks that were looked at: 25
	// calls, or 30,000 tokens written and read.
	halfCalls  = 25
	HalfTokens = 30_000
)

// Difficulty returns how hard work was, from 0 to 1, and how it came about. With
// x = failures + retries/2:
//
//	F = 1 − (1 − failures/(calls+4))·(1 − x/(x+4))
//	C = calls/(calls+25)
//	T = tokens/(tokens+30,000), or another HalfTokens
//	judged = wF·F + wC·C + wT·T + wK·compacted
//	difficulty = (calls·judged + 4·0.30)/(calls+4)
//
// F is the larger, the more of the calls failed, and the more failed at all. Counts
// below 0 count as 0, and more failures than calls as all of them. Every term only
// grows with its count, and so does the sum; more calls without a failure lower F.
func Difficulty(work Work, w Weights) (float64, Breakdown) {
	w = w.Normalized()
	calls := float64(max(0, work.Calls))
	weight := exact(calls / (calls + priorCall)) // of what was seen, beside the prior
	compacted := 0.0
	if work.Compacted {
		compacted = 1
	}
	b := sum(
		term("failures", Failing(work), exact(w.Failures*weight)),
		term("calls", half(calls, halfCalls), exact(w.Calls*weight)),
		term("tokens", half(float64(max(0, work.Tokens)), middleTokens(work)), exact(w.Tokens*weight)),
		term("compacted", compacted, exact(w.Compaction*weight)),
		term("prior", Unknown, exact(1-weight)),
	)
	return b.Score, b
}

func middleTokens(work Work) float64 {
	if work.HalfTokens > 0 {
		return float64(work.HalfTokens)
	}
	return HalfTokens
}

// Failing returns F of [Difficulty]: how much of the work failed, from 0 to 1.
// It does not depend on weights.
func Failing(work Work) float64 {
	calls := float64(max(0, work.Calls))
	failures := min(float64(max(0, work.Failures)), calls)
	x := failures + retryCounts*min(float64(max(0, work.Retries)), calls)
	return clamp(1 - (1-failures/(calls+priorCall))*(1-half(x, halfFailures)))
}

// half returns n/(n+middle): 0 for nothing, a half in the middle, and never 1.
func half(n, middle float64) float64 { return n / (n + middle) }

// exact drops what binary fractions leave in the last digits of a decimal one.
func exact(v float64) float64 { return math.Round(v*1e12) / 1e12 }
