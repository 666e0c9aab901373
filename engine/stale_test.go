package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// TestAServerReturnsWhatIsThere changes a memory behind a process that has read, indexed and
// returned it: in every way that another program can, several times within a second. The process
// must return the new text at once.
func TestAServerReturnsWhatIsThere(t *testing.T) {
	f := newEngine(t)
	id := f.remember("The color of the roof", "It is painted alpha at first.", 0.5)
	for _, other := range []string{"doors", "windows", "cellar"} {
		f.remember("The color of the "+other, "Nobody knows the color of the "+other+".", 0.5)
	}
	file := f.memoryFile(id)
	original, err := os.ReadFile(file)
	require.NoError(t, err)
	with := func(word string) []byte { // all words have five letters, so that the size stays
		return []byte(strings.ReplaceAll(string(original), "alpha", word))
	}
	inPlace := func(word string) { require.NoError(t, os.WriteFile(file, with(word), 0o644)) }
	renamed := func(word string) {
		other := filepath.Join(f.dir, "other")
		require.NoError(t, os.WriteFile(other, with(word), 0o644))
		require.NoError(t, os.Rename(other, file))
	}
	removedFirst := func(word string) {
		require.NoError(t, os.Remove(file))
		inPlace(word)
	}
	byAnother := func(word string) {
		content := "It is painted " + word + " at first."
		_, err := f.reopen(new(counter)).Update(f.ctx, string(id), api.Patch{Content: &content})
		require.NoError(t, err)
	}
	for _, served := range []bool{true, false} {
		s := store.New(f.places, time.Now)
		if served {
			s.Serve()
		}
		server := engine.New(engine.Options{Store: s, Version: "test", Now: time.Now, Random: new(counter),
			LockWait: patience, ToModel: true})
		require.NoError(t, server.Warm(f.ctx))
		inPlace("bravo")
		for i, change := range []func(string){inPlace, inPlace, renamed, renamed, byAnother, removedFirst, inPlace,
			byAnother, renamed} {
			for _, word := range []string{"amber", "brown", "coral"} {
				change(word)
				got, err := server.Get(f.ctx, string(id))
				require.NoError(t, err)
				require.Contains(t, got.Content, word, "way %d, served %t", i, served)
				server.CountAccesses(f.ctx) // or it may read the file while it is replaced
				found, err := server.Recall(f.ctx, api.Query{Text: word})
				require.NoError(t, err)
				require.Len(t, found.Memories, 1, "way %d, served %t", i, served)
				require.Contains(t, found.Memories[0].Summary, word)
			}
		}
		_, err := f.reopen(new(counter)).Forget(f.ctx, string(id))
		require.NoError(t, err)
		_, err = server.Get(f.ctx, string(id))
		require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
		_, err = f.reopen(new(counter)).Restore(f.ctx, string(id), "")
		require.NoError(t, err)
		_, err = server.Get(f.ctx, string(id))
		require.NoError(t, err)
		server.CountAccesses(f.ctx)
	}
}
