package store_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/store"
)

const (
	olderState = `{"version":1,"session_count":7,"compaction_count":2,"config":{"max_memories":50},` +
		`"sessions":{"a":{"number":7,"transcript":{"path":"/etc/passwd"}}},"current_session":{"id":"a"}}`
	olderStats = `{"version":1,"memories":{"mem_00000001":{"access_count":3,"last_session":5,"priority":0.5}}}`
)

func olderStore(t *testing.T) *fixture {
	t.Helper()
	f := newStore(t)
	require.NoError(t, os.MkdirAll(f.path("memories"), 0o755))
	f.write("memories/mem_00000001.md", string(fileOf("mem_00000001", "one")))
	f.write("state.json", olderState)
	f.write("stats.json", olderStats)
	return f
}

// known returns what the store knows of its use.
func known(t *testing.T, s *store.Store) (state *store.State, stats store.Stats) {
	t.Helper()
	require.NoError(t, s.View(func(v *store.View) (err error) {
		if state, err = v.State(); err != nil {
			return err
		}
		stats, err = v.Stats()
		return err
	}))
	return state, stats
}

func TestTheCountersOfAnOlderLayoutAreTakenOver(t *testing.T) {
	f := olderStore(t)
	check := func(s *store.Store) {
		t.Helper()
		state, stats := known(t, s)
		require.Equal(t, 7, state.SessionCount)
		require.Equal(t, "50", string(state.Config["max_memories"]))
		require.Empty(t, state.Sessions, "they name files of another machine")
		require.Nil(t, state.CurrentSession)
		require.Equal(t, 3, stats["mem_00000001"].AccessCount)
	}
	check(f.Store)
	require.NoDirExists(t, f.places.Clone, "reading changes nothing")
	took := false
	touch := func(tx *store.Tx) error { took = tx.TookOver(); return nil }
	require.NoError(t, f.update(touch))
	require.True(t, took)
	check(f.reopen())
	require.NoError(t, f.update(touch))
	require.False(t, took, "once")
	require.Equal(t, olderState, f.read("state.json"), "the old files stay")
	f.write("state.json", `{"version":1,"session_count":99}`)
	check(f.reopen())
	require.Empty(t, held(t, f.reopen(), "mem_00000001"), "what was there is not this clone's")
}

// A process that was killed on the way leaves what a next change completes.
func TestATakeOverThatWasCutOffIsDoneAgain(t *testing.T) {
	f := olderStore(t)
	require.NoError(t, os.MkdirAll(f.places.Clone, 0o755))
	f.write("clone/stats.json", `{"version":1,"memories":{"mem_00000001":{"access_count":3}}}`)
	require.NoError(t, f.update(func(*store.Tx) error { return nil }))
	state, stats := known(t, f.reopen())
	require.Equal(t, 7, state.SessionCount)
	require.Equal(t, 3, stats["mem_00000001"].AccessCount)
}

func TestADamagedOlderLayoutIsTakenOverAsFarAsItCanBe(t *testing.T) {
	f := olderStore(t)
	f.write("stats.json", "{")
	require.NoError(t, f.update(func(*store.Tx) error { return nil }))
	state, stats := known(t, f.reopen())
	require.Equal(t, 7, state.SessionCount)
	require.Empty(t, stats)
	require.Equal(t, "{", f.read("stats.json"))
}

// A repository can bring these files. One of a version that is not known stops no
// one, and counts for nothing.
func TestANewerLayoutInTheWorkTreeStopsNoOne(t *testing.T) {
	f := olderStore(t)
	f.write("state.json", `{"version":9}`)
	f.write("stats.json", `{"version":9}`)
	state, stats := known(t, f.Store)
	require.Zero(t, state.SessionCount)
	require.Empty(t, stats)
	require.NoError(t, f.update(func(*store.Tx) error { return nil }))
	require.Equal(t, `{"version":9}`, f.read("state.json"))
}
