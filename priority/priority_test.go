package priority_test

import (
	"math"
	"math/rand"
	"testing"
	"testing/quick"

	"github.com/stretchr/testify/require"

	"ltm/priority"
)

// near is the tolerance for scores written as decimal arithmetic.
const near = 1e-12

func TestScore(t *testing.T) {
	for _, tt := range []struct {
		name string
		use  priority.Use
		want float64
	}{
		{"nothing known", priority.Use{SessionsSinceAccess: -1}, 0},
		{"never accessed", priority.Use{Difficulty: 0.8, SessionsSinceAccess: -1}, 0.4*0.8 + 0.3*0 + 0.3*0},
		{"never accessed, whatever the count says", priority.Use{Difficulty: 0.5, Accesses: 9, SessionsSinceAccess: -1}, 0.4*0.5 + 0.3*0 + 0.3*0},
		{"first access, this session", priority.Use{Difficulty: 0.5, Accesses: 1}, 0.4*0.5 + 0.3*1 + 0.3*0.1},
		{"one session ago", priority.Use{Difficulty: 0.5, Accesses: 4, SessionsSinceAccess: 1}, 0.4*0.5 + 0.3*(1.0/2) + 0.3*0.4},
		{"nine sessions ago", priority.Use{Difficulty: 0.2, Accesses: 20, SessionsSinceAccess: 9}, 0.4*0.2 + 0.3*(1.0/10) + 0.3*1},
		{"all there is", priority.Use{Difficulty: 1, Accesses: 10}, 0.4*1 + 0.3*1 + 0.3*1},
		{"critical", priority.Use{Difficulty: 0.5, Importance: "critical", SessionsSinceAccess: -1}, 0.4*0.5 + 0.5},
		{"important", priority.Use{Difficulty: 0.5, Importance: "important", Accesses: 2, SessionsSinceAccess: 3}, 0.4*0.5 + 0.3*(1.0/4) + 0.3*0.2 + 0.25},
		{"low", priority.Use{Difficulty: 1, Importance: "low", SessionsSinceAccess: -1}, 0.4*1 - 0.25},
		{"normal", priority.Use{Difficulty: 1, Importance: "normal", SessionsSinceAccess: -1}, 0.4 * 1},
		{"unknown importance", priority.Use{Difficulty: 1, Importance: "CRITICAL", SessionsSinceAccess: -1}, 0.4 * 1},
		{"clamped above: 1.0 + 0.5", priority.Use{Difficulty: 1, Importance: "critical", Accesses: 10}, 1},
		{"clamped below: 0.04 - 0.25", priority.Use{Difficulty: 0.1, Importance: "low", SessionsSinceAccess: -1}, 0},
		{"difficulty not a number", priority.Use{Difficulty: math.NaN(), Accesses: 10}, 0.4*0 + 0.3*1 + 0.3*1},
		{"difficulty infinite", priority.Use{Difficulty: math.Inf(1), SessionsSinceAccess: -1}, 0.4 * 1},
		{"difficulty negative", priority.Use{Difficulty: -3, Accesses: 10}, 0.4*0 + 0.3*1 + 0.3*1},
		{"accesses negative", priority.Use{Accesses: -5}, 0.3*1 + 0.3*0},
		{"the largest numbers", priority.Use{Accesses: math.MaxInt, SessionsSinceAccess: math.MaxInt}, 0.3 * 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, b := priority.Score(tt.use)
			require.InDelta(t, tt.want, got, near)
			requireConsistent(t, got, b)
		})
	}
}

