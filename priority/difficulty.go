package priority

import (
	"math"

	"ltm/memory"
)

// The scales of difficulty. Each is the count at which its term reaches one half, except Unknown
// and priorCall, which are the prior and its weight.
const (
	// Unknown is the difficulty of work about which nothing is known, and the prior of all work:
	// what is worth a memory was rarely either trivial or an ordeal. A few calls say little, so the
	// prior weighs as much as four.
	Unknown   = 0.30
	priorCall = 4

	// Told is the difficulty of what a person states outright. No recorded work shows what it cost
	// them to find out, but they would not state it if it had cost nothing.
	Told = 0.50

	// halfFailures: four failures count as half of the worst case. A retry counts half, because the
	// failure before it already counts.
	halfFailures = 4
	retryCounts  = 0.5

	// halfCalls and HalfTokens lie in the middle of the tasks that were sampled: 25 calls, and
	// 30,000 tokens written and read.
	halfCalls  = 25
	HalfTokens = 30_000
)

// Difficulty returns how hard work was, from 0 to 1, and the arithmetic. With x = failures +
// retries/2:
//
//	F = 1 − (1 − failures/(calls+4))·(1 − x/(x+4))
//	C = calls/(calls+25)
//	T = tokens/(tokens+halfTokens)
//	judged = wF·F + wC·C + wT·T + wK·compacted
//	difficulty = (calls·judged + 4·0.30)/(calls+4)
//
// F grows with the share of calls that failed and with their number. Counts below 0 count as 0, and
// failures beyond the number of calls as that number. Every term, and so the sum, only grows with
// its own count; more calls without a failure lower F. halfTokens is the number of tokens at which
// T is one half; [HalfTokens] if not positive. The work of subagents does not count.
func Difficulty(work memory.Work, halfTokens int, w Weights) (float64, Breakdown) {
	if halfTokens <= 0 {
		halfTokens = HalfTokens
	}
	w = w.Normalized()
	calls := float64(max(0, work.Calls))
	weight := exact(calls / (calls + priorCall)) // of the evidence, against the prior
	compacted := 0.0
	if work.Compacted {
		compacted = 1
	}
	b := sum(
		term("failures", Failing(work), exact(w.Failures*weight)),
		term("calls", half(calls, halfCalls), exact(w.Calls*weight)),
		term("tokens", half(float64(max(0, work.Tokens)), float64(halfTokens)), exact(w.Tokens*weight)),
		term("compacted", compacted, exact(w.Compaction*weight)),
		term("prior", Unknown, exact(1-weight)),
	)
	return b.Score, b
}

// Failing returns F of [Difficulty], from 0 to 1: how much of the work failed. It does not depend
// on the weights.
func Failing(work memory.Work) float64 {
	calls := float64(max(0, work.Calls))
	failures := min(float64(max(0, work.Failures)), calls)
	x := failures + retryCounts*min(float64(max(0, work.Retries)), calls)
	return memory.Clamp01(1 - (1-failures/(calls+priorCall))*(1-half(x, halfFailures)))
}

// half returns n/(n+middle): 0 at 0, 0.5 at middle, and always below 1.
func half(n, middle float64) float64 { return n / (n + middle) }

// exact removes binary rounding from the last digits of a decimal fraction.
func exact(v float64) float64 { return math.Round(v*1e12) / 1e12 }
