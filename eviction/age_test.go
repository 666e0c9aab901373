package eviction_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/eviction"
	"ltm/memory"
)

const (
	day  = 24 * time.Hour
	year = 365 * day
)

// noon is when the plans of these tests are made.
func noon() time.Time { return time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC) }

func TestOverdue(t *testing.T) {
	ago := func(d time.Duration) time.Time { return noon().Add(-d) }
	for _, tt := range []struct {
		name  string
		c     eviction.Candidate
		by    time.Duration
		isDue bool
	}{
		{"normal, a week and an hour", eviction.Candidate{Used: ago(7*day + time.Hour)}, time.Hour, true},
		{"normal, exactly a week", eviction.Candidate{Used: ago(7 * day)}, 0, true},
		{"normal by name", eviction.Candidate{Used: ago(8 * day), Importance: memory.Normal}, day, true},
		{"normal, a minute less", eviction.Candidate{Used: ago(7*day - time.Minute)}, -time.Minute, false},
		{"low, two days", eviction.Candidate{Used: ago(2 * day), Importance: memory.Low}, day, true},
		{"low, an hour", eviction.Candidate{Used: ago(time.Hour), Importance: memory.Low}, time.Hour - day, false},
		{"important, a month", eviction.Candidate{Used: ago(31 * day), Importance: memory.Important}, day, true},
		{"important, 29 days", eviction.Candidate{Used: ago(29 * day), Importance: memory.Important}, -day, false},
		{"critical, a century", eviction.Candidate{Used: ago(100 * year), Importance: memory.Critical}, 0, false},
		{"an unknown importance is normal", eviction.Candidate{Used: ago(8 * day), Importance: "?"}, day, true},
		{"age is not known", eviction.Candidate{}, 0, false},
		{"out of sight", eviction.Candidate{Used: ago(year), Phase: memory.Removed}, 0, false},
		{"of next year", eviction.Candidate{Used: ago(-year)}, -7 * day, false},
		{"faded yesterday", eviction.Candidate{Used: ago(year), Faded: ago(day)}, -6 * day, false},
		{"faded 9 days ago", eviction.Candidate{Used: ago(year), Faded: ago(9 * day)}, 2 * day, true},
		{"faded next year", eviction.Candidate{Used: ago(year), Faded: ago(-year)}, -7 * day, false},
		{"opened since it faded", eviction.Candidate{Used: ago(8 * day), Faded: ago(year)}, day, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			by, due := eviction.HumanAges().Overdue(tt.c, noon())
			require.Equal(t, tt.isDue, due)
			require.Equal(t, tt.by, by)
			_, off := eviction.Ages{}.Overdue(tt.c, noon())
			require.False(t, off)
		})
	}
}

func TestAgesAreOff(t *testing.T) {
	require.True(t, eviction.Ages{}.Off())
	for _, on := range []eviction.Ages{{Low: 1}, {Normal: 1}, {Important: 1}} {
		require.False(t, on.Off())
		seldom := eviction.Candidate{ID: "mem_00000001", Used: noon().Add(-year), Importance: memory.Low}
		plan := eviction.Plan([]eviction.Candidate{seldom}, eviction.Policy{MaxMemories: 9, BatchSize: 9, Ages: on,
			Now: noon()})
		require.Len(t, plan.Steps, on.Low)
	}
}

