package store_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

// statsOf reads stats.json in another process.
func (f *fixture) statsOf() store.Stats {
	f.t.Helper()
	_, stats := known(f.t, f.reopen())
	return stats
}

// TestMemoriesThatWereOnlySeen take next to no room, for stats.json is read with every
// question.
func TestMemoriesThatWereOnlySeen(t *testing.T) {
	f := newStore(t)
	require.NoError(t, f.update(func(tx *store.Tx) error { tx.SetState(&store.State{Version: 1}); return nil }))
	stats := store.Stats{
		"mem_0000beef": {Use: 2, LastSession: 3, AccessCount: 1},
		"mem_0000cafe": {Use: 1, LastSession: 3, Phase: memory.Hint},
		"mem_0000f00d": {Use: 1.5, LastSession: 3},
	}
	for i := range 1000 {
		stats[memory.ID(fmt.Sprintf("mem_%08x", i))] = memory.Stats{Use: 1, LastSession: i % 7}
	}
	require.NoError(t, f.update(func(tx *store.Tx) error { tx.SetStats(stats); return nil }))
	require.Less(t, len(f.read("clone/stats.json")), 10_000)
	require.Equal(t, stats, f.statsOf())
}

// TestFirstSeenOfAnyBytes takes what can be taken.
func TestFirstSeenOfAnyBytes(t *testing.T) {
	f := newStore(t)
	require.NoError(t, f.update(func(tx *store.Tx) error {
		tx.SetStats(store.Stats{"mem_00000001": {Use: 2, AccessCount: 1, LastSession: 4}})
		return nil
	}))
	f.write("clone/stats.json", `{"version":1,"memories":{"mem_00000001":{"use":2,"last_session":4}},`+
		`"first_seen":{"3":"0000000100000002","x":"00000003","-1":"00000004","5":"zzzzzzzz00000005000","6":""}}`)
	require.Equal(t, store.Stats{
		"mem_00000001": {Use: 2, LastSession: 4},
		"mem_00000002": {Use: 1, LastSession: 3},
		"mem_00000005": {Use: 1, LastSession: 5},
	}, f.statsOf())
}

func TestIndexEntriesCompareTimesAsTimes(t *testing.T) {
	a := store.IndexEntry{Topic: "t", CreatedAt: "2026-01-15T10:30:00.123456+00:00"}
	for text, same := range map[string]bool{
		"2026-01-15T10:30:00Z": true, "2026-01-15T11:30:00+01:00": true, "2026-01-15T10:30:01Z": false, "": false,
		"then": false,
	} {
		b := a
		b.CreatedAt = store.IndexTime(text)
		require.Equal(t, same, a.Equal(b), text)
	}
}
