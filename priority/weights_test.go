package priority_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/priority"
)

func weights(t testing.TB, name string) priority.Weights {
	t.Helper()
	w, ok := priority.WeightsOf(name)
	require.True(t, ok, name)
	return w
}

func TestWeightNames(t *testing.T) {
	require.Equal(t, []string{"balanced", "debugging", "research", "legacy"}, priority.WeightNames())
	for _, name := range priority.WeightNames() {
		w := weights(t, name)
		require.InDelta(t, 1, w.Failures+w.Calls+w.Tokens+w.Compaction, near, name)
		require.Equal(t, w, w.Normalized(), "normalized as it is")
	}
	_, ok := priority.WeightsOf("Balanced")
	require.False(t, ok)
}

func TestNormalized(t *testing.T) {
	balanced := priority.Weights{Failures: 0.30, Calls: 0.20, Tokens: 0.30, Compaction: 0.20}
	for _, tt := range []struct {
		name  string
		given priority.Weights
		want  priority.Weights
	}{
		{"nothing", priority.Weights{}, balanced},
		{"a sum of 2: halves", priority.Weights{Failures: 1, Tokens: 1}, priority.Weights{Failures: 0.5, Tokens: 0.5}},
		{"a sum of 0.4", priority.Weights{Failures: 0.1, Calls: 0.3}, priority.Weights{Failures: 0.25, Calls: 0.75}},
		{"out of range counts as the nearest", priority.Weights{Failures: 7, Calls: -7, Compaction: 1},
			priority.Weights{Failures: 0.5, Compaction: 0.5}},
		{"not a number", priority.Weights{Failures: math.NaN(), Calls: math.Inf(-1)}, balanced},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, tt.given.Normalized())
		})
	}
}

func TestAnyWeightsGiveAScoreInRange(t *testing.T) {
	check(t, func(bits [4]uint64, work memory.Work) bool { // any float64
		w := priority.Weights{Failures: math.Float64frombits(bits[0]), Calls: math.Float64frombits(bits[1]),
			Tokens: math.Float64frombits(bits[2]), Compaction: math.Float64frombits(bits[3])}
		d, _ := priority.Difficulty(work, 0, w)
		return d >= 0 && d <= 1 // false for NaN
	})
}
