package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ltm/internal/emulated"
	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store"
)

// patience is how long tests wait for a lock or an event that comes: only what never comes takes so long,
// on the slowest machine.
const patience = time.Minute

// fixture is a store in a scratch directory, with a clock that tests move.
type fixture struct {
	t      *testing.T
	dir    string
	places store.Places
	now    time.Time
	*store.Store
}

func newStore(t *testing.T) *fixture {
	t.Helper()
	top := t.TempDir()
	return storeAt(t, placesIn(top))
}

// placesIn are the places of a store whose private directories are beside it, as
// those in git's are.
func placesIn(top string) store.Places {
	clone := filepath.Join(top, "git", "clone")
	return store.Places{Store: filepath.Join(top, ".claude", "ltm"), Tree: filepath.Join(top, "git", "tree"),
		Clone: clone, Key: filepath.Join(clone, "trust.key")}
}

func storeAt(t *testing.T, places store.Places) *fixture {
	t.Helper()
	f := &fixture{t: t, dir: places.Store, places: places, now: time.Now().Add(time.Hour)}
	f.Store = f.reopen()
	return f
}

// reopen is what another process would see.
func (f *fixture) reopen() *store.Store {
	return store.New(f.places, func() time.Time { return f.now })
}

func (f *fixture) update(fn func(*store.Tx) error) error {
	return f.Update(context.Background(), store.UpdateOptions{Wait: patience, Create: true}, fn)
}

func (f *fixture) put(id memory.ID, topic string) {
	f.t.Helper()
	require.NoError(f.t, f.update(func(tx *store.Tx) error { return tx.WriteMemory(id, fileOf(id, topic)) }))
}

func fileOf(id memory.ID, topic string) []byte {
	return memfile.Format(memory.Memory{ID: id, Topic: topic, Summary: "s", Content: "c", CreatedAt: time.Unix(1e9, 0)})
}

