package priority_test

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"
	"testing/quick"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/priority"
)

// near is the tolerance for scores written as decimal arithmetic.
const near = 1e-12

func profile(t testing.TB, name string) priority.Profile {
	t.Helper()
	p, ok := priority.ProfileOf(name)
	require.True(t, ok, name)
	return p
}

// ln is the natural logarithm, as the formula writes it.
func ln(x float64) float64 { return math.Log(x) }

func TestScore(t *testing.T) {
	for _, tt := range []struct {
		name              string
		use               priority.Use
		classic, balanced float64
	}{
		{"never seen", priority.Use{SessionsSinceAccess: -1}, 0, 0},
		{"never seen, however hard", priority.Use{Difficulty: 0.8, SessionsSinceAccess: -1}, 0.4*0.8 + 0.3*0 + 0.3*0,
			0.4 * 0.8},
		{"never seen, whatever the count says", priority.Use{Difficulty: 0.5, Accesses: 9, SessionsSinceAccess: -1},
			0.4 * 0.5, 0.4 * 0.5},
		{"just stored", priority.Use{Difficulty: 0.5, Accesses: 1}, 0.4*0.5 + 0.3*1 + 0.3*0.1,
			0.4*0.5 + 0.3*1 + 0.3*ln(2)/ln(6)},
		{"one session ago", priority.Use{Difficulty: 0.5, Accesses: 4, SessionsSinceAccess: 1},
			0.4*0.5 + 0.3*(1.0/2) + 0.3*0.4, 0.4*0.5 + 0.3*(5.0/6) + 0.3*ln(1+4*math.Exp2(-1.0/30))/ln(6)},
		{"thirty sessions ago: half of the accesses are left", priority.Use{Difficulty: 0.2, Accesses: 4,
			SessionsSinceAccess: 30},
			0.4*0.2 + 0.3*(1.0/31) + 0.3*0.4, 0.4*0.2 + 0.3*(5.0/35) + 0.3*ln(1+2)/ln(6)},
		{"all there is", priority.Use{Difficulty: 1, Accesses: 10}, 1, 1},
		{"five accesses are all for balanced", priority.Use{Accesses: 5}, 0.3*1 + 0.3*0.5, 0.3*1 + 0.3*1},
		{"critical", priority.Use{Difficulty: 0.5, Importance: "critical", SessionsSinceAccess: -1}, 0.4*0.5 + 0.5,
			0.4*0.5 + 0.5},
		{"important", priority.Use{Difficulty: 0.5, Importance: "important", SessionsSinceAccess: -1}, 0.4*0.5 + 0.25,
			0.4*0.5 + 0.25},
		{"low", priority.Use{Difficulty: 1, Importance: "low", SessionsSinceAccess: -1}, 0.4*1 - 0.25, 0.4*1 - 0.25},
		{"unknown importance", priority.Use{Difficulty: 1, Importance: "CRITICAL", SessionsSinceAccess: -1}, 0.4 * 1,
			0.4 * 1},
		{"clamped above: 1.0 + 0.5", priority.Use{Difficulty: 1, Importance: "critical", Accesses: 10}, 1, 1},
		{"clamped below: 0.04 - 0.25", priority.Use{Difficulty: 0.1, Importance: "low", SessionsSinceAccess: -1}, 0, 0},
		{"difficulty not a number", priority.Use{Difficulty: math.NaN(), Accesses: 10}, 0.3*1 + 0.3*1, 0.3*1 + 0.3*1},
		{"difficulty negative", priority.Use{Difficulty: -3, Accesses: 10}, 0.3*1 + 0.3*1, 0.3*1 + 0.3*1},
		{"accesses negative", priority.Use{Accesses: -5}, 0.3 * 1, 0.3 * 1},
		{"accesses not a number", priority.Use{Accesses: math.NaN()}, 0.3 * 1, 0.3 * 1},
		{"the largest numbers", priority.Use{Accesses: math.MaxFloat64, SessionsSinceAccess: math.MaxInt}, 0.3 * 1, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, want := range map[string]float64{priority.ClassicProfile: tt.classic,
				priority.BalancedProfile: tt.balanced} {
				got, b := priority.Score(tt.use, profile(t, name))
				require.InDelta(t, want, got, near, name)
				require.Equal(t, got, priority.Of(tt.use, profile(t, name)), name)
				requireConsistent(t, got, b)
			}
		})
	}
}

func TestAccess(t *testing.T) {
	balanced, classic := profile(t, priority.BalancedProfile), profile(t, priority.ClassicProfile)
	require.InDelta(t, 1, balanced.Access(0, 0, priority.Opened), near)
	require.InDelta(t, 4.0/2+1, balanced.Access(4, 30, priority.Opened), near)
	require.InDelta(t, 4.0/4+0.5, balanced.Access(4, 60, priority.FirstHit), near)
	require.InDelta(t, 4+1, classic.Access(4, 60, priority.Opened), near, "classic forgets nothing")
	require.InDelta(t, 1, balanced.Access(-7, -3, priority.Opened), near)
}

func TestProfileNames(t *testing.T) {
	require.Equal(t, []string{"balanced", "classic"}, priority.ProfileNames())
	for _, name := range priority.ProfileNames() {
		profile(t, name)
	}
	_, ok := priority.ProfileOf("Balanced")
	require.False(t, ok)
}

