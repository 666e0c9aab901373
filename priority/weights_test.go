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
		w, want := weights(t, name), 1.4
		if name == priority.Legacy {
			want = 1
		}
		require.InDelta(t, want, w.Failures+w.Calls+w.Tokens+w.Compaction, near, name)
	}
	_, ok := priority.WeightsOf("Balanced")
	require.False(t, ok)
}

func TestCustom(t *testing.T) {
	for _, tt := range []struct {
		name        string
		given       priority.Weights
		proportions priority.Weights // of a sum of 1
		want        priority.Weights // 1.4 times as much
	}{
		{"the balanced ones", priority.Weights{Failures: 0.55, Calls: 0.25, Tokens: 0.35, Compaction: 0.25},
			priority.Weights{Failures: 0.392857142857, Calls: 0.178571428571, Tokens: 0.25, Compaction: 0.178571428571},
			weights(t, priority.Balanced)},
		{"a sum of 1", priority.Weights{Failures: 0.5, Calls: 0.2, Tokens: 0.2, Compaction: 0.1},
			priority.Weights{Failures: 0.5, Calls: 0.2, Tokens: 0.2, Compaction: 0.1},
			priority.Weights{Failures: 0.7, Calls: 0.28, Tokens: 0.28, Compaction: 0.14}},
		{"a sum of 2: halves", priority.Weights{Failures: 1, Tokens: 1}, priority.Weights{Failures: 0.5, Tokens: 0.5},
			priority.Weights{Failures: 0.7, Tokens: 0.7}},
		{"a sum of 0.4", priority.Weights{Failures: 0.1, Calls: 0.3}, priority.Weights{Failures: 0.25, Calls: 0.75},
			priority.Weights{Failures: 0.35, Calls: 1}}, // 1.4·0.75 is limited to 1
		{"out of range counts as the nearest", priority.Weights{Failures: 7, Calls: -7, Compaction: 1},
			priority.Weights{Failures: 0.5, Compaction: 0.5}, priority.Weights{Failures: 0.7, Compaction: 0.7}},
		{"nothing", priority.Weights{}, weights(t, priority.Balanced).Normalized(), weights(t, priority.Balanced)},
		{"not a number", priority.Weights{Failures: math.NaN(), Calls: math.Inf(-1)},
			weights(t, priority.Balanced).Normalized(), weights(t, priority.Balanced)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.proportions, tt.given.Normalized())
			got := priority.Custom(tt.given)
			for _, pair := range [][2]float64{{tt.want.Failures, got.Failures}, {tt.want.Calls, got.Calls},
				{tt.want.Tokens, got.Tokens}, {tt.want.Compaction, got.Compaction}} {
				require.InDelta(t, pair[0], pair[1], 1e-9)
			}
		})
	}
}

func TestAnyWeightsGiveAScoreInRange(t *testing.T) {
	check(t, func(bits [4]uint64, work memory.Work) bool { // any float64
		w := priority.Weights{Failures: math.Float64frombits(bits[0]), Calls: math.Float64frombits(bits[1]),
			Tokens: math.Float64frombits(bits[2]), Compaction: math.Float64frombits(bits[3])}
		d, _ := priority.Difficulty(work, 0, w)
		custom, _ := priority.Difficulty(work, 0, priority.Custom(w))
		return d >= 0 && d <= 1 && custom >= 0 && custom <= 1 // false for NaN
	})
}
