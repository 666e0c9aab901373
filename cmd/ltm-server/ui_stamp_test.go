package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/locate"
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

// TestAStampTellsOfTheWorkTree has another commit, and files that change. It looks at these beside whoever asks, never
// at once, seldom, and one look at a time.
func TestAStampTellsOfTheWorkTree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		head, stale, looks, failure := "one", uint64(0), 0, error(nil)
		enough := make(chan struct{})
		stamp := stampAll(func() string { return "stores" }, func() string { return head }, func() (uint64, error) {
			looks++
			if stale == 7 {
				<-enough
			}
			return stale, failure
		})
		first := stamp()
		head = "two"
		second := stamp()
		require.NotEqual(t, first, second)
		synctest.Wait()
		require.Zero(t, looks, "a page that was just made has looked itself")
		later := func() string {
			time.Sleep(closeLook)
			stamp() // begins a look
			synctest.Wait()
			return stamp()
		}
		require.Equal(t, second, later(), "nothing is stale")
		require.Equal(t, 1, looks)
		stale = 3
		third := later()
		require.NotEqual(t, second, third)
		require.Equal(t, third, later())
		failure, stale = errors.New("the store cannot be read"), 0
		require.Equal(t, third, later(), "it is as it was")
		failure, stale = nil, 7
		require.Equal(t, third, later(), "nobody waits for a look that takes long")
		before := looks
		require.Equal(t, third, later())
		require.Equal(t, before, looks, "nor begins another one")
		close(enough)
		synctest.Wait()
		require.NotContains(t, []string{first, second, third}, stamp())
	})
}
