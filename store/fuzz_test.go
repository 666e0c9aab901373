package store_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

// entriesOf reads an index as any reader of JSON would; nil: it is none of this
// version.
func entriesOf(data []byte) map[memory.ID]store.IndexEntry {
	var v struct {
		Version  int
		Memories map[memory.ID]*store.IndexEntry
	}
	if json.Unmarshal(data, &v) != nil || v.Version > 1 {
		return nil
	}
	entries := map[memory.ID]store.IndexEntry{}
	for id, e := range v.Memories {
		if e != nil {
			entries[id] = *e
		}
	}
	return entries
}

func sameEntries(a, b map[memory.ID]store.IndexEntry) bool {
	return maps.EqualFunc(a, b, store.IndexEntry.Equal)
}

// FuzzMergeIndexes merges whatever git finds in three versions of an index: the
// result is an index in its one form, a side that says nothing new changes
// nothing, and but for what both sides changed it is the same from either side.
func FuzzMergeIndexes(f *testing.F) {
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte) {
		merged, err := store.MergeIndexes(base, ours, theirs)
		if err != nil {
			require.Equal(t, memory.CodeConflict, memory.CodeOf(err), "of a newer version")
			return
		}
		require.True(t, utf8.Valid(merged))
		got := entriesOf(merged)
		require.NotNil(t, got, "%s", merged)
		require.Equal(t, string(merged), string(merge(t, merged, merged, merged)), "the form is the only one")

		b, o, th := entriesOf(base), entriesOf(ours), entriesOf(theirs)
		if o == nil {
			o = b
		}
		if th == nil {
			th = b
		}
		require.True(t, sameEntries(th, entriesOf(merge(t, base, base, theirs))), "only they changed something")
		require.True(t, sameEntries(o, entriesOf(merge(t, base, ours, base))), "only we changed something")
		require.True(t, sameEntries(o, entriesOf(merge(t, base, ours, ours))), "both did the same")

		swapped := entriesOf(merge(t, base, theirs, ours))
		require.ElementsMatch(t, slices.Collect(maps.Keys(got)), slices.Collect(maps.Keys(swapped)))
		for id, e := range got {
			mine, inOurs := o[id]
			other, inTheirs := th[id]
			require.True(t, inOurs && mine.Equal(e) || inTheirs && other.Equal(e), "%q is of neither side", id)
			if was, inBase := b[id]; inOurs && inTheirs && !mine.Equal(other) && !(inBase && (was.Equal(mine) || was.Equal(other))) {
				require.True(t, mine.Equal(e) && other.Equal(swapped[id]), "both changed %q: ours counts", id)
			} else {
				require.True(t, e.Equal(swapped[id]), "%q depends on the side", id)
			}
		}
	})
}

// FuzzLog reads any bytes as the log, and adds to it: what is added is found, and
// the log stays bounded.
func FuzzLog(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte, limit int) {
		fx := newStore(t)
		require.NoError(t, fx.update(func(*store.Tx) error { return nil }))
		fx.write(".log.jsonl", string(data))
		newest := func(limit int) (events []memory.Event) {
			require.NoError(t, fx.View(func(v *store.View) (err error) {
				events, err = v.Log(limit)
				return err
			}))
			return events
		}
		before := newest(limit)
		require.LessOrEqual(t, len(before), max(0, limit))
		for _, e := range before {
			require.NotEmpty(t, e.Action)
			require.True(t, utf8.ValidString(e.Action+e.Topic+e.Why+string(e.ID)))
		}
		added := memory.Event{Time: fx.now.UTC().Truncate(time.Second), Action: "stored", ID: "mem_00000001", Topic: "a \"line\"\nof text"}
		require.NoError(t, fx.update(func(tx *store.Tx) error {
			tx.Log(added)
			return nil
		}))
		require.Equal(t, []memory.Event{added}, newest(1))
		require.LessOrEqual(t, len(fx.read(".log.jsonl")), 256<<10)
	})
}

// volatile is a file that a change replaces: how it is read and written back.
type volatile struct {
	name    string
	through func(tx *store.Tx) error // reads, and writes what it read
	read    func(v *store.View) error
}

