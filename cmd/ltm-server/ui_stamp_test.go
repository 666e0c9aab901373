package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/locate"
	"ltm/store"
)

// TestAStampTellsOfChanges replaces, adds and removes files of a store, and writes into one.
func TestAStampTellsOfChanges(t *testing.T) {
	dir := t.TempDir()
	place := locate.Place{Places: store.Places{Store: dir, Clone: filepath.Join(dir, "clone")}}
	memories := filepath.Join(dir, "memories")
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	stamp := stampStores(0, place, locate.Place{})
	seen := map[string]string{}
	differs := func(change string) {
		t.Helper()
		now := stamp()
		require.NotContains(t, seen, now, "after %s", change)
		seen[now] = change
		require.Equal(t, now, stamp(), "nothing was changed")
	}
	differs("nothing")
	require.NoError(t, os.Mkdir(memories, 0o700))
	differs("the first directory")
	write("memories/mem_00000001.md", "one")
	differs("a new memory")
	write("memories/mem_00000001.md", "more")
	differs("writing into it")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "clone"), 0o700))
	for _, name := range []string{"config.json", "clone/stats.json", "clone/log.jsonl", "clone/trust"} {
		write(name, "{}")
		differs(name)
	}
	require.NoError(t, os.Remove(filepath.Join(memories, "mem_00000001.md")))
	differs("removing it")
}
