package engine_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
)

func (f *fixture) forget(id memory.ID) {
	f.t.Helper()
	_, err := f.Forget(f.ctx, string(id))
	require.NoError(f.t, err)
}

func (f *fixture) restore(id memory.ID) {
	f.t.Helper()
	_, err := f.Restore(f.ctx, string(id), "")
	require.NoError(f.t, err)
}

// content returns what a memory says.
func (f *fixture) content(id memory.ID) string {
	f.t.Helper()
	d, err := f.Peek(f.ctx, string(id))
	require.NoError(f.t, err)
	return d.Content
}

func TestForgettingLeavesAStub(t *testing.T) {
	f := newEngine(t)
	f.now = time.Date(2030, 1, 2, 23, 59, 0, 0, time.UTC)
	id := f.remember("Pool size", "It is 20.", 0.5, "db")
	data, err := os.ReadFile(f.memoryFile(id))
	require.NoError(t, err)
	f.forget(id)
	stub, err := os.ReadFile(f.memoryFile(id))
	require.NoError(t, err)
	require.Equal(t, "---\nid: \"mem_00000001\"\ntopic: \"Pool size\"\ntags:\n  - db\nphase: 3\narchived: "+
		"\"2030-01-02\"\narchived_reason: forgotten\n---\n", string(stub))
	require.Equal(t, []string{string(data)}, f.versions(id), "byte for byte")

	require.Equal(t, memory.Removed, f.phase(id))
	require.NotContains(t, f.start("s"), "Pool size")
	for name, do := range map[string]func() error{
		"get":    func() error { _, err := f.Get(f.ctx, string(id)); return err },
		"forget": func() error { _, err := f.Forget(f.ctx, string(id)); return err },
		"pin":    func() error { _, err := f.Pin(f.ctx, []string{string(id)}, memory.Critical); return err },
		"edit":   func() error { _, _, err := f.File(f.ctx, string(id)); return err },
	} {
		err := do()
		require.Equal(t, memory.CodeNotFound, memory.CodeOf(err), name)
		require.ErrorContains(t, err, "only in the archives", name)
	}
	check, err := f.Check(f.ctx)
	require.NoError(t, err)
	require.True(t, check.OK, check.Summary)

	f.restore(id)
	require.Equal(t, "It is 20.", f.content(id))
	require.Equal(t, []string{string(data)}, f.versions(id), "a restore leaves the archives alone")
}

// TestForgettingTwice forgets two texts of a memory in turn, and restores each.
func TestForgettingTwice(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", "It is 20.", 0.5)
	f.forget(id)
	f.restore(id)
	f.forget(id)
	f.restore(id)
	n := len(f.versions(id))
	f.forget(id)
	require.Len(t, f.versions(id), n, "the same text is archived once")
	f.restore(id)
	f.update(id, "It is 30.")
	f.forget(id)
	require.Contains(t, f.versions(id)[0], "It is 30.")
	f.restore(id)
	require.Equal(t, "It is 30.", f.content(id))
	f.update(id, "It is 20.")
	f.forget(id)
	f.restore(id)
	require.Equal(t, "It is 20.", f.content(id), "a text from before, written again, is the newest")
}

// TestTheNewestFullVersionIsRestored has newer versions that are reduced, hold a
// merge, or cannot be read.
func TestTheNewestFullVersionIsRestored(t *testing.T) {
	f := newEngine(t)
	id := f.remember("Pool size", "It is 20.", 0.5)
	f.update(id, "It is 30.")
	f.forget(id)
	full, err := memfile.Parse([]byte(f.versions(id)[0]))
	require.NoError(t, err)
	reduced := full.Memory
	reduced.Phase, reduced.Content = memory.Abstract, ""
	merged := strings.Replace(f.versions(id)[0], "It is 30.\n",
		"<<<<<<< HEAD\nIt is 40.\n=======\nIt is 50.\n>>>>>>> other\n", 2)
	for name, text := range map[string]string{".7.00000007.md": string(memfile.Format(reduced)),
		".8.00000008.md": merged, ".10.00000010.md": "not a memory"} {
		require.NoError(t, os.WriteFile(filepath.Join(f.dir, "archives", string(id)+name), []byte(text), 0o644))
	}
	f.restore(id)
	require.Equal(t, "It is 30.", f.content(id))
}

