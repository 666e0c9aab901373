// Package stopwatch compares the durations of operations, for benchmarks.
package stopwatch

import (
	"slices"
	"time"
)

// Stopwatch records durations by operation. Time each operation once per round: other load on the
// machine then slows all of them alike, and their medians can be compared.
type Stopwatch map[string][]time.Duration

func (s Stopwatch) Time(name string, op func()) {
	begin := time.Now()
	op()
	s[name] = append(s[name], time.Since(begin))
}

// Median returns the median of an operation in nanoseconds.
func (s Stopwatch) Median(name string) float64 {
	all := slices.Sorted(slices.Values(s[name]))
	return float64(all[len(all)/2])
}

// Ratio returns the median of a divided by that of b.
func (s Stopwatch) Ratio(a, b string) float64 { return s.Median(a) / s.Median(b) }