func TestDifficulty(t *testing.T) {
	for _, tt := range []struct {
		name string
		work priority.Work
		want float64
	}{
		{"no work", priority.Work{}, 0},
		{"no work, tokens known", priority.Work{TokensKnown: true, TokenCap: 100}, 0},
		{"with tokens", priority.Work{Failures: 5, Calls: 20, Tokens: 50_000, TokensKnown: true, TokenCap: 100_000},
			0.30*(5.0/20) + 0.20*(20.0/50) + 0.30*(50_000.0/100_000) + 0.20*0},
		{"with tokens, compacted", priority.Work{Failures: 5, Calls: 20, Tokens: 50_000, TokensKnown: true, TokenCap: 100_000, Compacted: true},
			0.30*(5.0/20) + 0.20*(20.0/50) + 0.30*(50_000.0/100_000) + 0.20*1},
		{"without tokens", priority.Work{Failures: 5, Calls: 20}, 0.5*(5.0/20) + 0.3*(20.0/50) + 0.2*0},
		{"without tokens, compacted", priority.Work{Failures: 5, Calls: 20, Compacted: true}, 0.5*(5.0/20) + 0.3*(20.0/50) + 0.2*1},
		{"tokens that are not known do not count", priority.Work{Calls: 10, Tokens: 1 << 40, TokenCap: 10}, 0.3 * (10.0 / 50)},
		{"all there is", priority.Work{Failures: 50, Calls: 50, Tokens: 10, TokensKnown: true, TokenCap: 10, Compacted: true}, 1},
		{"all there is without tokens", priority.Work{Failures: 50, Calls: 50, Compacted: true}, 1},
		{"far beyond the scales", priority.Work{Failures: 1 << 40, Calls: 1 << 40, Tokens: 1 << 60, TokensKnown: true, TokenCap: 1, Compacted: true}, 1},
		{"more failures than calls", priority.Work{Failures: 30, Calls: 10}, 0.5*1 + 0.3*(10.0/50)},
		{"failures without calls", priority.Work{Failures: 30}, 0},
		{"negative counts", priority.Work{Failures: -1, Calls: -1, Tokens: -1, TokensKnown: true, TokenCap: 10}, 0},
		{"no cap: any token is all", priority.Work{Tokens: 1, TokensKnown: true}, 0.30},
		{"negative cap, no tokens", priority.Work{TokensKnown: true, TokenCap: -7}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, b := priority.Difficulty(tt.work, weights(t, priority.Balanced))
			require.InDelta(t, tt.want, got, near)
			requireConsistent(t, got, b)
		})
	}
}

// requireConsistent checks that a breakdown adds up to its score.
func requireConsistent(t *testing.T, score float64, b priority.Breakdown) {
	t.Helper()
	total := 0.0
	for _, term := range b.Terms {
		require.InDelta(t, term.Weight*term.Value, term.Contribution, near, term.Name)
		require.True(t, term.Value >= 0 && term.Value <= 1, "%s has value %v", term.Name, term.Value)
		total += term.Contribution
	}
	require.Equal(t, total, b.Sum)
	require.Equal(t, score, b.Score)
	require.True(t, score >= 0 && score <= 1, "score %v", score) // false for NaN too
}

func TestBreakdownSpellsTheArithmetic(t *testing.T) {
	for _, tt := range []struct {
		name string
		b    func() (float64, priority.Breakdown)
		want string
	}{
		{"priority", func() (float64, priority.Breakdown) {
			return priority.Score(priority.Use{Difficulty: 0.8, Accesses: 2, SessionsSinceAccess: 1})
		}, "0.4·0.80 difficulty + 0.3·0.50 recency + 0.3·0.20 frequency = 0.53"},
		{"critical, clamped", func() (float64, priority.Breakdown) {
			return priority.Score(priority.Use{Difficulty: 1, Importance: "critical", Accesses: 2, SessionsSinceAccess: 1})
		}, "0.4·1.00 difficulty + 0.3·0.50 recency + 0.3·0.20 frequency + 0.5·1.00 critical = 1.11, clamped to 1.00"},
		{"low, clamped", func() (float64, priority.Breakdown) {
			return priority.Score(priority.Use{Importance: "low", SessionsSinceAccess: -1})
		}, "0.4·0.00 difficulty + 0.3·0.00 recency + 0.3·0.00 frequency − 0.25·1.00 low = -0.25, clamped to 0.00"},
		{"exactly 1 is not clamped", func() (float64, priority.Breakdown) {
			return priority.Score(priority.Use{Difficulty: 1, Accesses: 10})
		}, "0.4·1.00 difficulty + 0.3·1.00 recency + 0.3·1.00 frequency = 1.00"},
		{"difficulty", func() (float64, priority.Breakdown) {
			return priority.Difficulty(priority.Work{Failures: 1, Calls: 4, Tokens: 10, TokensKnown: true, TokenCap: 40, Compacted: true}, weights(t, priority.Balanced))
		}, "0.3·0.25 failure rate + 0.2·0.08 calls + 0.3·0.25 tokens + 0.2·1.00 compacted = 0.37"},
		{"difficulty without tokens", func() (float64, priority.Breakdown) {
			return priority.Difficulty(priority.Work{Failures: 1, Calls: 4}, weights(t, priority.Balanced))
		}, "0.5·0.25 failure rate + 0.3·0.08 calls + 0.2·0.00 compacted = 0.15"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, b := tt.b()
			require.Equal(t, tt.want, b.String())
		})
	}
}

