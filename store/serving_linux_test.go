package store_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

// served is the store of a process that outlives its answers, with one memory and a state, stats and settings.
func served(t *testing.T, places store.Places) *fixture {
	t.Helper()
	f := storeAt(t, places)
	f.Store = store.New(places, time.Now)
	f.put("mem_00000001", "one")
	require.NoError(t, f.update(func(tx *store.Tx) error {
		tx.SetState(&store.State{SessionCount: 1})
		tx.SetStats(store.Stats{"mem_00000001": {AccessCount: 1}})
		return tx.WriteTeamConfig(map[string]json.RawMessage{"max_memories": json.RawMessage("1")})
	}))
	f.Serve()
	return f
}

// seen is what a view of a store shows.
type seen struct {
	exists               bool
	sessions, accesses   int
	limit, topic, damage string
}

func see(t *testing.T, s *store.Store) seen {
	t.Helper()
	var got seen
	require.NoError(t, s.View(func(v *store.View) error {
		state, err := v.State()
		if err != nil {
			got.damage = err.Error()
		}
		stats, err := v.Stats()
		require.NoError(t, err)
		team, err := v.TeamConfig()
		require.NoError(t, err)
		snapshot, err := v.Memories()
		require.NoError(t, err)
		r, _ := snapshot.Find("mem_00000001")
		got.exists, got.sessions, got.accesses = v.Exists(), state.SessionCount, stats["mem_00000001"].AccessCount
		got.limit, got.topic = string(team["max_memories"]), r.Topic
		return nil
	}))
	return got
}

// layouts are the places that a served store can have: those of a project in a repository, and
// those of a person's own.
func layouts(t *testing.T) map[string]store.Places {
	own := filepath.Join(t.TempDir(), "own")
	local := filepath.Join(own, store.LocalFolder)
	tree := placesIn(t.TempDir())
	tree.Tree = tree.Clone
	return map[string]store.Places{"project": placesIn(t.TempDir()), "main work tree": tree,
		"own": {Store: own, Tree: local, Clone: local, Key: filepath.Join(own, "trust.key"),
			Local: true, Named: true, Own: true}}
}

// TestTheNextViewSeesEveryChange has someone else change each file between two views of a served
// store. Sizes and time stamps stay the same wherever that is possible.
func TestTheNextViewSeesEveryChange(t *testing.T) {
	const state, stats = `{"version":1,"session_count":%}`, `{"version":1,"memories":{"mem_00000001":{"access_count":%}}}`
	const config = `{"version":1,"config":{"max_memories":%}}`
	for name, places := range layouts(t) {
		t.Run(name, func(t *testing.T) {
			f := served(t, places)
			before := seen{exists: true, sessions: 1, accesses: 1, limit: "1", topic: "one"}
			require.Equal(t, before, see(t, f.Store))
			require.Equal(t, before, see(t, f.Store))
			for _, c := range []struct {
				file, text string
				part       *string
				number     *int
			}{{"clone/state.json", state, nil, &before.sessions}, {"clone/stats.json", stats, nil, &before.accesses},
				{"config.json", config, &before.limit, nil}} {
				for i, write := range []func(name, text string){f.write, f.replace, f.replace, f.write} {
					digit := string(rune('2' + i))
					old, err := os.Stat(f.path(c.file))
					require.NoError(t, err)
					write(c.file, strings.Replace(c.text, "%", digit, 1))
					require.NoError(t, os.Chtimes(f.path(c.file), old.ModTime(), old.ModTime()))
					if c.part != nil {
						*c.part = digit
					} else {
						*c.number = 2 + i
					}
					require.Equal(t, before, see(t, f.Store), c.file)
					require.Equal(t, before, see(t, f.Store), c.file)
				}
			}
			f.write("memories/mem_00000001.md", string(fileOf("mem_00000001", "two")))
			before.topic = "two"
			require.Equal(t, before, see(t, f.Store))
			other := f.reopen()
			require.NoError(t, other.Update(t.Context(), store.UpdateOptions{Wait: patience},
				func(tx *store.Tx) error {
					tx.SetState(&store.State{SessionCount: 9})
					return tx.WriteMemory("mem_00000001", fileOf("mem_00000001", "six"))
				}))
			before.sessions, before.topic = 9, "six"
			require.Equal(t, before, see(t, f.Store))
			require.NoError(t, f.Update(t.Context(), store.UpdateOptions{Wait: patience},
				func(tx *store.Tx) error { tx.SetState(&store.State{SessionCount: 8}); return nil }))
			before.sessions = 8
			require.Equal(t, before, see(t, f.Store), "its own changes too")
		})
	}
}

// replace puts another file in the place of one.
func (f *fixture) replace(name, text string) {
	f.t.Helper()
	other := f.path(name) + ".new"
	require.NoError(f.t, os.WriteFile(other, []byte(text), 0o644))
	require.NoError(f.t, os.Rename(other, f.path(name)))
}

