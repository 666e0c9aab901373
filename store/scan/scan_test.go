package scan_test

import (
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store/scan"
)

// folder is a directory of memories, with a directory for caches beside it.
type folder struct {
	t      *testing.T
	root   *os.Root
	caches *os.Root
	now    time.Time
	seen   time.Time // when the directory changed last
}

func newFolder(t *testing.T) *folder {
	t.Helper()
	f := &folder{t: t, now: time.Now(), seen: time.Unix(1e9, 1)}
	for _, root := range []**os.Root{&f.root, &f.caches} {
		opened, err := os.OpenRoot(t.TempDir())
		require.NoError(t, err)
		t.Cleanup(func() { opened.Close() })
		*root = opened
	}
	return f
}

// write makes or changes the file of a memory. Its time is long ago, and always the
// same; that of the directory changes with every new file.
func (f *folder) write(id, topic string) {
	f.t.Helper()
	data := memfile.Format(memory.Memory{ID: memory.ID(id), Topic: topic, Content: "text", Tags: []string{"tag"}})
	_, err := f.root.Lstat(id + ".md")
	require.NoError(f.t, f.root.WriteFile(id+".md", data, 0o644))
	require.NoError(f.t, f.root.Chtimes(id+".md", time.Unix(1e9, 1), time.Unix(1e9, 1)))
	if err != nil {
		f.seen = f.seen.Add(time.Second)
		require.NoError(f.t, f.root.Chtimes(".", f.seen, f.seen))
	}
}

// process is a new process that looks at the directory.
func (f *folder) process() func(quick bool) (topics map[memory.ID]string, temps []string) {
	dir := scan.Open("cache", f.caches)
	return func(quick bool) (map[memory.ID]string, []string) {
		f.t.Helper()
		caches := func(bool) *os.Root { return f.caches }
		snapshot, temps, err := dir.Snapshot(scan.Look{Root: f.root, Quick: quick, Now: f.now, Caches: caches})
		require.NoError(f.t, err)
		topics := map[memory.ID]string{}
		for _, r := range snapshot.Records {
			require.Empty(f.t, r.Content, "texts are not kept")
			topics[r.ID] = r.Topic
		}
		for _, p := range snapshot.Problems {
			topics[memory.ID(p.File)] = p.Reason
		}
		return topics, temps
	}
}

// TestAQuickLookReadsYoungFilesAgain edits a file within a tick of the clock, between two looks of one process.
func TestAQuickLookReadsYoungFilesAgain(t *testing.T) {
	f := newFolder(t)
	look := f.process()
	for _, topic := range []string{"one", "two"} {
		f.write("mem_00000001", topic)
		require.NoError(t, f.root.Chtimes("mem_00000001.md", f.now, f.now))
		topics, _ := look(true)
		require.Equal(t, topic, topics["mem_00000001"])
	}
}

func TestAQuickLookMissesEditsInPlace(t *testing.T) {
	f := newFolder(t)
	f.write("mem_00000001", "one")
	f.write("mem_00000002", "two")
	look := f.process()
	want := map[memory.ID]string{"mem_00000001": "one", "mem_00000002": "two"}
	got, _ := look(false)
	require.Equal(t, want, got)
	f.write("mem_00000002", "longer")
	got, _ = look(true)
	require.Equal(t, want, got)
	got, _ = look(false)
	want["mem_00000002"] = "longer"
	require.Equal(t, want, got)
}

// TestTheNextProcessReadsTheCache changes a file so that its stamp stays: only a cache
// can have the old topic. Without the cache, or with a damaged one, it is read.
func TestTheNextProcessReadsTheCache(t *testing.T) {
	f := newFolder(t)
	f.write("mem_00000001", "one")
	f.write("mem_00000002", "two")
	f.process()(false)
	f.write("mem_00000002", "six")
	got, _ := f.process()(false)
	require.Equal(t, "two", got["mem_00000002"])

	cache, err := f.caches.ReadFile("cache")
	require.NoError(t, err)
	for i := range cache {
		damaged := append([]byte{}, cache...)
		damaged[i] ^= 1
		require.NoError(t, f.caches.WriteFile("cache", damaged, 0o644))
		got, _ := f.process()(false)
		require.Equal(t, "six", got["mem_00000002"], "byte %d", i)
	}
	require.NoError(t, f.caches.WriteFile("cache", cache, 0o644))
	got, _ = f.process()(false)
	require.Equal(t, "two", got["mem_00000002"], "the cache is whole again")
}

// TestChangesAreAppended has processes that each see one change more, and one that a
// file is gone. The last process finds all of it in the cache: it reads no file.
func TestChangesAreAppended(t *testing.T) {
	f := newFolder(t)
	for i := range 30 {
		f.write(fmt.Sprintf("mem_%08x", i), "one")
		f.process()(false)
	}
	require.NoError(t, f.root.Remove("mem_00000003.md"))
	f.process()(false)
	for i := range 30 {
		if i != 3 {
			f.write(fmt.Sprintf("mem_%08x", i), "two")
		}
	}
	got, _ := f.process()(false)
	require.Len(t, got, 29)
	for id, topic := range got {
		require.Equal(t, "one", topic, id)
	}
}

