package store_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

// quickTopics is topics by a quick look.
func quickTopics(t *testing.T, s *store.Store) map[memory.ID]string {
	t.Helper()
	return topicsBy(t, s, (*store.View).MemoriesQuick)
}

// TestAQuickLookBelievesNoYoungStamp edits a file in place within a tick of the clock
// after it was read. The stamps of the file and of its directory stay as they are.
func TestAQuickLookBelievesNoYoungStamp(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	name := f.path("memories/mem_00000001.md")
	long := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(f.path("memories"), long, long))
	info, err := os.Stat(name)
	require.NoError(t, err)
	f.now = info.ModTime().Add(time.Millisecond)
	require.NoError(t, os.RemoveAll(f.path("tree/cache")))
	require.Equal(t, "one", quickTopics(t, f.reopen())["mem_00000001"])

	f.write("memories/mem_00000001.md", string(fileOf("mem_00000001", "two")))
	require.NoError(t, os.Chtimes(name, info.ModTime(), info.ModTime()))
	f.now = f.now.Add(time.Second)
	require.Equal(t, "two", quickTopics(t, f.reopen())["mem_00000001"], "from the cache of the first look")
}

// TestAQuickLookSeesWhatCameWithAName has files put in the place of others, and names
// come and go, between looks of processes of their own.
func TestAQuickLookSeesWhatCameWithAName(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	f.put("mem_00000002", "two")
	require.Len(t, quickTopics(t, f.reopen()), 2)

	other := f.path("mem_00000001.new")
	require.NoError(t, os.WriteFile(other, fileOf("mem_00000001", "eno"), 0o644)) // of the same size
	require.NoError(t, os.Rename(other, f.path("memories/mem_00000001.md")))
	require.Equal(t, "eno", quickTopics(t, f.reopen())["mem_00000001"])

	require.NoError(t, os.Remove(f.path("memories/mem_00000002.md")))
	require.Len(t, quickTopics(t, f.reopen()), 1)
	f.put("mem_00000003", "three")
	require.Equal(t, map[memory.ID]string{"mem_00000001": "eno", "mem_00000003": "three"}, quickTopics(t, f.reopen()))
}

// TestTwoProcessesWriteTheCache has two processes that have read the same cache write
// what each has seen.
func TestTwoProcessesWriteTheCache(t *testing.T) {
	f := newStore(t)
	for i := range 20 {
		f.put(memory.ID(fmt.Sprintf("mem_%08x", i)), "old")
	}
	want := topics(t, f.reopen())
	one, two := f.reopen(), f.reopen()
	topics(t, one)
	topics(t, two)
	for round := range 30 {
		for i, s := range []*store.Store{one, two} {
			id := memory.ID(fmt.Sprintf("mem_%08x", (2*round+7*i)%20))
			want[id] = fmt.Sprintf("round %d of %d", round, i)
			f.write("memories/"+id.File(), string(fileOf(id, want[id])))
			require.Equal(t, want, topics(t, s))
			require.Equal(t, want, topics(t, f.reopen()))
			require.Equal(t, want, quickTopics(t, f.reopen()))
		}
	}
}

// TestAChangeSeesWhatItWrote reads back, within one change, everything that a View
// otherwise remembers.
func TestAChangeSeesWhatItWrote(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	require.NoError(t, f.update(func(tx *store.Tx) error {
		for _, topic := range []string{"two", "three"} {
			for _, read := range []func() (*store.Snapshot, error){tx.Memories, tx.MemoriesQuick} {
				_, err := read()
				require.NoError(t, err)
			}
			require.NoError(t, tx.WriteMemory("mem_00000001", fileOf("mem_00000001", topic)))
			require.NoError(t, tx.WriteMemory("mem_00000002", fileOf("mem_00000002", topic)))
			for _, read := range []func() (*store.Snapshot, error){tx.Memories, tx.MemoriesQuick} {
				snapshot, err := read()
				require.NoError(t, err)
				require.Len(t, snapshot.Records, 2)
				require.Equal(t, topic, snapshot.Records[0].Topic)
			}
			names, err := tx.ArchiveNames("mem_00000001")
			require.NoError(t, err)
			require.NoError(t, tx.WriteArchive("mem_00000001", fileOf("mem_00000001", topic)))
			more, err := tx.ArchiveNames("mem_00000001")
			require.NoError(t, err)
			require.Len(t, more, len(names)+1)
		}
		_, err := tx.TeamConfig()
		require.NoError(t, err)
		require.NoError(t, tx.WriteTeamConfig(map[string]json.RawMessage{"nudge": json.RawMessage(`"off"`)}))
		config, err := tx.TeamConfig()
		require.NoError(t, err)
		require.Contains(t, config, "nudge")

		trust, err := tx.Trust()
		require.NoError(t, err)
		foreign := []byte("someone else's")
		require.False(t, trust.Holds("mem_00000003", foreign))
		require.NoError(t, tx.Approve("mem_00000003", foreign))
		trust, err = tx.Trust()
		require.NoError(t, err)
		require.True(t, trust.Holds("mem_00000003", foreign))
		return nil
	}))
}

// TestAViewReadsAgain has each View read what another process wrote after the one
// before.
func TestAViewReadsAgain(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	for _, served := range []bool{false, true} {
		s := f.reopen()
		if served {
			s.Serve()
		}
		for n := range 3 {
			set := func(tx *store.Tx) error {
				tx.SetStats(store.Stats{"mem_00000001": memory.Stats{AccessCount: n}})
				tx.SetState(&store.State{Version: 1, SessionCount: n})
				return nil
			}
			f.Store = f.reopen()
			require.NoError(t, f.update(set))
			require.NoError(t, s.View(func(v *store.View) error {
				stats, err := v.Stats()
				require.NoError(t, err)
				require.Equal(t, n, stats["mem_00000001"].AccessCount)
				state, err := v.State()
				require.NoError(t, err)
				require.Equal(t, n, state.SessionCount)
				return nil
			}))
		}
	}
}
