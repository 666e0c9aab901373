package store

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"ltm/internal/fs/atomicfile"
	"ltm/memory"
)

const (
	// configFile has the settings that a team shares. Git tracks it.
	configFile = "config.json"

	storeIDBytes = 16 // random ones, of which a store's id is made
)

type configJSON struct {
	Version int                        `json:"version"`
	Config  map[string]json.RawMessage `json:"config"`
	StoreID string                     `json:"store_id,omitempty"` // what signatures name the store by

	rest map[string]json.RawMessage // what people wrote beside them, which ltm does not read
}

func decodeConfig(data []byte) (configJSON, error) {
	var c configJSON
	if err := decodeVersioned(configFile, data, &c, &c.Version); err != nil {
		return configJSON{}, err
	}
	_ = json.Unmarshal(data, &c.rest) // it is an object, or null
	maps.DeleteFunc(c.rest, func(key string, _ json.RawMessage) bool {
		return slices.ContainsFunc([]string{"version", "config", "store_id"}, func(own string) bool {
			return strings.EqualFold(key, own)
		})
	})
	if c.Config == nil && len(c.rest) > 0 {
		return configJSON{}, memory.NewError(memory.CodeUnreadable, memory.KindFileDamaged, configFile,
			"%s is damaged: it has no object %q, to which the settings belong", configFile, "config")
	}
	return c, nil
}

// encode returns the bytes of the file.
func (c configJSON) encode() ([]byte, error) {
	if len(c.rest) == 0 {
		return encodeJSON(c)
	}
	whole := map[string]any{"version": c.Version, "config": c.Config}
	if c.StoreID != "" {
		whole["store_id"] = c.StoreID
	}
	for key, value := range c.rest {
		whole[key] = value
	}
	return encodeJSON(whole)
}

// TeamConfig returns the settings in config.json. For a damaged file it returns an
// empty value and an error. Callers do not change it.
func (v *View) TeamConfig() (map[string]json.RawMessage, error) {
	c, err := v.configJSON()
	if c.Config == nil {
		return map[string]json.RawMessage{}, err
	}
	return c.Config, err
}

// StoreID returns the id that signatures name the store by, "" if it has none yet. It comes with the
// repository, and can be a copy of another store's.
func (v *View) StoreID() (string, error) {
	c, err := v.configJSON()
	if err == nil && c.StoreID != "" && !memory.IsStoreID(c.StoreID) {
		err = memory.NewError(memory.CodeUnreadable, memory.KindFileDamaged, configFile,
			"%s is damaged: store_id is not 32 hex digits", configFile)
	}
	if err != nil {
		return "", err
	}
	return c.StoreID, nil
}

func (v *View) configJSON() (configJSON, error) {
	return v.team.get(func() (configJSON, error) {
		return readVersioned(v.root, configFile, configJSON{}, decodeConfig)
	})
}

// MakeStoreID returns the id that signatures name the store by. It makes one if there is none.
func (tx *Tx) MakeStoreID() (string, error) {
	id, err := tx.StoreID()
	if id != "" || err != nil {
		return id, err
	}
	random := make([]byte, storeIDBytes)
	_, _ = rand.Read(random) // never fails
	id = hex.EncodeToString(random)
	return id, tx.changeConfigJSON(func(c *configJSON) { c.StoreID = id })
}

// WriteTeamConfig replaces the settings in config.json, or removes it if nothing is left in it. It does
// not replace a damaged one, since people edit this file, and keeps what they wrote beside the settings.
func (tx *Tx) WriteTeamConfig(config map[string]json.RawMessage) error {
	return tx.changeConfigJSON(func(c *configJSON) { c.Config = config })
}

func (tx *Tx) changeConfigJSON(change func(*configJSON)) error {
	now, err := readVersioned(tx.root, configFile, configJSON{}, decodeConfig)
	if err != nil {
		return err
	}
	tx.team.done = false
	now.Version = formatVersion
	if change(&now); now.Config == nil {
		now.Config = map[string]json.RawMessage{}
	}
	if len(now.Config) == 0 && len(now.rest) == 0 && now.StoreID == "" {
		return storageError(atomicfile.Remove(tx.root, configFile), "remove", configFile)
	}
	data, err := now.encode()
	if err != nil {
		return err
	}
	return storageError(atomicfile.Replace(tx.root, configFile, data), "write", configFile)
}
