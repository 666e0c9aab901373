package eviction_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/eviction"
	"ltm/memory"
)

func TestPlanPrune(t *testing.T) {
	const day = 24 * time.Hour
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	for _, tt := range []struct {
		name    string
		archive eviction.Archive
		action  string // "": no step
		reason  string
	}{
		{"last copy", eviction.Archive{Since: ago(200 * day), Why: "forgotten"}, memory.PruneRemove,
			"forgotten 200 days ago; it is the last copy in the store"},
		{"why is not known", eviction.Archive{Since: ago(200 * day)}, memory.PruneRemove,
			"archived 200 days ago; it is the last copy in the store"},
		{"exactly as old", eviction.Archive{Since: ago(180 * day)}, memory.PruneRemove,
			"archived 180 days ago; it is the last copy in the store"},
		{"a second too young", eviction.Archive{Since: ago(180*day - time.Second)}, "", ""},
		{"of tomorrow", eviction.Archive{Since: ago(-day)}, "", ""},
		{"age is not known", eviction.Archive{}, "", ""},
		{"active in full", eviction.Archive{Since: ago(200 * day), Active: true, Phase: memory.Full, Restored: true},
			memory.PruneRemove, "archived 200 days ago; the memory is whole"},
		{"active as a hint", eviction.Archive{Since: ago(200 * day), Why: "evicted", Active: true, Phase: memory.Hint},
			memory.PruneKeep,
			"archived 200 days ago; it has the full text of a fading memory (hint)"},
		{"active as an abstract", eviction.Archive{Since: ago(200 * day), Active: true, Phase: memory.Abstract},
			memory.PruneKeep,
			"archived 200 days ago; it has the full text of a fading memory (abstract)"},
		{"critical", eviction.Archive{Since: ago(200 * day), Importance: memory.Critical}, memory.PruneKeep,
			"archived 200 days ago; it is critical"},
		{"important", eviction.Archive{Since: ago(200 * day), Importance: memory.Important}, memory.PruneRemove,
			"archived 200 days ago; it is the last copy in the store"},
		{"critical and active in full", eviction.Archive{Since: ago(200 * day), Importance: memory.Critical,
			Active: true, Restored: true}, memory.PruneKeep, "archived 200 days ago; it is critical"},
		{"rewritten", eviction.Archive{Since: ago(200 * day), Active: true}, memory.PruneKeep,
			"archived 200 days ago; it has a text from before the active memory was rewritten"},
		{"unresolved merge", eviction.Archive{Since: ago(200 * day), Active: true, Unresolved: true}, memory.PruneKeep,
			"archived 200 days ago; it or the active memory has an unresolved merge"},
		{"unreadable memory", eviction.Archive{Since: ago(200 * day), Unreadable: true}, memory.PruneKeep,
			"archived 200 days ago; the active memory's file cannot be read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.archive.ID, tt.archive.Topic = "mem_00000001", "t"
			want := []memory.PruneStep{{ID: "mem_00000001", Topic: "t", Action: tt.action, Reason: tt.reason,
				ArchivedAt: tt.archive.Since}}
			if tt.action == "" {
				want = []memory.PruneStep{}
			}
			require.Equal(t, want, eviction.PlanPrune([]eviction.Archive{tt.archive}, now, 180*day))
		})
	}
}

func TestPlanPruneIsOrderedByAge(t *testing.T) {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	archives := []eviction.Archive{
		{ID: "mem_00000003", Since: now.Add(-25 * time.Hour)}, {ID: "mem_00000002", Since: now.Add(-25 * time.Hour)},
		{ID: "mem_00000001", Since: now.Add(-90 * time.Minute)}, {ID: "mem_00000004", Since: now.Add(-72 * time.Hour)},
	}
	given := slices.Clone(archives)
	var got []string
	for _, s := range eviction.PlanPrune(archives, now, time.Hour) {
		got = append(got, string(s.ID)+" "+s.Reason)
	}
	require.Equal(t, []string{
		"mem_00000004 archived 3 days ago; it is the last copy in the store",
		"mem_00000002 archived 1 day ago; it is the last copy in the store",
		"mem_00000003 archived 1 day ago; it is the last copy in the store",
		"mem_00000001 archived 1h30m0s ago; it is the last copy in the store",
	}, got)
	require.Equal(t, given, archives)
}