// requireKept holds a file of any bytes to what is promised: of a newer version
// it is left as it is, when damaged it is kept beside the new one, and a sound
// one is written in one form, in which it says the same again.
func (c volatile) requireKept(t *testing.T, data []byte) {
	t.Helper()
	fx := newStore(t)
	require.NoError(t, fx.update(func(*store.Tx) error { return nil }))
	fx.write(c.name, string(data))
	readErr := fx.View(c.read)
	err := fx.update(c.through)
	switch memory.CodeOf(readErr) {
	case memory.CodeConflict:
		require.Equal(t, memory.CodeConflict, memory.CodeOf(err))
		require.Equal(t, string(data), fx.read(c.name))
		return
	case memory.CodeUnreadable:
		require.NoError(t, err)
		require.Equal(t, string(data), fx.read("."+c.name+".damaged"))
	default:
		require.NoError(t, readErr)
		require.NoError(t, err)
	}
	once := fx.read(c.name)
	require.True(t, json.Valid([]byte(once)))
	require.True(t, utf8.ValidString(once) || !utf8.Valid(data), "values that are not known keep their bytes")
	require.NoError(t, fx.View(c.read))
	require.NoError(t, fx.update(c.through))
	require.Equal(t, once, fx.read(c.name))
}

func FuzzState(f *testing.F) {
	c := volatile{"state.json",
		func(tx *store.Tx) error {
			state, _ := tx.State()
			tx.SetState(state)
			return nil
		},
		func(v *store.View) error {
			state, err := v.State()
			for id, session := range state.Sessions {
				if session == nil || session.ID != id {
					panic("a session without its id")
				}
			}
			return err
		}}
	f.Fuzz(func(t *testing.T, data []byte) { c.requireKept(t, data) })
}

func FuzzStats(f *testing.F) {
	c := volatile{"stats.json",
		func(tx *store.Tx) error {
			stats, _ := tx.Stats()
			tx.SetStats(stats)
			return nil
		},
		func(v *store.View) error {
			_, err := v.Stats()
			return err
		}}
	f.Fuzz(func(t *testing.T, data []byte) { c.requireKept(t, data) })
}

// FuzzSharedConfig reads any bytes as the team's settings: what was read is
// written back to say the same, and a file that cannot be read is left alone.
func FuzzSharedConfig(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		fx := newStore(t)
		require.NoError(t, fx.update(func(*store.Tx) error { return nil }))
		fx.write("config.json", string(data))
		var config map[string]json.RawMessage
		readErr := fx.View(func(v *store.View) (err error) {
			config, err = v.SharedConfig()
			return err
		})
		require.NotNil(t, config)
		err := fx.update(func(tx *store.Tx) error {
			config["max_memories"] = json.RawMessage("7")
			return tx.WriteSharedConfig(config)
		})
		if readErr != nil {
			require.Equal(t, memory.CodeOf(readErr), memory.CodeOf(err))
			require.Equal(t, string(data), fx.read("config.json"))
			return
		}
		require.NoError(t, err)
		require.NoError(t, fx.View(func(v *store.View) error {
			again, err := v.SharedConfig()
			require.Len(t, again, len(config))
			for key, value := range config {
				require.Equal(t, compact(t, value), compact(t, again[key]))
			}
			return err
		}))
	})
}

// compact is a text of JSON without blanks; its numbers stay as they are written.
func compact(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, json.Compact(&b, raw))
	return b.String()
}

// FuzzTrust reads any bytes as the record of what was written here; FOLDER in
// them stands for what no repository can know. A memory counts only when its
// hash stands in the record, and what is written is known from then on.
func FuzzTrust(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		fx := newStore(t)
		fx.put("mem_00000001", "one")
		var made struct{ Folder string }
		require.NoError(t, json.Unmarshal([]byte(fx.read(".trust.json")), &made))
		data = bytes.ReplaceAll(data, []byte("FOLDER"), []byte(made.Folder))
		fx.write(".trust.json", string(data))
		held := func(s *store.Store, id memory.ID, content []byte) (held bool) {
			_ = s.View(func(v *store.View) error {
				trust, err := v.Trust()
				held = trust.Holds(id, content)
				require.True(t, !held || trust.Knows(id))
				require.False(t, held && err != nil, "a record that cannot be read is empty")
				return nil
			})
			return held
		}
		own, other := fileOf("mem_00000001", "one"), fileOf("mem_00000002", "two")
		for id, content := range map[memory.ID][]byte{"mem_00000001": own, "mem_00000002": other, "": nil, "\n    \"": {0}} {
			if held(fx.Store, id, content) {
				require.Contains(t, string(data), "\""+made.Folder+"\"", "it was made elsewhere")
			}
		}
		if fx.update(func(tx *store.Tx) error { return tx.Approve("mem_00000002", other) }) == nil {
			require.True(t, held(fx.reopen(), "mem_00000002", other))
			require.False(t, held(fx.reopen(), "mem_00000002", own))
		} else {
			require.Equal(t, string(data), fx.read(".trust.json"))
		}
	})
}