// TestTheNextViewSeesADamagedFile damages, removes and repairs what was read.
func TestTheNextViewSeesADamagedFile(t *testing.T) {
	for name, places := range layouts(t) {
		t.Run(name, func(t *testing.T) {
			f := served(t, places)
			sound := see(t, f.Store)
			text := f.read("clone/state.json")
			f.replace("clone/state.json", "{")
			for range 3 {
				require.Contains(t, see(t, f.Store).damage, "damaged")
			}
			f.write("clone/state.json", text)
			require.Equal(t, sound, see(t, f.Store))
			require.NoError(t, os.Remove(f.path("clone/state.json")))
			require.Zero(t, see(t, f.Store).sessions)
			f.write("clone/state.json", text)
			require.Equal(t, sound, see(t, f.Store))
		})
	}
}

// TestTheNextViewSeesAnotherDirectory moves directories of a served store away, puts others in
// their place, and moves them back.
func TestTheNextViewSeesAnotherDirectory(t *testing.T) {
	for name := range layouts(t) {
		for what, of := range map[string]func(*fixture) string{
			"store":    func(f *fixture) string { return f.dir },
			"above":    func(f *fixture) string { return filepath.Dir(f.dir) },
			"memories": func(f *fixture) string { return f.path("memories") },
			"clone":    func(f *fixture) string { return f.places.Clone },
		} {
			t.Run(name+" "+what, func(t *testing.T) {
				f := served(t, layouts(t)[name])
				before := see(t, f.Store)
				dir, away := of(f), filepath.Join(t.TempDir(), "away")
				for range 3 {
					require.Equal(t, before, see(t, f.Store))
					require.NoError(t, os.Rename(dir, away))
					gone := see(t, f.Store)
					require.Equal(t, see(t, f.reopen()), gone)
					require.NotEqual(t, before, gone)
					require.NoError(t, os.RemoveAll(dir)) // a look can have made it again, for caches
					require.NoError(t, os.CopyFS(dir, os.DirFS(away)))
					require.Equal(t, before, see(t, f.Store))
					f.write("clone/state.json", `{"version":1,"session_count":7}`)
					f.write("memories/mem_00000001.md", string(fileOf("mem_00000001", "two")))
					require.Equal(t, seen{exists: true, sessions: 7, accesses: 1, limit: "1", topic: "two"},
						see(t, f.Store))
					require.NoError(t, os.RemoveAll(dir))
					require.NoError(t, os.Rename(away, dir))
					before = see(t, f.reopen())
				}
			})
		}
	}
}

// TestALinkInPlaceOfADirectoryIsSeen leads the way to a served store out of the project, to the
// same directory.
func TestALinkInPlaceOfADirectoryIsSeen(t *testing.T) {
	f := served(t, layouts(t)["project"])
	require.True(t, see(t, f.Store).exists)
	away := filepath.Join(t.TempDir(), "away")
	require.NoError(t, os.Rename(filepath.Dir(f.dir), away))
	require.NoError(t, os.Symlink(away, filepath.Dir(f.dir)))
	require.Error(t, f.View(func(*store.View) error { return nil }))
}

// TestViewsAtTheSameTime reads a served store from several goroutines while another process
// changes it and moves it: each sees a state that was there, and the last one the last.
func TestViewsAtTheSameTime(t *testing.T) {
	f := served(t, layouts(t)["own"])
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				assert.NoError(t, f.View(func(v *store.View) error {
					state, err := v.State()
					if !v.Exists() {
						return nil
					}
					snapshot, err2 := v.Memories()
					if err2 == nil && len(snapshot.Records) > 0 {
						_, _ = v.Read("mem_00000001")
					}
					assert.LessOrEqual(t, state.SessionCount, 200)
					return err
				}))
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := range 200 {
		f.replace("clone/state.json", fmt.Sprintf(`{"version":1,"session_count":%d}`, i+1))
		if i%20 == 0 {
			require.NoError(t, os.Rename(f.dir, f.dir+".away"))
			require.NoError(t, os.Rename(f.dir+".away", f.dir))
		}
		require.Equal(t, i+1, see(t, f.Store).sessions)
	}
	close(done)
	readers.Wait()
}

// TestViewsGoOnWithABatch interrupts a batch while a store is served, and while another
// process has the lock.
func TestViewsGoOnWithABatch(t *testing.T) {
	for name, places := range layouts(t) {
		t.Run(name, func(t *testing.T) {
			f := served(t, places)
			for _, topic := range []string{"two", "three"} {
				was := see(t, f.Store).topic
				f.interrupted([3]string{"mem_00000001.md", topic, was})
				require.NoError(t, f.reopen().Update(t.Context(), store.UpdateOptions{Wait: patience},
					func(*store.Tx) error {
						require.Equal(t, was, see(t, f.Store).topic)
						require.Equal(t, was, see(t, f.Store).topic)
						return nil
					}))
				require.Eventually(t, func() bool { // a view waits 10 ms for the lock
					return see(t, f.Store).topic == topic
				}, patience, time.Millisecond)
			}
		})
	}
}