func TestPlanByAge(t *testing.T) {
	ago := func(days int) time.Time { return noon().Add(-time.Duration(days) * day) }
	all := []eviction.Candidate{
		{ID: "mem_00000001", Priority: 0.9, Used: ago(10)}, // 3 days overdue
		{ID: "mem_00000002", Priority: 0.8, Used: ago(10)}, // the same, and less wanted
		{ID: "mem_00000003", Priority: 0.1, Used: ago(3)},
		{ID: "mem_00000004", Priority: 0.2, Used: ago(40), Importance: memory.Important},         // 10 days
		{ID: "mem_00000005", Priority: 0.3, Used: ago(9), Importance: memory.Low, Faded: ago(2)}, // 1 day
		{ID: "mem_00000006", Priority: 0.0, Used: ago(999), Importance: memory.Critical},         // never
		{ID: "mem_00000007", Priority: 0.4, Used: ago(0), Importance: memory.Low},
		{ID: "mem_00000008", Priority: 0.5, Used: ago(500), Phase: memory.Removed},   // out of sight
		{ID: "mem_00000009", Priority: 0.6, Used: ago(-400), Importance: memory.Low}, // from the future
	}
	policy := eviction.Policy{MaxMemories: 100, BatchSize: 10, Ages: eviction.HumanAges(), Now: noon()}
	got := eviction.Plan(all, policy)
	require.Equal(t, []string{"mem_00000004", "mem_00000002", "mem_00000001", "mem_00000005"}, ids(got.Steps))
	require.Equal(t, "not opened for 40 days; important memories lose a phase every 30 days", got.Steps[0].Reason)
	require.Equal(t, "not opened for 10 days; normal memories lose a phase every 7 days", got.Steps[1].Reason)
	require.Equal(t, "not opened for 9 days, last faded 2 days ago; low memories lose a phase every 1 day",
		got.Steps[3].Reason)
	require.Equal(t, "8 memories, within the limit of 100: nothing to reduce; "+
		"4 memories not opened for too long: 4 to fade by one phase", got.Reason.String())

	opened := eviction.Candidate{ID: "mem_0000000a", Used: ago(9), Faded: ago(20)}
	require.Equal(t, "not opened for 9 days; normal memories lose a phase every 7 days",
		eviction.Plan([]eviction.Candidate{opened}, policy).Steps[0].Reason, "it has faded before")

	policy.BatchSize = 1
	got = eviction.Plan(all, policy)
	require.Equal(t, []string{"mem_00000004"}, ids(got.Steps))
	require.Equal(t, "8 memories, within the limit of 100: nothing to reduce; "+
		"4 memories not opened for too long: 1 to fade by one phase", got.Reason.String())

	policy.BatchSize, policy.MaxMemories = 3, 7 // the limit takes the lowest priority first
	got = eviction.Plan(all, policy)
	require.Equal(t, []string{"mem_00000003", "mem_00000004", "mem_00000002"}, ids(got.Steps))
	require.Equal(t, "priority 0.10, candidate 1 of 6 (lowest first)", got.Steps[0].Reason)

	policy.Now = noon().Add(-year)
	policy.MaxMemories = 0
	got = eviction.Plan(all[:3], policy)
	require.Equal(t, "3 memories, no limit: nothing to reduce; none of them is old enough to lose a phase",
		got.Reason.String())
}

// aging is a store whose memories only age.
type aging []eviction.Candidate

// end runs the end of a session and returns its plan.
func (a aging) end(p eviction.Policy) eviction.Result {
	plan := eviction.Plan(a, p)
	for _, s := range plan.Steps {
		i := slices.IndexFunc(a, func(c eviction.Candidate) bool { return c.ID == s.ID })
		a[i].Phase, a[i].Faded = s.To, p.Now
	}
	return plan
}

