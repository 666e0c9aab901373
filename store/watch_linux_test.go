package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

// TestAWatchTellsWhatStampsHide changes files so that size, time stamp and the
// directory's stamp are the same as before.
func TestAWatchTellsWhatStampsHide(t *testing.T) {
	f := newStore(t)
	f.Store = store.New(f.places, time.Now)
	for i := range 5 {
		f.put(memory.ID(fmt.Sprintf("mem_%08x", i)), "one")
	}
	long := time.Now().Add(-time.Hour)
	for i := range 5 {
		require.NoError(t, os.Chtimes(f.path(fmt.Sprintf("memories/mem_%08x.md", i)), long, long))
	}
	f.Watch()
	name, folder := f.path("memories/mem_00000002.md"), f.path("memories")
	require.Len(t, topics(t, f.Store), 5)
	for _, topic := range []string{"two", "six", "ten"} {
		f.write("memories/mem_00000002.md", string(fileOf("mem_00000002", topic))) // in place
		require.NoError(t, os.Chtimes(name, long, long))
		require.NoError(t, os.Chtimes(folder, long, long))
		require.Equal(t, topic, topics(t, f.Store)["mem_00000002"])
		require.Equal(t, topic, quickTopics(t, f.Store)["mem_00000002"])

		topic += "!"
		other := filepath.Join(t.TempDir(), "other") // and as another file
		require.NoError(t, os.WriteFile(other, fileOf("mem_00000002", topic[1:]), 0o644))
		require.NoError(t, os.Chtimes(other, long, long))
		require.NoError(t, os.Rename(other, name))
		require.NoError(t, os.Chtimes(folder, long, long))
		require.Equal(t, topic[1:], quickTopics(t, f.Store)["mem_00000002"])
	}
	require.NoError(t, os.Chmod(name, 0o600))
	require.NoError(t, os.Rename(name, f.path("memories/mem_00000009.md")))
	require.NotContains(t, topics(t, f.Store), memory.ID("mem_00000002"))
	require.Len(t, topics(t, f.Store), 4, "the id inside another name's file is not that name's")
}

// TestAWatchBeginsWithALookAtEveryFile edits a file in place before a process begins
// to watch; its first look is a quick one.
func TestAWatchBeginsWithALookAtEveryFile(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	long := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(f.path("memories"), long, long))
	require.Equal(t, "one", topics(t, f.reopen())["mem_00000001"])
	f.write("memories/mem_00000001.md", string(fileOf("mem_00000001", "edited")))
	s := f.reopen()
	s.Watch()
	require.Equal(t, "edited", quickTopics(t, s)["mem_00000001"])
}

// TestAWatchThatLosesEventsIsNotBelieved makes more events than the kernel keeps, the
// last of which is the one that matters.
func TestAWatchThatLosesEventsIsNotBelieved(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	f.put("mem_00000002", "two")
	f.Watch()
	require.Len(t, topics(t, f.Store), 2)
	var most int
	text, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
	require.NoError(t, err)
	_, err = fmt.Sscan(string(text), &most)
	require.NoError(t, err)
	for i := range most + 100 {
		// two equal ones in a row would be one
		require.NoError(t, os.Chmod(f.path(fmt.Sprintf("memories/mem_0000000%d.md", 1+i%2)), 0o644))
	}
	f.write("memories/mem_00000003.md", string(fileOf("mem_00000003", "lost")))
	require.Equal(t, "lost", topics(t, f.Store)["mem_00000003"])
	f.write("memories/mem_00000003.md", string(fileOf("mem_00000003", "told")))
	require.Equal(t, "told", topics(t, f.Store)["mem_00000003"])
}
