package store_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store"
)

// TestTeamConfigWithoutItsObject has settings where ltm does not look for them.
func TestTeamConfigWithoutItsObject(t *testing.T) {
	for _, text := range []string{`{"max_memories": 50}`, `{"version": 1, "max_memories": 50}`,
		`{"config": null, "max_memories": 50}`} {
		f := newStore(t)
		f.put("mem_00000001", "one")
		f.write("config.json", text)
		err := f.View(func(v *store.View) error {
			config, err := v.TeamConfig()
			require.Empty(t, config)
			require.NotNil(t, config)
			return err
		})
		require.Equal(t, memory.KindFileDamaged, memory.KindOf(err), text)
		require.ErrorContains(t, err, `it has no object "config", to which the settings belong`)
		err = f.update(func(tx *store.Tx) error {
			return tx.WriteTeamConfig(map[string]json.RawMessage{"max_memories": []byte("7")})
		})
		require.Equal(t, memory.KindFileDamaged, memory.KindOf(err), text)
		require.Equal(t, text, f.read("config.json"))
	}
}

// TestTeamConfigKeepsTheRest changes settings in a file in which people wrote more than ltm reads.
func TestTeamConfigKeepsTheRest(t *testing.T) {
	f := newStore(t)
	f.put("mem_00000001", "one")
	f.write("config.json", `{"$schema": "x.json", "Config": {"nudge": true}, "notes": ["<agreed>", 1.50]}`)
	set := func(config map[string]json.RawMessage) string {
		t.Helper()
		require.NoError(t, f.update(func(tx *store.Tx) error { return tx.WriteTeamConfig(config) }))
		require.NoError(t, f.View(func(v *store.View) error {
			again, err := v.TeamConfig()
			require.Len(t, again, len(config))
			return err
		}))
		return f.read("config.json")
	}
	require.JSONEq(t, `{"version": 1, "$schema": "x.json", "config": {"max_memories": 7}, "notes": ["<agreed>", 1.50]}`,
		set(map[string]json.RawMessage{"max_memories": []byte("7")}))
	require.Contains(t, f.read("config.json"), `"<agreed>"`)
	require.Contains(t, f.read("config.json"), `1.50`)
	for _, none := range []map[string]json.RawMessage{nil, {}} {
		require.JSONEq(t, `{"version": 1, "$schema": "x.json", "config": {}, "notes": ["<agreed>", 1.50]}`, set(none))
	}
}

// TestStoreID is made once, beside the settings, and does not come and go with them.
func TestStoreID(t *testing.T) {
	f := newStore(t)
	id := func() (id string) {
		t.Helper()
		require.NoError(t, f.View(func(v *store.View) (err error) {
			id, err = v.StoreID()
			return err
		}))
		return id
	}
	require.Empty(t, id())
	f.put("mem_00000001", "one")
	f.write("config.json", `{"config": {"max_memories": 7}, "notes": 1}`)
	var made string
	require.NoError(t, f.update(func(tx *store.Tx) (err error) {
		if made, err = tx.MakeStoreID(); err != nil {
			return err
		}
		again, err := tx.MakeStoreID()
		require.Equal(t, made, again)
		return err
	}))
	require.True(t, memory.IsStoreID(made))
	require.Equal(t, made, id())
	require.JSONEq(t, `{"version": 1, "config": {"max_memories": 7}, "notes": 1, "store_id": "`+made+`"}`,
		f.read("config.json"))
	require.NoError(t, f.update(func(tx *store.Tx) error { return tx.WriteTeamConfig(nil) }))
	require.Equal(t, made, id())
	f.write("config.json", `{"version": 1, "store_id": "`+made+`"}`)
	require.NoError(t, f.update(func(tx *store.Tx) error { return tx.WriteTeamConfig(nil) }))
	require.JSONEq(t, `{"version": 1, "config": {}, "store_id": "`+made+`"}`, f.read("config.json"))

	for _, text := range []string{`{"config": {}, "store_id": "../x"}`, `{"config": {}, "store_id": 7}`,
		"<<<<<<< ours\n{}\n"} {
		f.write("config.json", text)
		err := f.update(func(tx *store.Tx) error {
			_, err := tx.MakeStoreID()
			return err
		})
		require.Equal(t, memory.KindFileDamaged, memory.KindOf(err), text)
		require.Equal(t, text, f.read("config.json"))
	}
}
