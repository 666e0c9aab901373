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
		{"nothing known", memory.Work{}, 0.25},
		{"negative counts", memory.Work{Failures: -1, Retries: -1, Calls: -1, Tokens: -1}, 0.25},
		{"failures without calls", memory.Work{Failures: 30}, 0.25},
		// x = 6; F = 1 − (1 − 6/11)·(1 − 6/10) = 0.818; C = 7/32; 1 − 0.75·0.550·0.945
		{"six of seven calls failed", memory.Work{Failures: 6, Calls: 7},
			1 - 0.75*(1-0.55*(1-(5.0/11)*(4.0/10)))*(1-0.25*(7.0/32))}, // 0.61
		// C = 5/30; T = 3/33; 1 − 0.75·0.958·0.968
		{"five calls", memory.Work{Calls: 5, Tokens: 3_000},
			1 - 0.75*(1-0.25*(5.0/30))*(1-0.35*(3.0/33))}, // 0.30
		// C = T = 1/2; 1 − 0.75·0.875·0.825
		{"25 calls", memory.Work{Calls: 25, Tokens: 30_000}, 1 - 0.75*(1-0.25*0.5)*(1-0.35*0.5)}, // 0.46
		// x = 3; F = 1 − (1 − 3/29)·(1 − 3/7) = 0.488; 1 − 0.75·0.732·0.875·0.825
		{"25 calls, three failures", memory.Work{Calls: 25, Failures: 3, Tokens: 30_000},
			1 - 0.75*(1-0.55*(1-(26.0/29)*(4.0/7)))*(1-0.25*0.5)*(1-0.35*0.5)}, // 0.60
		// x = 10; F = 1 − (1 − 10/104)·(1 − 10/14) = 0.742; C = 100/125; T = 200/230; k = 1
		{"a long session", memory.Work{Calls: 100, Failures: 10, Tokens: 200_000, Compacted: true},
			1 - 0.75*(1-0.55*(1-(94.0/104)*(4.0/14)))*(1-0.25*0.8)*(1-0.35*(200.0/230))*(1-0.25*1)}, // 0.81
		// x = 4 + 2/2 = 5; F = 1 − (1 − 4/24)·(1 − 5/9); C = 20/45; T = 1/2; k = 1
		{"all terms", memory.Work{Failures: 4, Retries: 2, Calls: 20, Tokens: 30_000, Compacted: true},
			1 - 0.75*(1-0.55*(1-(20.0/24)*(4.0/9)))*(1-0.25*(20.0/45))*(1-0.35*0.5)*(1-0.25*1)},
		{"more failures than calls are all of them", memory.Work{Failures: 30, Calls: 10},
			1 - 0.75*(1-0.55*(1-(4.0/14)*(4.0/14)))*(1-0.25*(10.0/35))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.InDelta(t, tt.want, difficulty(t, tt.work, priority.Balanced), near)
			for _, name := range priority.WeightNames() {
				score, b := priority.Difficulty(tt.work, 0, weights(t, name))
				requireConsistent(t, score, b)
			}
		})
	}
}

// TestRoundedByHand has the scores as people write them.
func TestRoundedByHand(t *testing.T) {
	for want, work := range map[float64]memory.Work{
		0.61: {Failures: 6, Calls: 7}, 0.30: {Calls: 5, Tokens: 3_000}, 0.46: {Calls: 25, Tokens: 30_000},
		0.60: {Calls: 25, Failures: 3, Tokens: 30_000},
		0.81: {Calls: 100, Failures: 10, Tokens: 200_000, Compacted: true},
	} {
		require.InDelta(t, want, difficulty(t, work, priority.Balanced), 0.005)
	}
}

// TestLegacyIsAPlainSum has neither a base nor shares.
func TestLegacyIsAPlainSum(t *testing.T) {
	require.Zero(t, difficulty(t, memory.Work{Tokens: 100_000}, priority.Legacy))
	// x = 6; F = 1 − (1 − 6/11)·(1 − 6/10); C = 7/32; k = 1
	require.InDelta(t, 0.5*(1-(5.0/11)*(4.0/10))+0.3*(7.0/32)+0.2*1,
		difficulty(t, memory.Work{Failures: 6, Calls: 7, Compacted: true}, priority.Legacy), near)
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
		"quick": {0.25, 0.30}, "research": {0.50, 0.60}, "feature": {0.65, 0.75}, "debugging": {0.70, 0.80},
		"ordeal": {0.85, 1},
	} {
		got := difficulty(t, archetypes()[name], priority.Balanced)
		require.True(t, band.least <= got && got <= band.most, "%s is %.3f, not in %v", name, got, band)
	}
	research := archetypes()["research"]
	require.Greater(t, difficulty(t, research, priority.Research), difficulty(t, research, priority.Balanced))
}

// The debugging weights never score a segment of mostly failures below the balanced weights. Mostly
// means that failures say more than the calls and tokens, and half of what they can say.
func TestDebuggingWeighsDebuggingMore(t *testing.T) {
	check(t, func(calls, failures, retries uint8, tokens uint16, compacted bool) bool {
		w := memory.Work{Calls: int(calls), Failures: int(failures), Retries: int(retries), Tokens: int(tokens),
			Compacted: compacted}
		failing, long, large := priority.Failing(w), float64(w.Calls)/float64(w.Calls+25),
			float64(w.Tokens)/float64(w.Tokens+30_000)
		if failing < max(long, large, 0.5) {
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

// TestUnseenTokens bounds what tokens that hooks do not see can change: the docs name 7,000.
func TestUnseenTokens(t *testing.T) {
	check(t, func(calls, failures, retries uint8, tokens uint32, unseen uint16, compacted bool) bool {
		w := memory.Work{Calls: int(calls), Failures: int(failures), Retries: int(retries), Tokens: int(tokens),
			Compacted: compacted}
		more := w
		more.Tokens += int(unseen) % 7_001
		return difficulty(t, more, priority.Balanced)-difficulty(t, w, priority.Balanced) <= 0.05
	})
	require.Greater(t, difficulty(t, memory.Work{Tokens: 7_100}, priority.Balanced), priority.Unknown+0.05)
}

// Failing triggers the nudge: three failures in four calls are enough, and so are nine in twenty;
// three in sixty are not.
func TestFailing(t *testing.T) {
	require.GreaterOrEqual(t, priority.Failing(memory.Work{Failures: 3, Calls: 4}), 0.6)
	require.GreaterOrEqual(t, priority.Failing(memory.Work{Failures: 9, Calls: 20}), 0.6)
	require.Less(t, priority.Failing(memory.Work{Failures: 3, Calls: 60}), 0.6)
	require.Zero(t, priority.Failing(memory.Work{Calls: 100, Tokens: 1 << 40, Compacted: true}))
}