// check runs a property with the same inputs every time.
func check(t *testing.T, property any) {
	t.Helper()
	require.NoError(t, quick.Check(property, &quick.Config{MaxCount: 5000, Rand: rand.New(rand.NewSource(1))}))
}

func level(n uint8) string {
	return []string{"low", "", "important", "critical"}[n%4]
}

func TestScoreIsMonotone(t *testing.T) {
	score := func(u priority.Use) float64 { s, _ := priority.Score(u); return s }
	check(t, func(u priority.Use, more float64) bool { // difficulty; an infinite sum is fine
		v := u
		v.Difficulty += math.Abs(more)
		return score(u) <= score(v)
	})
	check(t, func(u priority.Use, lower, higher uint8) bool {
		v := u
		u.Importance, v.Importance = level(min(lower%4, higher%4)), level(max(lower%4, higher%4))
		return score(u) <= score(v)
	})
	check(t, func(u priority.Use, accesses, more uint16) bool {
		v := u
		u.Accesses, v.Accesses = int(accesses), int(accesses)+int(more)
		return score(u) <= score(v)
	})
	check(t, func(u priority.Use, since, more uint16) bool { // longer ago is less; never is least
		v, never := u, u
		u.SessionsSinceAccess, v.SessionsSinceAccess, never.SessionsSinceAccess = int(since)+int(more), int(since), -1
		return score(never) <= score(u) && score(u) <= score(v)
	})
}

func TestDifficultyIsMonotone(t *testing.T) {
	difficulty := func(w priority.Work) float64 { d, _ := priority.Difficulty(w, priority.Weights{}); return d }
	check(t, func(w priority.Work, calls, failures, more uint16) bool {
		v := w
		w.Calls, v.Calls = int(calls), int(calls)
		w.Failures, v.Failures = int(failures), int(failures)+int(more)
		return difficulty(w) <= difficulty(v)
	})
	check(t, func(w priority.Work, calls, more uint16) bool { // more calls at the same failure rate
		v := w
		w.Calls, v.Calls, w.Failures, v.Failures = int(calls), int(calls)+int(more), 0, 0
		return difficulty(w) <= difficulty(v)
	})
	check(t, func(w priority.Work, tokens, more uint32) bool {
		v := w
		w.Tokens, v.Tokens = int(tokens), int(tokens)+int(more)
		return difficulty(w) <= difficulty(v)
	})
	check(t, func(w priority.Work) bool {
		v := w
		w.Compacted, v.Compacted = false, true
		return difficulty(w) <= difficulty(v)
	})
}

func TestScoresAreInRange(t *testing.T) {
	inRange := func(v float64) bool { return v >= 0 && v <= 1 } // false for NaN
	check(t, func(u priority.Use) bool { s, _ := priority.Score(u); return inRange(s) })
	check(t, func(bits uint64, u priority.Use) bool { // every float there is
		u.Difficulty = math.Float64frombits(bits)
		s, _ := priority.Score(u)
		return inRange(s)
	})
	check(t, func(w priority.Work) bool { d, _ := priority.Difficulty(w, priority.Weights{}); return inRange(d) })
}

func BenchmarkScore(b *testing.B) {
	u := priority.Use{Difficulty: 0.8, Importance: "important", Accesses: 3, SessionsSinceAccess: 2}
	b.ReportAllocs()
	for b.Loop() {
		priority.Score(u)
	}
}
