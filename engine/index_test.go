package engine_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

// cached is a store whose search index another process has left in the cache.
func cached(t *testing.T, n int) (f *fixture, cache string) {
	t.Helper()
	f = newEngine(t)
	for i := range n {
		f.remember(fmt.Sprintf("Topic %d", i), fmt.Sprintf("About the widget%d of the machine.", i), 0.5)
	}
	_, err := f.Recall(f.ctx, api.Query{Text: "machine"})
	require.NoError(t, err)
	cache = f.own("cache/search-memories.bin")
	require.FileExists(t, cache)
	return f, cache
}

func (f *fixture) found(query string) []memory.ID {
	f.t.Helper()
	r, err := f.reopen(new(counter)).Recall(f.ctx, api.Query{Text: query})
	require.NoError(f.t, err)
	ids := []memory.ID{}
	for _, h := range r.Memories {
		ids = append(ids, h.ID)
	}
	return ids
}

func TestAColdProcessTrustsOnlyWhatIsUnchanged(t *testing.T) {
	f, _ := cached(t, 60)
	require.Equal(t, []memory.ID{"mem_00000008"}, f.found("widget7"))
	file := filepath.Join(f.dir, "memories", "mem_00000008.md")
	changed := memory.Memory{ID: "mem_00000008", Topic: "Topic 7", Summary: "s", Content: "About the gadget.",
		CreatedAt: f.now}
	require.NoError(t, os.WriteFile(file, memfile.Format(changed), 0o644))
	require.Empty(t, f.found("widget7"))
	require.Equal(t, []memory.ID{"mem_00000008"}, f.found("gadget"))
	require.NoError(t, os.Remove(file))
	require.Empty(t, f.found("gadget"))
	require.Equal(t, []memory.ID{"mem_00000009"}, f.found("widget8"))
}

// TestAColdProcessReadsNoFileThatIsCached removes the text of a memory without changing its
// stamp, so that it can only be found in the cache.
func TestAColdProcessReadsNoFileThatIsCached(t *testing.T) {
	f, _ := cached(t, 60)
	file := filepath.Join(f.dir, "memories", "mem_00000008.md")
	old := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(file, old, old))
	for i := range 60 { // enough changes for the cache to be rewritten
		name := filepath.Join(f.dir, "memories", fmt.Sprintf("mem_%08x.md", i+1))
		require.NoError(t, os.Chtimes(name, old, old))
	}
	require.NotEmpty(t, f.found("widget7"))
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	for i := range data[len(data)-20:] {
		data[len(data)-20+i] = 'x'
	}
	require.NoError(t, os.WriteFile(file, data, 0o644))
	require.NoError(t, os.Chtimes(file, old, old))
	require.Equal(t, []memory.ID{"mem_00000008"}, f.found("widget7"))
}

func TestADamagedSearchCacheIsIgnored(t *testing.T) {
	f, cache := cached(t, 40)
	good, err := os.ReadFile(cache)
	require.NoError(t, err)
	for i := 0; i < len(good); i += len(good)/60 + 1 {
		bad := append([]byte(nil), good...)
		bad[i] ^= 0xff
		for _, data := range [][]byte{bad, good[:i]} {
			require.NoError(t, os.WriteFile(cache, data, 0o644))
			require.Equal(t, []memory.ID{"mem_00000008"}, f.found("widget7"), "byte %d", i)
		}
	}
}

func TestSeveralProcessesShareTheCache(t *testing.T) {
	f, cache := cached(t, 40)
	var wait sync.WaitGroup
	for p := range 4 {
		wait.Go(func() {
			for i := range 10 {
				if i%3 == p%3 {
					_ = os.Remove(cache)
				}
				ids := f.found("widget7")
				if len(ids) != 1 || ids[0] != "mem_00000008" {
					t.Errorf("found %v", ids)
				}
			}
		})
	}
	wait.Wait()
}

// TestAPassageIsOfTheTextAsItIs asks one process for passages of memories that change:
// by a change of its own, and by hand.
func TestAPassageIsOfTheTextAsItIs(t *testing.T) {
	f := newEngine(t)
	id := f.remember("The widget", "The widget is red. It was made in May.", 0.5)
	passage := func() string {
		t.Helper()
		r, err := f.Recall(f.ctx, api.Query{Text: "widget"})
		require.NoError(t, err)
		require.Len(t, r.Memories, 1)
		return r.Memories[0].Summary
	}
	require.Equal(t, "The widget is red. It was made in May.", passage())
	require.Equal(t, "The widget is red. It was made in May.", passage())
	f.update(id, "The widget is blue. It was made in May.")
	require.Contains(t, passage(), "The widget is blue.")
	require.NotContains(t, passage(), "red")
	changed := memory.Memory{ID: id, Topic: "The widget", Summary: "The widget is green.",
		Content: "The widget is green.", CreatedAt: f.now}
	require.NoError(t, os.WriteFile(f.memoryFile(id), memfile.Format(changed), 0o644))
	require.Equal(t, "The widget is green.", passage())
}
