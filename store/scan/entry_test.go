package scan_test

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store/scan"
)

// TestAHeaderIsDecodedOnce has goroutines that ask for the headers in a cache, alone and all at once: each memory has
// one header.
func TestAHeaderIsDecodedOnce(t *testing.T) {
	f := newFolder(t)
	for i := range 50 {
		f.write(fmt.Sprintf("mem_%08x", i), fmt.Sprint("topic ", i))
	}
	f.process()(false)
	snapshot, _, err := scan.Open("cache", f.caches).Snapshot(scan.Look{Root: f.root, Now: f.now,
		Caches: func(bool) *os.Root { return f.caches }})
	require.NoError(t, err)
	found := make([][]*memory.Memory, 8)
	var wait sync.WaitGroup
	for i := range found {
		wait.Go(func() {
			if i%2 == 0 {
				for _, r := range snapshot.Records() {
					found[i] = append(found[i], r.Memory)
				}
				return
			}
			for _, e := range snapshot.Entries {
				found[i] = append(found[i], e.Memory())
			}
		})
	}
	wait.Wait()
	for _, heads := range found {
		require.Len(t, heads, 50)
		for i, head := range heads {
			require.Same(t, found[0][i], head)
			require.Equal(t, fmt.Sprint("topic ", i), head.Topic)
			require.Equal(t, snapshot.Entries[i].Topic(), head.Topic)
			require.Equal(t, snapshot.Entries[i].ID(), head.ID)
		}
	}
}
