package store_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

// localIn are the places of a store outside of git.
func localIn(top string) store.Places {
	dir := filepath.Join(top, ".claude", "ltm")
	local := filepath.Join(dir, store.LocalFolder)
	return store.Places{Store: dir, Tree: local, Clone: local, Key: filepath.Join(top, "person", "trust.key"),
		Local: true}
}

func TestOnlyWhatIsSharedIsInTheWorkTree(t *testing.T) {
	f := newStore(t)
	f.putOwn("mem_00000001")
	require.NoError(t, f.update(func(tx *store.Tx) error {
		tx.SetStats(store.Stats{"mem_00000001": {AccessCount: 1}})
		tx.SetState(&store.State{Version: 1})
		tx.Log(memory.Event{Action: memory.ActionStored})
		return nil
	}))
	topics(t, f.Store)
	names, err := os.ReadDir(f.dir)
	require.NoError(t, err)
	var found []string
	for _, n := range names {
		found = append(found, n.Name())
	}
	require.Equal(t, []string{"memories"}, found)
	require.FileExists(t, f.path("tree/cache/memories.bin"))
	require.FileExists(t, f.path("tree/undo.jsonl"))
	for _, name := range []string{"stats.json", "state.json", "log.jsonl", "trust", "trust.key", "lock"} {
		require.FileExists(t, f.path("clone/"+name))
	}
}

func TestTwoWorkTreesShareTheClonesFiles(t *testing.T) {
	f := newStore(t)
	f.putOwn("mem_00000001")
	places := placesIn(t.TempDir())
	places.Clone, places.Key = f.places.Clone, f.places.Key
	g := storeAt(t, places)
	g.putOwn("mem_00000002")
	require.Equal(t, []memory.ID{"mem_00000001", "mem_00000002"}, held(t, f.reopen(), "mem_00000001", "mem_00000002"))
	require.Len(t, topics(t, g.Store), 1, "the memories are those that are checked out")
}

func TestAStoreOutsideOfGitIgnoresItsLocalFiles(t *testing.T) {
	f := storeAt(t, localIn(t.TempDir()))
	f.putOwn("mem_00000001")
	require.Equal(t, "*\n", f.read(".local/.gitignore"))
	require.FileExists(t, f.path(".local/trust"))
	require.FileExists(t, f.places.Key, "the secret is not in the store")
	require.Equal(t, []memory.ID{"mem_00000001"}, held(t, f.reopen(), "mem_00000001"))
}

// A download can bring LocalFolder along, with a record in it.
func TestALocalRecordFromElsewhereHoldsNothing(t *testing.T) {
	f := storeAt(t, localIn(t.TempDir()))
	f.putOwn("mem_00000001")
	top := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(top, ".claude"), os.DirFS(filepath.Dir(f.dir))))
	require.Empty(t, held(t, storeAt(t, localIn(top)).Store, "mem_00000001"))
}

// Where counters cannot be kept no store is begun, and one that is there can be
// read.
func TestWithoutAPlaceForTheClonesFiles(t *testing.T) {
	f := newStore(t)
	require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Dir(f.places.Clone)), 0o755))
	require.NoError(t, os.WriteFile(filepath.Dir(f.places.Clone), []byte("a file is in the way"), 0o644))
	write := func() error {
		return f.update(func(tx *store.Tx) error {
			return tx.WriteMemory("mem_00000001",
				fileOf("mem_00000001", "one"))
		})
	}
	require.ErrorContains(t, write(), "cannot create "+f.places.Clone)
	require.NoDirExists(t, f.dir)
}

// TestACacheThatIsTooLargeIsNotRead as one that a clone brought along.
func TestACacheThatIsTooLargeIsNotRead(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	require.NoError(t, f.View(func(v *store.View) error {
		v.WriteCache("any", []byte("12345"))
		require.Equal(t, "12345", string(v.ReadCacheWithin("any", 5)))
		require.Nil(t, v.ReadCacheWithin("any", 4))
		return nil
	}))
}
