package store_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

// FuzzLog reads any bytes as the log, and adds to it: what is added is found, and
// the log stays bounded.
func FuzzLog(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte, limit int) {
		fx := newStore(t)
		require.NoError(t, fx.update(func(*store.Tx) error { return nil }))
		fx.write("clone/log.jsonl", string(data))
		newest := func(limit int) (events []memory.Event) {
			require.NoError(t, fx.View(func(v *store.View) (err error) {
				events, err = v.Log("", limit)
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
		added := memory.Event{Time: fx.now.UTC().Truncate(time.Second), Action: "stored", ID: "mem_00000001",
			Topic: "a \"line\"\nof text"}
		require.NoError(t, fx.update(func(tx *store.Tx) error {
			tx.Log(added)
			return nil
		}))
		require.Equal(t, []memory.Event{added}, newest(1))
		require.LessOrEqual(t, len(fx.read("clone/log.jsonl")), 256<<10)
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
		require.Equal(t, string(data), fx.read(c.name+".damaged"))
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
	c := volatile{"clone/state.json",
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
	c := volatile{"clone/stats.json",
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

// FuzzTeamConfig reads any bytes as the team's settings: what was read is
// written back to say the same, and a file that cannot be read is left alone.
func FuzzTeamConfig(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		fx := newStore(t)
		require.NoError(t, fx.update(func(*store.Tx) error { return nil }))
		fx.write("config.json", string(data))
		var config map[string]json.RawMessage
		readErr := fx.View(func(v *store.View) (err error) {
			config, err = v.TeamConfig()
			return err
		})
		require.NotNil(t, config)
		err := fx.update(func(tx *store.Tx) error {
			config["max_memories"] = json.RawMessage("7")
			return tx.WriteTeamConfig(config)
		})
		if readErr != nil {
			require.Equal(t, memory.CodeOf(readErr), memory.CodeOf(err))
			require.Equal(t, string(data), fx.read("config.json"))
			return
		}
		require.NoError(t, err)
		require.NoError(t, fx.View(func(v *store.View) error {
			again, err := v.TeamConfig()
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

// FuzzTrust reads any bytes as the record of what was written here; MAC in them
// is in the place of what only this clone can compute. A memory counts only when its own
// value is in the record, and what is written is known from then on.
func FuzzTrust(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		fx := newStore(t)
		own, other := fileOf("mem_00000001", "one"), fileOf("mem_00000002", "two")
		fx.put("mem_00000001", "one")
		_, mac, _ := strings.Cut(strings.TrimSpace(fx.read("clone/trust")), " ")
		data = bytes.ReplaceAll(data, []byte("MAC"), []byte(mac))
		fx.write("clone/trust", string(data))
		held := func(s *store.Store, id memory.ID, content []byte) (held bool) {
			require.NoError(t, s.View(func(v *store.View) error {
				trust, err := v.Trust()
				held = trust.Holds(id, content)
				require.True(t, !held || trust.Knows(id))
				return err
			}))
			return held
		}
		for id, content := range map[memory.ID][]byte{"mem_00000002": other, "": nil, "all": nil,
			"mem_00000001 ": {0}} {
			require.False(t, held(fx.Store, id, content), "%q", id)
		}
		if held(fx.Store, "mem_00000001", own) {
			require.Contains(t, string(data), mac)
		}
		require.NoError(t, fx.update(func(tx *store.Tx) error { return tx.Approve("mem_00000002", other) }))
		require.True(t, held(fx.reopen(), "mem_00000002", other))
		require.False(t, held(fx.reopen(), "mem_00000002", own))
		require.True(t, strings.HasPrefix(fx.read("clone/trust"), string(data)),
			"lines are added, and none is taken out")
	})
}