// requireConsistent checks that a breakdown adds up to its score, and that each term that takes a
// share takes it of what the ones before it left of 1.
func requireConsistent(t *testing.T, score float64, b priority.Breakdown) {
	t.Helper()
	total := 0.0
	for _, term := range b.Terms {
		points := term.Weight * term.Value
		if term.Rest != 0 {
			require.InDelta(t, 1-total, term.Rest, near, term.Name)
			points *= term.Rest
		}
		require.InDelta(t, points, term.Contribution, near, term.Name)
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
			return priority.Score(priority.Use{Difficulty: 0.8, Accesses: 2, SessionsSinceAccess: 1}, profile(t,
				priority.ClassicProfile))
		}, "0.4·0.80 difficulty + 0.3·0.50 recency + 0.3·0.20 frequency = 0.53"},
		{"critical, clamped", func() (float64, priority.Breakdown) {
			return priority.Score(priority.Use{Difficulty: 1, Importance: "critical", Accesses: 2,
				SessionsSinceAccess: 1}, profile(t, priority.ClassicProfile))
		}, "0.4·1.00 difficulty + 0.3·0.50 recency + 0.3·0.20 frequency + 0.5·1.00 critical = 1.11, clamped to 1.00"},
		{"low, clamped", func() (float64, priority.Breakdown) {
			return priority.Score(priority.Use{Importance: "low", SessionsSinceAccess: -1}, profile(t,
				priority.ClassicProfile))
		}, "0.4·0.00 difficulty + 0.3·0.00 recency + 0.3·0.00 frequency − 0.25·1.00 low = -0.25, clamped to 0.00"},
		{"exactly 1 is not clamped", func() (float64, priority.Breakdown) {
			return priority.Score(priority.Use{Difficulty: 1, Accesses: 10}, profile(t, priority.ClassicProfile))
		}, "0.4·1.00 difficulty + 0.3·1.00 recency + 0.3·1.00 frequency = 1.00"},
		{"difficulty", func() (float64, priority.Breakdown) {
			return priority.Difficulty(memory.Work{Failures: 1, Calls: 4, Tokens: 30_000, Compacted: true}, 0,
				weights(t, priority.Balanced))
		}, "0.25·1.00 base + 0.75·0.55·0.30 failures + 0.63·0.25·0.14 calls + 0.60·0.35·0.50 tokens + " +
			"0.50·0.25·1.00 compacted = 0.63"},
		{"legacy", func() (float64, priority.Breakdown) {
			return priority.Difficulty(memory.Work{Failures: 1, Calls: 4, Tokens: 30_000, Compacted: true}, 0,
				weights(t, priority.Legacy))
		}, "0.5·0.30 failures + 0.3·0.14 calls + 0·0.50 tokens + 0.2·1.00 compacted = 0.39"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, b := tt.b()
			require.Equal(t, tt.want, spelled(b))
		})
	}
}

// check runs a property test with the same inputs every time.
func check(t *testing.T, property any) {
	t.Helper()
	require.NoError(t, quick.Check(property, &quick.Config{MaxCount: 5000, Rand: rand.New(rand.NewSource(1))}))
}

func level(n uint8) string {
	return []string{"low", "", "important", "critical"}[n%4]
}

func TestScoreIsMonotone(t *testing.T) {
	for _, name := range priority.ProfileNames() {
		p := profile(t, name)
		score := func(u priority.Use) float64 { s, _ := priority.Score(u, p); return s }
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
			u.Accesses, v.Accesses = float64(accesses), float64(accesses)+float64(more)
			return score(u) <= score(v)
		})
		check(t, func(u priority.Use, since, more uint16) bool { // longer ago scores less; never scores least
			v, never := u, u
			u.SessionsSinceAccess, v.SessionsSinceAccess, never.SessionsSinceAccess = int(since)+int(more),
				int(since), -1
			return score(never) <= score(u) && score(u) <= score(v)
		})
	}
}

func TestScoresAreInRange(t *testing.T) {
	inRange := func(v float64) bool { return v >= 0 && v <= 1 } // false for NaN
	for _, name := range priority.ProfileNames() {
		p := profile(t, name)
		check(t, func(u priority.Use) bool { s, _ := priority.Score(u, p); return inRange(s) })
		check(t, func(difficulty, accesses uint64, u priority.Use) bool { // any float64
			u.Difficulty, u.Accesses = math.Float64frombits(difficulty), math.Float64frombits(accesses)
			u.Importance = level(uint8(difficulty % 4))
			s, _ := priority.Score(u, p)
			return inRange(s) && s == priority.Of(u, p)
		})
	}
}

func BenchmarkScore(b *testing.B) {
	p := profile(b, priority.BalancedProfile)
	u := priority.Use{Difficulty: 0.8, Importance: "important", Accesses: 3, SessionsSinceAccess: 2}
	b.ReportAllocs()
	for b.Loop() {
		priority.Score(u, p)
	}
}

// spelled writes the arithmetic of a score in one line, for example
//
//	0.4·0.80 difficulty + 0.3·0.50 recency + 0.3·0.20 frequency + 0.5·1.00 critical = 1.03, clamped to 1.00
//	0.25·1.00 base + 0.75·0.55·0.82 failures + 0.41·0.25·0.22 calls = 0.61
//
// Figures are rounded for display; the score is computed from the exact ones.
func spelled(b priority.Breakdown) string {
	var s strings.Builder
	for i, t := range b.Terms {
		weight := t.Weight
		switch {
		case weight < 0:
			weight = -weight
			s.WriteString(" − ")
		case i > 0:
			s.WriteString(" + ")
		}
		if t.Rest != 0 {
			fmt.Fprintf(&s, "%.2f·", t.Rest)
		}
		fmt.Fprintf(&s, "%.3g·%.2f %s", weight, t.Value, t.Name)
	}
	fmt.Fprintf(&s, " = %.2f", b.Sum)
	if b.Score != b.Sum {
		fmt.Fprintf(&s, ", clamped to %.2f", b.Score)
	}
	return s.String()
}
