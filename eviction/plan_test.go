package eviction_test

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/eviction"
	"ltm/memory"
)

// candidates makes n candidates of one kind, with priorities 0.01, 0.02 and so on.
func candidates(n int, phase memory.Phase, level memory.Importance) []eviction.Candidate {
	out := make([]eviction.Candidate, n)
	for i := range out {
		out[i] = eviction.Candidate{ID: memory.ID(fmt.Sprintf("mem_%s%06x", string(level[0])+"0", i)),
			Topic: fmt.Sprint(level, i),
			Phase: phase, Priority: float64(i+1) / 100, Importance: level}
	}
	return out
}

func ids(steps []memory.EvictionStep) []string {
	out := []string{}
	for _, s := range steps {
		out = append(out, string(s.ID))
	}
	return out
}

func TestPlanCountsAndReasons(t *testing.T) {
	normal := func(n int) []eviction.Candidate { return candidates(n, memory.Full, memory.Normal) }
	critical := func(n int) []eviction.Candidate { return candidates(n, memory.Full, memory.Critical) }
	important := func(n int) []eviction.Candidate { return candidates(n, memory.Full, memory.Important) }
	removed := func(n int) []eviction.Candidate { return candidates(n, memory.Removed, memory.Low) }
	for _, tt := range []struct {
		name       string
		candidates []eviction.Candidate
		policy     eviction.Policy
		steps      int
		reason     string
	}{
		{"empty", nil, eviction.Policy{MaxMemories: 5, BatchSize: 2}, 0,
			"0 memories, within the limit of 5: nothing to reduce"},
		{"at the limit", normal(5), eviction.Policy{MaxMemories: 5, BatchSize: 2}, 0,
			"5 memories, within the limit of 5: nothing to reduce"},
		{"one over", normal(6), eviction.Policy{MaxMemories: 5, BatchSize: 2}, 1,
			"6 memories, 1 over the limit of 5: 1 to fade by one phase"},
		{"more over than a batch", normal(12), eviction.Policy{MaxMemories: 5, BatchSize: 3}, 3,
			"12 memories, 7 over the limit of 5: 3 to fade by one phase; at most 3 at once"},
		{"some critical", slices.Concat(normal(3), critical(4)), eviction.Policy{MaxMemories: 2, BatchSize: 10}, 3,
			"7 memories, 5 over the limit of 2: 3 to fade by one phase; 4 critical excluded"},
		{"all critical", critical(3), eviction.Policy{MaxMemories: 2, BatchSize: 10}, 0,
			"3 memories, 1 over the limit of 2: nothing can fade because all are critical"},
		{"important stay while there are others", slices.Concat(normal(1), important(4)),
			eviction.Policy{MaxMemories: 2, BatchSize: 10}, 1,
			"5 memories, 3 over the limit of 2: 1 to fade by one phase; 4 important excluded while others are left"},
		{"only important and critical left", slices.Concat(critical(1), important(4)),
			eviction.Policy{MaxMemories: 2, BatchSize: 10}, 3,
			"5 memories, 3 over the limit of 2: 3 to fade by one phase; 1 critical excluded"},
		{"removed ones do not count", slices.Concat(normal(5), removed(9)),
			eviction.Policy{MaxMemories: 5, BatchSize: 2}, 0,
			"5 memories, within the limit of 5: nothing to reduce"},
		{"no limit", normal(1), eviction.Policy{BatchSize: 2}, 0, "1 memory, no limit: nothing to reduce"},
		{"no batch", normal(3), eviction.Policy{MaxMemories: 1, BatchSize: -1}, 0,
			"3 memories, 2 over the limit of 1: 0 to fade by one phase; at most 0 at once"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := eviction.Plan(tt.candidates, tt.policy)
			require.NotNil(t, got.Steps)
			require.Len(t, got.Steps, tt.steps)
			require.Equal(t, tt.reason, got.Reason.String())
		})
	}
}