func TestOtherFiles(t *testing.T) {
	f := newFolder(t)
	f.write("mem_00000001", "one")
	for name, text := range map[string]string{
		"notes.txt": "x", "mem_00000002.md": "---\nid: mem_00000009\ntopic: x\n---\n",
		".mem_00000003.md.0123456789ab": "", ".mem_00000003.md.swp": "", ".hidden": "",
	} {
		require.NoError(t, f.root.WriteFile(name, []byte(text), 0o644))
	}
	got, temps := f.process()(false)
	require.Len(t, got, 3)
	require.Equal(t, "one", got["mem_00000001"])
	require.Contains(t, got["notes.txt"], "the file name is not")
	require.NotEmpty(t, got["mem_00000002.md"])
	require.Equal(t, []string{".mem_00000003.md.0123456789ab"}, temps)
	_, temps = f.process()(false)
	require.Equal(t, []string{".mem_00000003.md.0123456789ab"}, temps, "the cache has them too")
}

// TestTheCacheHasTheHeader reads files once, and then from the cache alone.
func TestTheCacheHasTheHeader(t *testing.T) {
	f := newFolder(t)
	for id, header := range map[string]string{"mem_00000001": "kind: ARCH\nconfidence: 0",
		"mem_00000002": "kind: odd\nconfidence: high",
		"mem_00000003": "difficulty: 1\nsupersedes: [mem_00000001]\nrelated: [mem_00000004, x]\n" +
			"agent: a\ncommit: 1234567\norigin: {system: s, id: i}\nsignature: v1:a:b",
		"mem_00000004": "confidence: 0.25\nwork: {calls: 3, source: hooks}\n" +
			"refs: [a/b.go, 'c.go:3-5', 'd.go#x', x y]", "mem_00000005": "kind: odd"} {
		require.NoError(t, f.root.WriteFile(id+".md", []byte("---\ntopic: t\n"+header+"\n---\nx\n"), 0o644))
		require.NoError(t, f.root.Chtimes(id+".md", time.Unix(1e9, 1), time.Unix(1e9, 1)))
	}
	heads := func() (heads []memory.Memory) {
		snapshot, _, err := scan.Open("cache", f.caches).Snapshot(scan.Look{Root: f.root, Now: f.now,
			Caches: func(bool) *os.Root { return f.caches }})
		require.NoError(t, err)
		for _, r := range snapshot.Records {
			heads = append(heads, *r.Memory)
		}
		return heads
	}
	read := heads()
	require.Len(t, read, 5)
	require.Equal(t, memory.Architectural, read[0].Category)
	require.True(t, read[1].OddCategory && read[1].OddConfidence)
	require.True(t, read[4].OddCategory && !read[4].OddConfidence)
	require.Equal(t, []memory.Ref{{Path: "a/b.go"}, {Path: "c.go", Line: 3, End: 5}, {Path: "d.go", Symbol: "x"},
		{Path: "x y"}}, read[3].Refs)
	linked := read[2]
	linked.ID, linked.Topic, linked.Difficulty = "", "", 0
	linked.CreatedAt, linked.ArchivedAt = time.Time{}, time.Time{}
	require.Equal(t, memory.Memory{Supersedes: []memory.ID{"mem_00000001"}, Related: []memory.ID{"mem_00000004"},
		Agent: "a", Commit: "1234567", Origin: &memory.Origin{System: "s", ID: "i"}, Signature: "v1:a:b",
		OddLinks: true}, linked)
	for i := range 5 { // of each length: what is read next must be another text
		id := fmt.Sprintf("mem_%08x.md", i+1)
		info, err := f.root.Lstat(id)
		require.NoError(t, err)
		require.NoError(t, f.root.WriteFile(id, make([]byte, info.Size()), 0o644))
		require.NoError(t, f.root.Chtimes(id, time.Unix(1e9, 1), time.Unix(1e9, 1)))
	}
	cached := heads()
	for i := range cached {
		require.True(t, read[i].CreatedAt.Equal(cached[i].CreatedAt))
		require.True(t, read[i].ArchivedAt.Equal(cached[i].ArchivedAt))
		cached[i].CreatedAt, cached[i].ArchivedAt = read[i].CreatedAt, read[i].ArchivedAt
	}
	require.Equal(t, read, cached)
}

// TestWritingTheCacheLeavesWhatSnapshotsShare reads a header of an earlier snapshot while a later look writes the
// cache anew. The race detector reports it if writing sets anything there.
func TestWritingTheCacheLeavesWhatSnapshotsShare(t *testing.T) {
	f := newFolder(t)
	f.write("mem_00000001", "first")
	dir := scan.Open("cache", f.caches)
	look := func() *scan.Snapshot {
		snapshot, _, err := dir.Snapshot(scan.Look{Root: f.root, Now: f.now, Caches: func(create bool) *os.Root {
			if create {
				return f.caches
			}
			return nil // there is no cache to append to
		}})
		require.NoError(t, err)
		return snapshot
	}
	header := look().Header("mem_00000001")
	f.write("mem_00000002", "second")
	var copied memory.Memory
	var reader sync.WaitGroup
	reader.Go(func() { copied = *header })
	require.Len(t, look().Records, 2)
	reader.Wait()
	require.Equal(t, "first", copied.Topic)
}
