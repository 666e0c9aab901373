package priority_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/priority"
)

func difficulty(t testing.TB, w memory.Work, name string) float64 {
	t.Helper()
	d, b := priority.Difficulty(w, 0, weights(t, name))
	require.Equal(t, d, b.Score)
	require.True(t, d >= 0 && d <= 1, "difficulty %v", d) // false for NaN too
	return d
}

func TestDifficulty(t *testing.T) {
	for _, tt := range []struct {
		name string
		work memory.Work
		want float64
	}{
		{"nothing known", memory.Work{}, 0.30},
		{"negative counts", memory.Work{Failures: -1, Retries: -1, Calls: -1, Tokens: -1}, 0.30},
		{"failures without calls", memory.Work{Failures: 30}, 0.30},
		// x = 3; F = 1 − (1 − 3/8)·(1 − 3/7); C = 4/29; T = 6,000/36,000
		{"three failures in four calls", memory.Work{Failures: 3, Calls: 4, Tokens: 6000},
			(4*(0.30*(1-(5.0/8)*(4.0/7))+0.20*(4.0/29)+0.30*(6.0/36)) + 4*0.30) / 8},
		// x = 4 + 2/2 = 5; F = 1 − (1 − 4/24)·(1 − 5/9); C = 20/45; T = 1/2; k = 1
		{"all terms", memory.Work{Failures: 4, Retries: 2, Calls: 20, Tokens: 30_000, Compacted: true},
			(20*(0.30*(1-(20.0/24)*(4.0/9))+0.20*(20.0/45)+0.30*0.5+0.20*1) + 4*0.30) / 24},
		{"more failures than calls are all of them", memory.Work{Failures: 30, Calls: 10},
			(10*(0.30*(1-(4.0/14)*(4.0/14))+0.20*(10.0/35)) + 4*0.30) / 14},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.InDelta(t, tt.want, difficulty(t, tt.work, priority.Balanced), near)
			_, b := priority.Difficulty(tt.work, 0, weights(t, priority.Balanced))
			requireConsistent(t, b.Score, b)
		})
	}
}

// archetypes are typical segments of work.
func archetypes() map[string]memory.Work {
	return map[string]memory.Work{
		"quick":     {Calls: 3, Tokens: 2_000},
		"research":  {Calls: 40, Failures: 1, Tokens: 120_000},
		"feature":   {Calls: 60, Failures: 5, Retries: 2, Tokens: 90_000},
		"debugging": {Calls: 30, Failures: 12, Retries: 6, Tokens: 60_000},
		"ordeal":    {Calls: 150, Failures: 50, Retries: 25, Tokens: 400_000, Compacted: true},
	}
}

func TestArchetypes(t *testing.T) {
	require.Equal(t, 0.5, priority.Told)
	for name, band := range map[string]struct{ least, most float64 }{
		"quick": {0.10, 0.25}, "research": {0.35, 0.50}, "feature": {0.45, 0.62}, "debugging": {0.50, 0.70},
		"ordeal": {0.80, 1},
	} {
		got := difficulty(t, archetypes()[name], priority.Balanced)
		require.True(t, band.least <= got && got <= band.most, "%s is %.3f, not in %v", name, got, band)
	}
	research := archetypes()["research"]
	require.Greater(t, difficulty(t, research, priority.Research), difficulty(t, research, priority.Balanced))
}

// The debugging weights never score a segment of mostly failures below the balanced weights.
func TestDebuggingWeighsDebuggingMore(t *testing.T) {
	check(t, func(calls, failures, retries uint8, tokens uint16, compacted bool) bool {
		w := memory.Work{Calls: int(calls), Failures: int(failures), Retries: int(retries), Tokens: int(tokens),
			Compacted: compacted}
		failing, long, large := priority.Failing(w), float64(w.Calls)/float64(w.Calls+25),
			float64(w.Tokens)/float64(w.Tokens+30_000)
		if failing < max(long, large) {
			return true // not debugging
		}
		return difficulty(t, w, priority.Debugging) >= difficulty(t, w, priority.Balanced)-near
	})
	debugging := archetypes()["debugging"]
	require.Greater(t, difficulty(t, debugging, priority.Debugging), difficulty(t, debugging, priority.Balanced))
}

func TestDifficultyIsMonotone(t *testing.T) {
	for _, name := range priority.WeightNames() {
		less := func(a, b memory.Work) bool { return difficulty(t, a, name) <= difficulty(t, b, name)+near }
		work := func(calls, failures, retries uint8, tokens uint16) memory.Work {
			return memory.Work{Calls: int(calls), Failures: int(failures), Retries: int(retries), Tokens: int(tokens)}
		}
		check(t, func(calls, failures, retries, more uint8, tokens uint16) bool {
			v := work(calls, failures, retries, tokens)
			v.Failures += int(more)
			return less(work(calls, failures, retries, tokens), v)
		})
		check(t, func(calls, failures, retries, more uint8, tokens uint16) bool {
			v := work(calls, failures, retries, tokens)
			v.Retries += int(more)
			return less(work(calls, failures, retries, tokens), v)
		})
		check(t, func(calls, failures, retries uint8, tokens, more uint16) bool {
			v := work(calls, failures, retries, tokens)
			v.Tokens += int(more)
			return less(work(calls, failures, retries, tokens), v)
		})
		check(t, func(calls, failures, retries uint8, tokens uint16) bool {
			v := work(calls, failures, retries, tokens)
			v.Compacted = true
			return less(work(calls, failures, retries, tokens), v)
		})
	}
}

// Failing triggers the nudge: three failures in four calls are enough, and so are nine in twenty;
// three in sixty are not.
func TestFailing(t *testing.T) {
	require.GreaterOrEqual(t, priority.Failing(memory.Work{Failures: 3, Calls: 4}), 0.6)
	require.GreaterOrEqual(t, priority.Failing(memory.Work{Failures: 9, Calls: 20}), 0.6)
	require.Less(t, priority.Failing(memory.Work{Failures: 3, Calls: 60}), 0.6)
	require.Zero(t, priority.Failing(memory.Work{Calls: 100, Tokens: 1 << 40, Compacted: true}))
}
