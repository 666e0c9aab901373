// Package stopwatch compares how long operations take. For benchmarks alone.
package stopwatch

import (
	"slices"
	"time"
)

// Stopwatch keeps how long operations took, each once a round: what else the machine
// does slows all of them alike, so that their medians can be compared.
type Stopwatch map[string][]time.Duration

// Time runs an operation and keeps how long it took.
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

// Ratio returns how often the median of b goes into that of a.
func (s Stopwatch) Ratio(a, b string) float64 { return s.Median(a) / s.Median(b) }