// path returns where a file is: one of the clone's or the work tree's own begins
// with "clone/" or "tree/".
func (f *fixture) path(name string) string {
	dir := f.dir
	if rest, ok := strings.CutPrefix(name, "clone/"); ok {
		dir, name = f.places.Clone, rest
	} else if rest, ok := strings.CutPrefix(name, "tree/"); ok {
		dir, name = f.places.Tree, rest
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

func (f *fixture) write(name, text string) {
	f.t.Helper()
	require.NoError(f.t, os.WriteFile(f.path(name), []byte(text), 0o644))
}

func (f *fixture) read(name string) string {
	f.t.Helper()
	data, err := os.ReadFile(f.path(name))
	require.NoError(f.t, err)
	return string(data)
}

// topics lists what a store serves.
func topics(t *testing.T, s *store.Store) map[memory.ID]string {
	t.Helper()
	return topicsBy(t, s, (*store.View).Memories)
}

// topicsBy is topics by a way of looking.
func topicsBy(t *testing.T, s *store.Store, look func(*store.View) (*store.Snapshot, error)) map[memory.ID]string {
	t.Helper()
	found := map[memory.ID]string{}
	require.NoError(t, s.View(func(v *store.View) error {
		snapshot, err := look(v)
		for _, r := range snapshot.Records {
			found[r.ID] = r.Topic
		}
		return err
	}))
	return found
}

func TestAStoreThatIsNotThereReadsAsEmpty(t *testing.T) {
	f := newStore(t)
	require.Empty(t, topics(t, f.Store))
	err := f.Update(context.Background(), store.UpdateOptions{}, func(*store.Tx) error { return nil })
	require.Equal(t, memory.CodeNotFound, memory.CodeOf(err))
	require.NoDirExists(t, f.dir)
}

func TestChangesFromOutsideAreSeen(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	f.put("mem_00000002", "two")
	require.Equal(t, map[memory.ID]string{"mem_00000001": "one", "mem_00000002": "two"}, topics(t, f.Store))

	f.write("memories/mem_00000001.md", string(fileOf("mem_00000001", "edited by hand")))
	f.write("memories/mem_00000003.md", string(fileOf("mem_00000003", "pulled")))
	require.NoError(t, os.Remove(f.path("memories/mem_00000002.md")))
	want := map[memory.ID]string{"mem_00000001": "edited by hand", "mem_00000003": "pulled"}
	require.Equal(t, want, topics(t, f.Store))
	require.Equal(t, want, topics(t, f.reopen()))

	f.put("mem_00000004", "four")
	require.Len(t, topics(t, f.Store), 3)
}

// TestAFolderIsSeenToChange changes a directory in every way under a server.
func TestAFolderIsSeenToChange(t *testing.T) {
	f := newStore(t)
	f.Store = store.New(f.places, time.Now) // stamps are compared with the real clock
	f.put("mem_00000001", "one")
	f.Serve()
	file := f.path("memories/mem_00000001.md")
	want := func(topic string) {
		t.Helper()
		for range 2 {
			require.Equal(t, map[memory.ID]string{"mem_00000001": topic}, topics(t, f.Store))
		}
	}
	want("one")
	for i := range 50 { // edits in place, faster than the file system's clock
		topic := fmt.Sprintf("edit %02d", i)
		f.write("memories/mem_00000001.md", string(fileOf("mem_00000001", topic)))
		want(topic)
	}
	require.NoError(t, os.WriteFile(file+".new", fileOf("mem_00000001", "renamed"), 0o644))
	require.NoError(t, os.Rename(file+".new", file))
	want("renamed")
	require.NoError(t, os.Remove(file))
	require.Empty(t, topics(t, f.Store))
	f.put("mem_00000001", "back")
	want("back")

	// Another directory takes the place of the store, as a checkout may do it.
	away := f.dir + ".away"
	require.NoError(t, os.Rename(f.dir, away))
	require.Empty(t, topics(t, f.Store))
	require.NoError(t, os.MkdirAll(f.path("memories"), 0o755))
	f.write("memories/mem_00000001.md", string(fileOf("mem_00000001", "other")))
	want("other")
	require.NoError(t, os.WriteFile(filepath.Join(away, "memories", "mem_00000002.md"), fileOf("mem_00000002", "x"),
		0o644))
	want("other")
	require.NoError(t, os.RemoveAll(f.dir))
	require.NoError(t, os.Rename(away, f.dir))
	require.Len(t, topics(t, f.Store), 2)
}

// TestAnEditWithinOneClockTick writes a file of the same size again, with the
// same time stamp: right after a scan such a stamp must not be believed.
func TestAnEditWithinOneClockTick(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	name := f.path("memories/mem_00000001.md")
	info, err := os.Stat(name)
	require.NoError(t, err)
	f.now = info.ModTime().Add(time.Millisecond)
	s := f.reopen()
	require.NoError(t, os.RemoveAll(f.path("tree/cache")))
	require.Equal(t, "one", topics(t, s)["mem_00000001"])
	f.write("memories/mem_00000001.md", string(fileOf("mem_00000001", "two")))
	require.NoError(t, os.Chtimes(name, info.ModTime(), info.ModTime()))
	require.Equal(t, "two", topics(t, s)["mem_00000001"])
	require.Equal(t, "two", topics(t, f.reopen())["mem_00000001"])
}

func TestADamagedCacheIsIgnored(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	require.Len(t, topics(t, f.Store), 1)
	good := f.read("tree/cache/memories.bin")
	for i := 0; i < len(good); i += 7 {
		bad := []byte(good)
		bad[i] ^= 0x55
		f.write("tree/cache/memories.bin", string(bad))
		require.Equal(t, "one", topics(t, f.reopen())["mem_00000001"])
		f.write("tree/cache/memories.bin", good[:i])
		require.Equal(t, "one", topics(t, f.reopen())["mem_00000001"])
	}
}

func TestTheIndexIsWrittenOnlyWhenItDiffers(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	require.NoFileExists(t, f.path("index.json"), "only where a team asks for it")
	writeIndex := func() { require.NoError(t, f.update((*store.Tx).WriteIndex)) }
	writeIndex()
	old := time.Unix(1e9, 0)
	require.NoError(t, os.Chtimes(f.path("index.json"), old, old))
	writeIndex()
	info, err := os.Stat(f.path("index.json"))
	require.NoError(t, err)
	require.True(t, info.ModTime().Equal(old))

	f.write("index.json", `{"version":2}`)
	require.Equal(t, memory.CodeConflict, memory.CodeOf(f.update((*store.Tx).WriteIndex)))
	require.Equal(t, `{"version":2}`, f.read("index.json"))
}

// TestTheIndexIsPlainJSON compares the index with what encoding/json writes.
func TestTheIndexIsPlainJSON(t *testing.T) {
	f := newStore(t)
	check := func() {
		var v struct {
			Version  int `json:"version"`
			Memories map[string]struct {
				Topic      string   `json:"topic"`
				Tags       []string `json:"tags"`
				Phase      int      `json:"phase"`
				Difficulty float64  `json:"difficulty"`
				CreatedAt  string   `json:"created_at"`
			} `json:"memories"`
		}
		text := f.read("index.json")
		require.NoError(t, json.Unmarshal([]byte(text), &v))
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		require.NoError(t, e.Encode(v))
		require.Equal(t, want.String(), text)
	}
	require.NoError(t, f.update((*store.Tx).WriteIndex))
	check()
	for i, topic := range []string{"plain", `"quotes" and \`, "<b>&amp;", "ünïcode \u2028 \U0001F600", "\x7f"} {
		m := memory.Memory{ID: memory.ID(fmt.Sprintf("mem_%08d", i)), Topic: topic,
			Tags: []string{"a", topic}[:min(i, 2)], Summary: "s", Content: "c",
			Difficulty: float64(i) / 7, CreatedAt: time.Unix(1e9, 0)}
		require.NoError(t, f.update(func(tx *store.Tx) error { return tx.WriteMemory(m.ID, memfile.Format(m)) }))
		require.NoError(t, f.update((*store.Tx).WriteIndex))
		check()
	}
}

func TestALockThatIsHeldIsAnError(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	held := flock.New(f.path("clone/lock"))
	require.NoError(t, held.Lock())
	defer held.Close()
	err := f.Update(t.Context(), store.UpdateOptions{Wait: 50 * time.Millisecond}, func(tx *store.Tx) error {
		return tx.WriteMemory("mem_00000002", fileOf("mem_00000002", "two"))
	})
	require.Equal(t, memory.CodeBusy, memory.CodeOf(err))
	require.Equal(t, memory.KindLockHeld, memory.KindOf(err))
	require.True(t, memory.Refused(err))
	require.Len(t, topics(t, f.Store), 1)
}

// TestCallsThatGaveUpWaitingLeaveNothing lets many calls give up while another
// process has the lock. When it lets go, the lock is free.
func TestCallsThatGaveUpWaitingLeaveNothing(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	held := flock.New(f.path("clone/lock"))
	require.NoError(t, held.Lock())
	var calls sync.WaitGroup
	for range 50 {
		calls.Go(func() {
			err := f.Update(t.Context(), store.UpdateOptions{Wait: time.Millisecond},
				func(*store.Tx) error { return nil })
			assert.Equal(t, memory.CodeBusy, memory.CodeOf(err))
		})
	}
	calls.Wait()
	require.NoError(t, held.Close())
	require.NoError(t, f.Update(t.Context(), store.UpdateOptions{Wait: patience},
		func(*store.Tx) error { return nil }))
	require.Eventually(t, func() bool {
		free, err := held.TryLock()
		return err == nil && free
	}, patience, time.Millisecond)
	require.NoError(t, held.Close())
}

func TestFilesThatAreNoMemoriesAreProblems(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	require.NoError(t, os.Mkdir(f.path("memories/mem_0000000a.md"), 0o755))
	f.write("memories/mem_0000000c.md", "---\ntopic: x\nid: mem_0000000d\n---\n")
	f.write("memories/README.txt", "hello")
	require.NoError(t, f.View(func(v *store.View) error {
		snapshot, err := v.Memories()
		require.NoError(t, err)
		require.Len(t, snapshot.Records, 1)
		require.Equal(t, []memory.FileProblem{
			{File: "README.txt", Reason: `the file name is not "mem_", 8 hex digits and ".md"`},
			{File: "mem_0000000a.md", Reason: "not a regular file"},
			{File: "mem_0000000c.md", Reason: "the id inside is mem_0000000d, not mem_0000000c"},
		}, snapshot.Problems)
		return nil
	}))
}

func TestLinksAreProblems(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	link(t, f.path("memories/mem_00000001.md"), f.path("memories/mem_0000000b.md"))
	require.NoError(t, f.View(func(v *store.View) error {
		snapshot, err := v.Memories()
		require.NoError(t, err)
		require.Len(t, snapshot.Records, 1)
		require.Equal(t, []memory.FileProblem{{File: "mem_0000000b.md", Reason: "not a regular file"}},
			snapshot.Problems)
		_, err = v.Read("mem_0000000b")
		require.Error(t, err)
		return nil
	}))
}

// link makes a symbolic link, or skips the test where there can be none.
func link(t *testing.T, to, at string) {
	t.Helper()
	emulated.Symlink(t, to, at)
}

// TestFilesThatBlock puts named pipes where files belong: opening one to read
// would wait forever.
func TestFilesThatBlock(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	for _, name := range []string{"config.json", "memories/mem_00000002.md", "clone/stats.json", "clone/state.json",
		"clone/log.jsonl", "tree/undo.jsonl", "tree/cache/memories.bin"} {
		require.NoError(t, os.RemoveAll(f.path(name)))
		if err := exec.Command("mkfifo", f.path(name)).Run(); err != nil {
			t.Logf("no named pipes on this system: %v", err)
			return
		}
	}
	s := f.reopen()
	require.Len(t, topics(t, s), 1)
	require.NoError(t, s.Update(context.Background(), store.UpdateOptions{Wait: patience}, func(tx *store.Tx) error {
		_, stateErr := tx.State()
		require.Error(t, stateErr)
		return tx.WriteMemory("mem_00000003", fileOf("mem_00000003", "three"))
	}))
	require.Contains(t, topics(t, s), memory.ID("mem_00000003"))

	for _, name := range []string{"clone/trust", "clone/lock"} {
		require.NoError(t, os.Remove(f.path(name)))
		require.NoError(t, exec.Command("mkfifo", f.path(name)).Run())
		err := s.Update(context.Background(), store.UpdateOptions{Wait: patience}, func(tx *store.Tx) error {
			return tx.WriteMemory("mem_00000004", fileOf("mem_00000004", "four"))
		})
		require.Error(t, err, name)
	}
	require.NotContains(t, topics(t, s), memory.ID("mem_00000004"))
}

func TestArchiveFileNeverReplaces(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	for i, text := range []string{"first", "second", "third"} {
		f.write("memories/notes.md", text)
		require.NoError(t, f.update(func(tx *store.Tx) error {
			_, err := tx.ArchiveFile("memories/notes.md")
			return err
		}))
		require.Equal(t, text, f.read("archives/notes.md"+[]string{"", ".1", ".2"}[i]))
	}
	for _, bad := range []string{"memories/../state.json", "state.json", "memories/..", "../x", "memories/",
		"archives"} {
		require.Error(t, f.update(func(tx *store.Tx) error { return tx.RemoveFile(bad) }), bad)
	}
}

func TestUpdateStopsAtAnError(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	require.NoError(t, f.update(func(tx *store.Tx) error {
		state, err := tx.State()
		state.SessionCount = 7
		tx.SetState(state)
		return err
	}))
	err := f.update(func(tx *store.Tx) error {
		tx.SetState(&store.State{})
		return fmt.Errorf("no")
	})
	require.EqualError(t, err, "no")
	require.Contains(t, f.read("clone/state.json"), `"session_count": 7`)
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"version":1,"memories":{"mem_00000001":{"topic":"a","tags":["b"],"phase":0,"difficulty":0.5,"created_at":"x"}}}`))
	f.Add([]byte(`{"version":1,"session_count":2,"sessions":{"a":null,"b":{"tool_failures":1}},"current_session":{"id":"b"},"config":{"x":[]}}`))
	f.Add([]byte(`{"version":99}`))
	f.Add([]byte("ltm-scan\x01\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		fx := newStore(t)
		for _, dir := range []string{"memories", "clone/", "tree/cache"} {
			require.NoError(t, os.MkdirAll(fx.path(dir), 0o755))
		}
		for _, name := range []string{"index.json", "clone/stats.json", "clone/state.json", "tree/cache/memories.bin"} {
			fx.write(name, string(data))
		}
		require.NoError(t, fx.View(func(v *store.View) error {
			_, err := v.Memories()
			require.NoError(t, err)
			for _, read := range []func() error{
				func() error { _, err := v.Index(); return err },
				func() error { _, err := v.Stats(); return err },
				func() error { _, err := v.State(); return err },
			} {
				if err := read(); err != nil {
					require.NotEmpty(t, memory.CodeOf(err))
				}
			}
			return nil
		}))
	})
}