// TestTheNextViewSeesOlderCounters changes counters in the work tree, which count as long as the
// clone has none.
func TestTheNextViewSeesOlderCounters(t *testing.T) {
	f := storeAt(t, layouts(t)["project"])
	f.put("mem_00000001", "one")
	f.Serve()
	for i, name := range []string{"state.json", ".local/state.json", ".local/state.json", "clone/state.json"} {
		require.NoError(t, os.MkdirAll(f.path(".local"), 0o755))
		f.write(name, fmt.Sprintf(`{"version":1,"session_count":%d}`, i+1))
		require.Equal(t, i+1, see(t, f.Store).sessions)
		require.Equal(t, i+1, see(t, f.Store).sessions)
	}
}

// TestAStoreThatComesIsSeen makes the store of a server, and what leads to it, in steps, and takes
// them away again.
func TestAStoreThatComesIsSeen(t *testing.T) {
	for name, places := range layouts(t) {
		t.Run(name, func(t *testing.T) {
			from := served(t, layouts(t)[name])
			f := storeAt(t, places)
			f.Serve()
			exists := func() bool {
				t.Helper()
				require.Equal(t, see(t, f.reopen()), see(t, f.Store))
				return see(t, f.Store).exists
			}
			for range 3 {
				require.False(t, exists())
				require.NoError(t, os.MkdirAll(filepath.Dir(f.dir), 0o755))
				require.False(t, exists())
				require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(f.dir), "notes"), nil, 0o644))
				require.False(t, exists())
				if places.Named {
					require.NoError(t, os.Mkdir(f.dir, 0o755))
					require.False(t, exists())
					f.write("trust.key", "")
					require.False(t, exists())
				}
				require.NoError(t, os.CopyFS(f.dir, os.DirFS(filepath.Join(from.dir, "memories"))))
				require.NoError(t, os.RemoveAll(f.dir))
				require.NoError(t, os.CopyFS(f.dir, os.DirFS(from.dir)))
				require.True(t, exists())
				require.NoError(t, os.RemoveAll(f.dir))
				require.False(t, exists())
				require.NoError(t, os.Symlink(t.TempDir(), f.dir+".away"))
				require.NoError(t, os.Remove(f.dir+".away"))
				require.False(t, exists())
			}
		})
	}
}

// TestAStoreComesWhereALinkLeads has a store come where a link already leads.
func TestAStoreComesWhereALinkLeads(t *testing.T) {
	f := storeAt(t, layouts(t)["own"])
	away := filepath.Join(t.TempDir(), "away")
	require.NoError(t, os.Symlink(away, f.dir))
	f.Serve()
	require.False(t, see(t, f.Store).exists)
	require.NoError(t, os.MkdirAll(filepath.Join(away, "memories"), 0o755))
	require.True(t, see(t, f.Store).exists)
}

// TestAServerSeesWhatTimesHide changes files so that their sizes and the times that programs can set
// are the same as before, as is the directory's time.
func TestAServerSeesWhatTimesHide(t *testing.T) {
	f := newStore(t)
	f.Store = store.New(f.places, time.Now)
	for i := range 5 {
		f.put(memory.ID(fmt.Sprintf("mem_%08x", i)), "one")
	}
	long := time.Now().Add(-time.Hour)
	for i := range 5 {
		require.NoError(t, os.Chtimes(f.path(fmt.Sprintf("memories/mem_%08x.md", i)), long, long))
	}
	f.Serve()
	name, folder := f.path("memories/mem_00000002.md"), f.path("memories")
	require.Len(t, topics(t, f.Store), 5)
	for _, topic := range []string{"two", "six", "ten"} {
		for before := changeTime(t, name); before == changeTime(t, name); { // once the system's clock has ticked
			f.write("memories/mem_00000002.md", string(fileOf("mem_00000002", topic))) // in place
			require.NoError(t, os.Chtimes(name, long, long))
		}
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

// TestAServerLooksAtEveryFile edits a file in place; the server's look is a quick one.
func TestAServerLooksAtEveryFile(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	long := time.Now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(f.path("memories"), long, long))
	require.Equal(t, "one", topics(t, f.reopen())["mem_00000001"])
	f.write("memories/mem_00000001.md", string(fileOf("mem_00000001", "edited")))
	s := f.reopen()
	s.Serve()
	require.Equal(t, "edited", quickTopics(t, s)["mem_00000001"])
}

// changeTime returns when the system noted the last change of a file.
func changeTime(t *testing.T, name string) syscall.Timespec {
	t.Helper()
	info, err := os.Stat(name)
	require.NoError(t, err)
	return info.Sys().(*syscall.Stat_t).Ctim
}
