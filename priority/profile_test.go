package priority_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/priority"
)

func weights(t testing.TB, profile string) priority.Weights {
	t.Helper()
	w, ok := priority.Profile(profile)
	require.True(t, ok, profile)
	return w
}

func TestProfiles(t *testing.T) {
	work := priority.Work{Failures: 5, Calls: 20, Tokens: 60_000, TokensKnown: true, TokenCap: 100_000, Compacted: true}
	for _, tt := range []struct {
		profile        string
		known, unknown float64 // tokens
	}{
		{priority.Balanced,
			0.30*(5.0/20) + 0.20*(20.0/50) + 0.30*0.6 + 0.20*1,
			0.5*(5.0/20) + 0.3*(20.0/50) + 0.2*1},
		{priority.Debugging,
			0.60*(5.0/20) + 0.15*(20.0/50) + 0.15*0.6 + 0.10*1,
			(0.60+0.10)*(5.0/20) + (0.15+0.05)*(20.0/50) + 0.10*1},
		{priority.Research,
			0.10*(5.0/20) + 0.30*(20.0/50) + 0.45*0.6 + 0.15*1,
			(0.10+0.30)*(5.0/20) + (0.30+0.15)*(20.0/50) + 0.15*1},
		{priority.Legacy,
			0.5*(5.0/20) + 0.3*(20.0/50) + 0*0.6 + 0.2*1,
			0.5*(5.0/20) + 0.3*(20.0/50) + 0.2*1},
	} {
		t.Run(tt.profile, func(t *testing.T) {
			w := weights(t, tt.profile)
			require.InDelta(t, 1, w.Failures+w.Calls+w.Tokens+w.Compaction, near)
			require.Equal(t, w, w.Normalized(), "a profile is normalized as it stands")
			got, b := priority.Difficulty(work, w)
			require.InDelta(t, tt.known, got, near)
			require.Len(t, b.Terms, 4)
			requireConsistent(t, got, b)
			alone := work
			alone.TokensKnown = false
			got, b = priority.Difficulty(alone, w)
			require.InDelta(t, tt.unknown, got, near)
			require.Len(t, b.Terms, 3)
			requireConsistent(t, got, b)
		})
	}
	require.Len(t, priority.Profiles(), 4)
	_, ok := priority.Profile("Balanced")
	require.False(t, ok)
}

// TestBalancedWithoutTokensIsExact keeps what memories were judged by so far.
func TestBalancedWithoutTokensIsExact(t *testing.T) {
	require.Equal(t, priority.Weights{Failures: 0.5, Calls: 0.3, Compaction: 0.2}, weights(t, priority.Balanced).WithoutTokens())
	require.Equal(t, weights(t, priority.Legacy), weights(t, priority.Legacy).WithoutTokens())
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
		{"out of range counts as the nearest", priority.Weights{Failures: 7, Calls: -7, Compaction: 1}, priority.Weights{Failures: 0.5, Compaction: 0.5}},
		{"no number", priority.Weights{Failures: math.NaN(), Calls: math.Inf(-1)}, balanced},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, tt.given.Normalized())
		})
	}
}

func TestWithoutTokens(t *testing.T) {
	for _, tt := range []struct {
		name  string
		given priority.Weights
		want  priority.Weights
	}{
		{"two thirds to failures, one third to calls", priority.Weights{Failures: 0.2, Calls: 0.1, Tokens: 0.6, Compaction: 0.1},
			priority.Weights{Failures: 0.2 + 0.4, Calls: 0.1 + 0.2, Compaction: 0.1}},
		{"calls that weigh nothing get nothing", priority.Weights{Failures: 0.4, Tokens: 0.6}, priority.Weights{Failures: 1}},
		{"failures that weigh nothing get nothing", priority.Weights{Calls: 0.4, Tokens: 0.6}, priority.Weights{Calls: 1}},
		{"only tokens weigh", priority.Weights{Tokens: 0.9, Compaction: 0.1}, priority.Weights{Failures: 0.6, Calls: 0.3, Compaction: 0.1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.given.WithoutTokens()
			require.InDelta(t, tt.want.Failures, got.Failures, near)
			require.InDelta(t, tt.want.Calls, got.Calls, near)
			require.Zero(t, got.Tokens)
			require.InDelta(t, tt.want.Compaction, got.Compaction, near)
		})
	}
}

func TestBreakdownShowsEveryWeight(t *testing.T) {
	_, b := priority.Difficulty(priority.Work{Failures: 1, Calls: 4, Tokens: 10, TokensKnown: true, TokenCap: 40}, weights(t, priority.Legacy))
	require.Equal(t, "0.5·0.25 failure rate + 0.3·0.08 calls + 0·0.25 tokens + 0.2·0.00 compacted = 0.15", b.String())
	_, b = priority.Difficulty(priority.Work{Failures: 1, Calls: 4}, priority.Weights{Failures: 0.5, Calls: 0.5, Compaction: 0.5})
	require.Equal(t, "0.333·0.25 failure rate + 0.333·0.08 calls + 0.333·0.00 compacted = 0.11", b.String()) // (0.25 + 0.08) / 3
}

func TestAnyWeightsGiveAScoreInRange(t *testing.T) {
	check(t, func(bits [4]uint64, work priority.Work) bool { // every float there is
		w := priority.Weights{Failures: math.Float64frombits(bits[0]), Calls: math.Float64frombits(bits[1]),
			Tokens: math.Float64frombits(bits[2]), Compaction: math.Float64frombits(bits[3])}
		d, _ := priority.Difficulty(work, w)
		return d >= 0 && d <= 1 // false for NaN
	})
}