// TestDecayHolds checks what decay promises on random stores and clocks: the steps that the limit
// asks for come first and are the same, no plan has more than a batch, critical memories and young
// ones are never chosen, no memory is chosen twice within its period, and a second plan at the same
// time has nothing left.
func TestDecayHolds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	levels := []memory.Importance{memory.Low, memory.Normal, memory.Important, memory.Critical}
	for range 500 {
		var all aging
		for i := range random.IntN(40) {
			all = append(all, eviction.Candidate{ID: memory.ID(fmt.Sprintf("mem_%08x", i)),
				Phase: memory.Phase(random.IntN(4)), Priority: random.Float64(), Importance: levels[random.IntN(4)],
				Used: noon().Add(time.Duration(random.IntN(80)-20) * day)})
		}
		p := eviction.Policy{MaxMemories: random.IntN(50), BatchSize: random.IntN(12),
			Ages: eviction.HumanAges(), Now: noon()}
		for range 6 {
			p.Now = p.Now.Add(time.Duration(random.IntN(40)-10) * day / 2)
			before := slices.Clone(all)
			limit := p
			limit.Ages = eviction.Ages{}
			wanted := eviction.Plan(all, limit).Steps
			plan := all.end(p)
			require.LessOrEqual(t, len(plan.Steps), p.BatchSize)
			require.Equal(t, wanted, plan.Steps[:len(wanted)], "the limit's own steps")
			require.Len(t, slices.Compact(slices.Sorted(slices.Values(ids(plan.Steps)))), len(plan.Steps))
			for i, s := range plan.Steps {
				c := before[slices.IndexFunc(before, func(c eviction.Candidate) bool { return c.ID == s.ID })]
				require.NotEqual(t, memory.Critical, c.Importance)
				require.Equal(t, c.Phase+1, s.To)
				if i >= len(wanted) {
					_, due := p.Ages.Overdue(c, p.Now)
					require.True(t, due)
				}
			}
			again := p
			again.MaxMemories, again.BatchSize = 0, 1000
			all.end(again)
			require.Empty(t, eviction.Plan(all, again).Steps, "twice at the same time")
		}
	}
}

// TestOneJumpOfTheClockCostsOnePhase lets a clock be wrong for some sessions in a row.
func TestOneJumpOfTheClockCostsOnePhase(t *testing.T) {
	for name, jump := range map[string]time.Duration{"a year ahead": year, "a century ahead": 100 * year,
		"a year back": -year, "to another century": -200 * year} {
		t.Run(name, func(t *testing.T) {
			all := aging(candidates(20, memory.Full, memory.Low))
			for i := range all {
				all[i].Used = noon().Add(-time.Hour)
			}
			p := eviction.Policy{BatchSize: 100, Ages: eviction.HumanAges(), Now: noon().Add(jump)}
			for range 5 {
				all.end(p)
			}
			want := memory.Full
			if jump > 0 {
				want = memory.Hint
			}
			for _, c := range all {
				require.Equal(t, want, c.Phase)
			}
			p.Now = noon()
			for range 5 {
				require.Empty(t, all.end(p).Steps, "the clock is right again")
			}
		})
	}
}

// TestAYearOfDecay runs a session a day for a year: without being opened, a memory is out of sight
// after three of its periods, and one that is opened every day stays as it is.
func TestAYearOfDecay(t *testing.T) {
	all := aging{
		{ID: "mem_00000001", Importance: memory.Low, Used: noon()}, {ID: "mem_00000002", Used: noon()},
		{ID: "mem_00000003", Importance: memory.Important, Used: noon()},
		{ID: "mem_00000004", Importance: memory.Critical, Used: noon()},
		{ID: "mem_00000005", Importance: memory.Low, Used: noon()}, // opened every day
	}
	gone := map[memory.ID]int{}
	p := eviction.Policy{MaxMemories: 100, BatchSize: 10, Ages: eviction.HumanAges()}
	for n := range 365 {
		p.Now = noon().Add(time.Duration(n)*day + time.Minute)
		all[4].Used = p.Now.Add(-time.Hour)
		for _, s := range all.end(p).Steps {
			if s.To == memory.Removed {
				gone[s.ID] = n
			}
		}
	}
	require.Equal(t, map[memory.ID]int{"mem_00000001": 3 * 1, "mem_00000002": 3 * 7, "mem_00000003": 3 * 30}, gone)
	require.Equal(t, memory.Full, all[3].Phase)
	require.Equal(t, memory.Full, all[4].Phase)
}