// TestAStubWithATextIsRestored has a stub that another program gave a text.
func TestAStubWithATextIsRestored(t *testing.T) {
	f := newEngine(t)
	f.remember("A memory", "It makes the store.", 0.5)
	stub := memfile.FormatStub(memory.Memory{ID: "mem_0000beef", Topic: "Pool size"}, f.now, memory.ReasonForgotten)
	require.NoError(t, os.WriteFile(f.memoryFile("mem_0000beef"), append(stub, "\n## Content\nIt is 20.\n"...), 0o644))
	f.restore("mem_0000beef")
	require.Equal(t, "It is 20.", f.content("mem_0000beef"))
	require.NoError(t, os.WriteFile(f.memoryFile("mem_0000bee0"),
		memfile.FormatStub(memory.Memory{ID: "mem_0000bee0", Topic: "Bare"}, f.now, memory.ReasonForgotten), 0o644))
	_, err := f.Restore(f.ctx, "mem_0000bee0", "")
	require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
}

// TestErasing leaves no byte of a text in the store, nor beside it.
func TestErasing(t *testing.T) {
	for name, prepare := range map[string]func(f *fixture, id memory.ID){
		"active":    func(*fixture, memory.ID) {},
		"forgotten": (*fixture).forget,
		"updated":   func(f *fixture, id memory.ID) { f.update(id, "Another secret plan.") },
		"faded": func(f *fixture, id memory.ID) {
			f.fade(id, memory.Abstract)
			_, err := f.WriteFading(f.ctx, api.EvictOptions{})
			require.NoError(f.t, err)
		},
		"undone": func(f *fixture, id memory.ID) {
			f.forget(id)
			_, err := f.Undo(f.ctx, "")
			require.NoError(f.t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newEngine(t)
			other := f.remember("Nginx", "Raise proxy_buffers.", 0.5)
			id := f.remember("The quiet plan", "The secret plan.\n\nIt is long.", 0.5, "plans")
			_, err := f.Get(f.ctx, string(id))
			require.NoError(t, err)
			prepare(f, id)
			_, err = f.Erase(f.ctx, string(id))
			require.NoError(t, err)

			require.Equal(t, "---\nid: \"mem_00000002\"\ntopic: \"(erased)\"\ntags:\nphase: 3\narchived: \""+
				f.now.Format(time.DateOnly)+"\"\narchived_reason: erased\n---\n",
				f.workTree()["memories/mem_00000002.md"])
			for path, text := range f.everyFile() {
				require.NotContains(t, text, "secret plan", path)
			}
			require.Empty(t, f.versions(id))
			require.NotContains(t, f.stats(), id)
			list, err := f.Undoable(f.ctx)
			require.NoError(t, err)
			require.Len(t, list.Changes, 2)
			require.Empty(t, list.Changes[0].Files, "erasing is final")
			require.Equal(t, other, list.Changes[1].ID)
			_, err = f.Restore(f.ctx, string(id), "")
			require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
			check, err := f.Check(f.ctx)
			require.NoError(t, err)
			require.True(t, check.OK, check.Summary)
			require.Equal(t, "Raise proxy_buffers.", f.content(other))
		})
	}
	t.Run("what is not there", func(t *testing.T) {
		f := newEngine(t)
		f.remember("Nginx", "Raise proxy_buffers.", 0.5)
		before := f.workTree()
		_, err := f.Erase(f.ctx, "mem_0000beef")
		require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
		require.Equal(t, before, f.workTree())
	})
}

// everyFile returns the content of every file of the store and of the clone, except the lock.
// Binary caches hold only headers.
func (f *fixture) everyFile() map[string]string {
	f.t.Helper()
	found := map[string]string{}
	require.NoError(f.t, filepath.WalkDir(f.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		found[path] = string(data)
		return err
	}))
	return found
}

