package priority

import (
	"math"

	"ltm/memory"
)

const (
	// Unknown is the difficulty of work about which nothing is known, and the least of all work
	// that is judged: what is worth a memory was rarely trivial.
	Unknown = 0.25

	// Told is the difficulty of what a person states outright. No recorded work shows what it cost
	// them to find out, but they would not state it if it had cost nothing.
	Told = 0.50

	// fewCalls keeps the first calls from counting in full: a share of failures says little when
	// it is that of one or two calls.
	fewCalls = 4

	// halfFailures: four failures count as half of the worst case. A retry counts half, because the
	// failure before it already counts.
	halfFailures = 4
	retryCounts  = 0.5

	// halfCalls and HalfTokens lie in the middle of the tasks that were sampled: 25 calls, and
	// 30,000 tokens written and read. They are the counts at which C and T are one half.
	halfCalls  = 25
	HalfTokens = 30_000
)

// Difficulty returns how hard work was, from 0 to 1, and the arithmetic. With x = failures + retries/2:
//
//	F = 1 − (1 − failures/(calls+4))·(1 − x/(x+4))
//	C = calls/(calls+25)
//	T = tokens/(tokens+halfTokens)
//	difficulty = 1 − (1−0.25)·(1−wF·F)·(1−wC·C)·(1−wT·T)·(1−wK·compacted)
//
// Evidence only adds: each sign, in this order, takes its share of what the ones before it left of
// 1. Summed weights, those of the predecessor, instead give wF·F + wC·C + wT·T + wK·compacted.
//
// F grows with the share of calls that failed and with their number. Counts below 0 count as 0, and
// failures beyond the number of calls as that number. Every term, and so the score, only grows with
// its own count; more calls without a failure lower F. halfTokens is the number of tokens at which
// T is one half; [HalfTokens] if not positive. The work of subagents does not count.
func Difficulty(work memory.Work, halfTokens int, w Weights) (float64, Breakdown) {
	if halfTokens <= 0 {
		halfTokens = HalfTokens
	}
	compacted := 0.0
	if work.Compacted {
		compacted = 1
	}
	terms := []Term{
		term("failures", Failing(work), memory.Clamp01(w.Failures)),
		term("calls", half(float64(max(0, work.Calls)), halfCalls), memory.Clamp01(w.Calls)),
		term("tokens", half(float64(max(0, work.Tokens)), float64(halfTokens)), memory.Clamp01(w.Tokens)),
		term("compacted", compacted, memory.Clamp01(w.Compaction)),
	}
	if !w.summed {
		terms = shares(term("base", 1, Unknown), terms)
	}
	b := sum(terms...)
	return b.Score, b
}

// Failing returns F of [Difficulty], from 0 to 1: how much of the work failed. It does not depend on the weights.
func Failing(work memory.Work) float64 {
	calls := float64(max(0, work.Calls))
	failures := min(float64(max(0, work.Failures)), calls)
	x := failures + retryCounts*min(float64(max(0, work.Retries)), calls)
	return memory.Clamp01(1 - (1-failures/(calls+fewCalls))*(1-half(x, halfFailures)))
}

// half returns n/(n+middle): 0 at 0, 0.5 at middle, and always below 1.
func half(n, middle float64) float64 { return n / (n + middle) }

// exact removes binary rounding from the last digits of a decimal fraction.
func exact(v float64) float64 { return math.Round(v*1e12) / 1e12 }