func TestPlanOrder(t *testing.T) {
	all := []eviction.Candidate{
		{ID: "mem_00000005", Phase: memory.Full, Priority: 0.3, Importance: memory.Normal},
		{ID: "mem_00000004", Phase: memory.Abstract, Priority: 0.3, Importance: memory.Low},
		{ID: "mem_00000003", Phase: memory.Hint, Priority: 0.1, Importance: memory.Normal},
		{ID: "mem_00000002", Phase: memory.Full, Priority: math.Inf(1), Importance: memory.Normal},
		{ID: "mem_00000001", Phase: memory.Full, Priority: 0, Importance: memory.Critical},
		{ID: "mem_00000006", Phase: memory.Full, Priority: math.NaN(), Importance: ""},
		{ID: "mem_00000007", Phase: memory.Phase(9), Priority: 0, Importance: memory.Normal},
	}
	want := []memory.EvictionStep{
		{ID: "mem_00000006", From: memory.Full, To: memory.Hint, Priority: 0,
			Reason: "priority 0.00, candidate 1 of 5 (lowest first)"},
		{ID: "mem_00000003", From: memory.Hint, To: memory.Abstract, Priority: 0.1,
			Reason: "priority 0.10, candidate 2 of 5 (lowest first)"},
		{ID: "mem_00000004", From: memory.Abstract, To: memory.Removed, Priority: 0.3,
			Reason: "priority 0.30, candidate 3 of 5 (lowest first)"},
		{ID: "mem_00000005", From: memory.Full, To: memory.Hint, Priority: 0.3,
			Reason: "priority 0.30, candidate 4 of 5 (lowest first)"},
		{ID: "mem_00000002", From: memory.Full, To: memory.Hint, Priority: 1,
			Reason: "priority 1.00, candidate 5 of 5 (lowest first)"},
	}
	random := rand.New(rand.NewSource(1))
	for range 20 { // in any input order
		random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		before := fmt.Sprint(all)
		got := eviction.Plan(all, eviction.Policy{MaxMemories: 1, BatchSize: 10})
		require.Equal(t, 6, got.Active)
		require.Equal(t, want, got.Steps)
		require.Equal(t, before, fmt.Sprint(all), "the input was changed")
	}
}

func TestPlanSaysWhyAnImportantMemoryGoes(t *testing.T) {
	got := eviction.Plan(candidates(2, memory.Hint, memory.Important), eviction.Policy{MaxMemories: 1, BatchSize: 10})
	require.Len(t, got.Steps, 1)
	require.Equal(t, "important, but nothing else is left; priority 0.01, candidate 1 of 2 (lowest first)",
		got.Steps[0].Reason)
}

// TestPlansConverge runs the plans of many sessions in a row.
func TestPlansConverge(t *testing.T) {
	for _, tt := range []struct {
		name        string
		start, born int // memories at first; new ones per session
		sessions    int
		want        int // active in the end
	}{
		{"one over comes back after three plans", 11, 0, 3, 10},
		{"two plans are not enough", 11, 0, 2, 11},
		{"far over comes back", 60, 0, 60, 10},
		{"one new memory a session is bounded", 10, 1, 50, 12},
		{"three new memories a session are bounded", 10, 3, 50, 16},
	} {
		t.Run(tt.name, func(t *testing.T) {
			phases := make([]memory.Phase, tt.start)
			for range tt.sessions {
				phases = slices.Concat(phases, make([]memory.Phase, tt.born))
				var all []eviction.Candidate
				for i, phase := range phases { // newer memories have higher priority
					all = append(all, eviction.Candidate{ID: memory.ID(fmt.Sprint(i)), Phase: phase,
						Priority: float64(i) / 1000})
				}
				for _, s := range eviction.Plan(all, eviction.Policy{MaxMemories: 10, BatchSize: 10}).Steps {
					phases[slices.IndexFunc(all, func(c eviction.Candidate) bool { return c.ID == s.ID })] = s.To
				}
			}
			active := slices.DeleteFunc(slices.Clone(phases), func(p memory.Phase) bool { return !p.Active() })
			require.Len(t, active, tt.want)
		})
	}
}

func TestPlanIsOnePhaseEach(t *testing.T) {
	got := eviction.Plan(candidates(40, memory.Hint, memory.Normal), eviction.Policy{MaxMemories: 1, BatchSize: 100})
	require.Len(t, got.Steps, 39)
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(ids(got.Steps)))), 39, "a memory was chosen twice")
	for _, s := range got.Steps {
		require.Equal(t, memory.Hint, s.From)
		require.Equal(t, memory.Abstract, s.To)
	}
}

func BenchmarkPlan(b *testing.B) {
	all := candidates(10_000, memory.Full, memory.Normal)
	for b.Loop() {
		eviction.Plan(all, eviction.Policy{MaxMemories: 100, BatchSize: 10})
	}
}