// TestOldStubsGo ends sessions long after memories were forgotten.
func TestOldStubsGo(t *testing.T) {
	const day = 24 * time.Hour
	begin := func(t *testing.T) (*fixture, memory.ID) {
		f := newEngine(t)
		f.remember("Nginx", "Raise proxy_buffers.", 0.5)
		id := f.remember("Pool size", "It is 20.", 0.5)
		f.forget(id)
		return f, id
	}
	endAfter := func(f *fixture, after time.Duration) {
		f.t.Helper()
		f.now = f.now.Add(after)
		require.NoError(f.t, f.EndSession(f.ctx, "s"))
	}
	t.Run("after stub_days", func(t *testing.T) {
		f, id := begin(t)
		endAfter(f, 179*day)
		require.FileExists(t, f.memoryFile(id))
		endAfter(f, 2*day)
		require.NoFileExists(t, f.memoryFile(id))
		f.requireVersions(id, "It is 20.")
		f.restore(id)
		require.Equal(t, "It is 20.", f.content(id))
		list, err := f.List(f.ctx, api.ListFilter{})
		require.NoError(t, err)
		require.Equal(t, 2, list.Total, "memories stay")
	})
	t.Run("after fewer", func(t *testing.T) {
		f, id := begin(t)
		f.set("stub_days", "3", settings.Clone)
		endAfter(f, 4*day)
		require.NoFileExists(t, f.memoryFile(id))
	})
	t.Run("never", func(t *testing.T) {
		f, id := begin(t)
		f.set("stub_days", "0", settings.Clone)
		endAfter(f, 1000*day)
		require.FileExists(t, f.memoryFile(id))
	})
	t.Run("not without a full text in the archives, which fix looks for", func(t *testing.T) {
		f, id := begin(t)
		require.NoError(t, os.Remove(f.archiveFile(id)))
		endAfter(f, 1000*day)
		require.FileExists(t, f.memoryFile(id))
	})
	t.Run("not with a summary of its own", func(t *testing.T) {
		f, id := begin(t)
		stub := "---\nid: " + string(id) +
			"\ntopic: x\nphase: 3\narchived: \"2020-01-01\"\n---\n\n## Summary\nIt is 30.\n"
		require.NoError(t, os.WriteFile(f.memoryFile(id), []byte(stub), 0o644))
		endAfter(f, 1000*day)
		require.FileExists(t, f.memoryFile(id))
		_, err := f.PruneArchives(f.ctx, api.PruneOptions{OlderThan: time.Hour})
		require.NoError(t, err)
		require.FileExists(t, f.memoryFile(id))
	})
	t.Run("of what was erased", func(t *testing.T) {
		f, id := begin(t)
		_, err := f.Erase(f.ctx, string(id))
		require.NoError(t, err)
		endAfter(f, 181*day)
		require.NoFileExists(t, f.memoryFile(id))
	})
	t.Run("not without a date, nor with an unresolved merge", func(t *testing.T) {
		f, _ := begin(t)
		undated := "---\nid: mem_0000beef\ntopic: x\nphase: 3\n---\n"
		merged := "---\nid: mem_0000bee0\ntopic: x\nphase: 3\n<<<<<<< HEAD\narchived: " +
			"2020-01-01\n=======\narchived: 2020-01-02\n>>>>>>> other\n---\n"
		require.NoError(t, os.WriteFile(f.memoryFile("mem_0000beef"), []byte(undated), 0o644))
		require.NoError(t, os.WriteFile(f.memoryFile("mem_0000bee0"), []byte(merged), 0o644))
		endAfter(f, 1000*day)
		require.FileExists(t, f.memoryFile("mem_0000beef"))
		require.FileExists(t, f.memoryFile("mem_0000bee0"))
	})
}

// TestCountersOfAbsentMemoriesAreKept has a memory that another branch has, and
// ends sessions meanwhile.
func TestCountersOfAbsentMemoriesAreKept(t *testing.T) {
	const day = 24 * time.Hour
	f := newEngine(t)
	f.remember("Nginx", "Raise proxy_buffers.", 0.5)
	absent, forgotten := f.remember("Pool size", "It is 20.", 0.5), f.remember("Squid", "It drops websockets.", 0.5)
	for _, id := range []memory.ID{absent, forgotten} {
		_, err := f.Get(f.ctx, string(id))
		require.NoError(t, err)
	}
	f.set("stub_days", "0", settings.Clone)
	f.forget(forgotten)
	data, err := os.ReadFile(f.memoryFile(absent))
	require.NoError(t, err)
	require.NoError(t, os.Remove(f.memoryFile(absent)))

	f.now = f.now.Add(179 * day)
	require.NoError(t, f.EndSession(f.ctx, "s"))
	check, err := f.Check(f.ctx)
	require.NoError(t, err)
	require.True(t, check.OK, check.Summary)
	_, err = f.Fix(f.ctx, api.FixOptions{})
	require.NoError(t, err)
	require.Equal(t, 1, f.stats()[absent].AccessCount)
	require.NoError(t, os.WriteFile(f.memoryFile(absent), data, 0o644))
	detail, err := f.Peek(f.ctx, string(absent))
	require.NoError(t, err)
	require.Equal(t, 1, detail.AccessCount)

	require.NoError(t, os.Remove(f.memoryFile(absent)))
	f.now = f.now.Add(2 * day)
	require.NoError(t, f.EndSession(f.ctx, "t"))
	require.NotContains(t, f.stats(), absent, "after 180 days they go")
	require.Contains(t, f.stats(), forgotten, "a memory that was forgotten is not absent")
}
