package store_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

// TestTemporaryFilesOfKilledProcessesGo sweeps under the lock, so that no age is
// needed to tell what belongs to no one; only the cache is written without it.
func TestTemporaryFilesOfKilledProcessesGo(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	require.NoError(t, os.Mkdir(f.path("archives"), 0o755))
	require.NoError(t, os.MkdirAll(f.path("tree/cache"), 0o755))
	for _, c := range []struct {
		name  string
		age   time.Duration
		stays bool
	}{
		{name: ".config.json.0123456789ab"},
		{name: ".index.json.0123456789ab"},
		{name: ".gitignore.1", stays: true},
		{name: "..gitignore.0123456789ab"},
		{name: "clone/.state.json.0123456789ab"},
		{name: "clone/.log.jsonl.0123456789ab"},
		{name: "clone/.trust.0123456789ab"},
		{name: "clone/.trust.key.0123456789ab"},
		{name: "memories/.mem_00000002.md.0123456789ab"},
		{name: "archives/.mem_00000002.md.0123456789ab"},
		{name: "archives/.mem_00000002.1.0123abcd.md.0123456789ab"},
		{name: "tree/cache/.memories.bin.0123456789ab", age: 11 * time.Minute},
		{name: "tree/cache/.search-memories.bin.0123456789ab", age: 9 * time.Minute, stays: true},
		{name: "memories/.mem_00000001.md.swp", age: time.Hour, stays: true}, // of an editor
		{name: "memories/.mem_00000001.md~", age: time.Hour, stays: true},
		{name: "memories/.#mem_00000001.md", age: time.Hour, stays: true},
		{name: "clone/state.json.damaged", age: time.Hour, stays: true},
		{name: "memories/.gitkeep", age: time.Hour, stays: true},
		{name: ".notes.0123456789ab", age: time.Hour, stays: true},
	} {
		f.write(c.name, "half of it")
		require.NoError(t, os.Chtimes(f.path(c.name), f.now.Add(-c.age), f.now.Add(-c.age)))
		f.put("mem_00000001", "changed at "+c.name)
		_, err := os.Lstat(f.path(c.name))
		require.Equal(t, c.stays, err == nil, c.name)
	}
}

// The first memory brings no file but its own: an untracked one keeps git from
// checking out a commit that has it.
func TestRulesForGitAreWrittenWhenAsked(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	require.NoFileExists(t, f.path(".gitignore"))
	require.NoError(t, f.update((*store.Tx).WriteRules))
	require.Contains(t, f.read(".gitignore"), "\n.*\n")
	require.Contains(t, f.read(".gitattributes"), "*.md text eol=lf")

	f.write(".gitignore", "mine")
	require.NoError(t, f.update((*store.Tx).WriteRules))
	require.Equal(t, "mine", f.read(".gitignore"))
}

// TestErrorsDoNotNameTemporaryFiles has a directory where a file should go, over
// which nothing can be renamed.
func TestErrorsDoNotNameTemporaryFiles(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	require.NoError(t, os.Mkdir(f.path("memories/mem_00000002.md"), 0o755))
	err := f.update(func(tx *store.Tx) error { return tx.WriteMemory("mem_00000002", fileOf("mem_00000002", "two")) })
	require.ErrorContains(t, err, "cannot write memories/mem_00000002.md: ")
	require.NotContains(t, err.Error(), "/.mem_")
	require.NotContains(t, err.Error(), " .mem_")
	require.Equal(t, memory.CodeStorage, memory.CodeOf(err))
	left, err := filepath.Glob(f.path("memories/.*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestErrorsSayWhatStands fails after the memory was written: whoever reads the
// error must not store it again.
func TestErrorsSayWhatStands(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	require.NoError(t, os.Mkdir(f.path("index.json"), 0o755))
	err := f.update(func(tx *store.Tx) error {
		if err := tx.WriteMemory("mem_00000002", fileOf("mem_00000002", "two")); err != nil {
			return err
		}
		return tx.WriteIndex()
	})
	require.ErrorContains(t, err, "cannot write index.json: file exists")
	require.Equal(t, memory.KindCountersFailed, memory.KindOf(err))
	require.False(t, memory.Refused(err))
	require.Equal(t, "two", topics(t, f.Store)["mem_00000002"])

	setState := func(tx *store.Tx) error { tx.SetState(&store.State{Version: 1}); return nil }
	require.NoError(t, os.MkdirAll(f.path("clone/state.json/one"), 0o755))
	require.NoError(t, f.update(setState))
	require.DirExists(t, f.path("clone/state.json.damaged/one"), "it is not for ltm to remove")

	require.NoError(t, os.Remove(f.path("clone/state.json")))
	require.NoError(t, os.MkdirAll(f.path("clone/state.json/two"), 0o755))
	require.NoError(t, f.update(setState))
	require.DirExists(t, f.path("clone/state.json.damaged/one"))
	require.DirExists(t, f.path("clone/state.json.damaged.2/two"), "nor to put in the place of what it kept before")
}

// TestAFolderThatIsMadeAnewIsSeen has git remove the folder with its last file and
// make it again, often with the same number on the disk, under a server.
func TestAFolderThatIsMadeAnewIsSeen(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	s := f.reopen()
	s.Serve()
	for i, topic := range []string{"two", "three", "four", "five"} {
		require.Len(t, topics(t, s), 1)
		require.NoError(t, os.RemoveAll(f.path("memories")))
		require.NoError(t, os.Mkdir(f.path("memories"), 0o755))
		name := "memories/mem_00000001.md"
		require.NoError(t, os.WriteFile(f.path(name), fileOf("mem_00000001", "new "+topic), 0o644))
		require.Equal(t, "new "+topic, topics(t, s)["mem_00000001"])
		for range 3 {
			require.NoError(t, os.WriteFile(f.path(name), fileOf("mem_00000001", topic), 0o644))
			require.Equal(t, topic, topics(t, s)["mem_00000001"], i)
			require.NoError(t, os.WriteFile(f.path(name), fileOf("mem_00000001", topic+" again"), 0o644))
			require.Equal(t, topic+" again", topics(t, s)["mem_00000001"], i)
		}
	}
}
