package store

import (
	"encoding/json"
	"maps"
	"strings"

	"ltm/internal/atomicfile"
	"ltm/memory"
)

// configFile has the settings that a team shares. Git tracks it.
const configFile = "config.json"

type configJSON struct {
	Version int                        `json:"version"`
	Config  map[string]json.RawMessage `json:"config"`

	rest map[string]json.RawMessage // what people wrote beside them, which ltm does not read
}

func decodeConfig(data []byte) (configJSON, error) {
	var c configJSON
	if err := decodeVersioned(configFile, data, &c, &c.Version); err != nil {
		return configJSON{}, err
	}
	_ = json.Unmarshal(data, &c.rest) // it is an object, or null
	maps.DeleteFunc(c.rest, func(key string, _ json.RawMessage) bool {
		return strings.EqualFold(key, "version") || strings.EqualFold(key, "config")
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
	if c.Config == nil {
		whole["config"] = struct{}{}
	}
	for key, value := range c.rest {
		whole[key] = value
	}
	return encodeJSON(whole)
}

// TeamConfig returns the settings in config.json. For a damaged file it returns an
// empty value and an error. Callers do not change it.
func (v *View) TeamConfig() (map[string]json.RawMessage, error) {
	return v.team.get(func() (map[string]json.RawMessage, error) {
		pick := func(s *small) *once[map[string]json.RawMessage] { return &s.team }
		return shared(v, pick, func() (map[string]json.RawMessage, bool, error) {
			team, err := v.readTeamConfig()
			return team, true, err
		})
	})
}

func (v *View) readTeamConfig() (map[string]json.RawMessage, error) {
	empty := map[string]json.RawMessage{}
	if v.root == nil {
		return empty, nil
	}
	c, err := readVersioned(v.root, configFile, configJSON{}, decodeConfig)
	if c.Config == nil {
		return empty, err
	}
	return c.Config, err
}

// WriteTeamConfig replaces the settings in config.json, or removes it if nothing is left in it. It does
// not replace a damaged one, since people edit this file, and keeps what they wrote beside the settings.
func (tx *Tx) WriteTeamConfig(config map[string]json.RawMessage) error {
	if _, err := tx.TeamConfig(); err != nil {
		return err
	}
	now, err := readVersioned(tx.root, configFile, configJSON{}, decodeConfig)
	if err != nil {
		return err
	}
	tx.team.done = false
	if len(config) == 0 && len(now.rest) == 0 {
		return storageError(atomicfile.Remove(tx.root, configFile), "remove", configFile)
	}
	data, err := configJSON{formatVersion, config, now.rest}.encode()
	if err != nil {
		return err
	}
	return storageError(atomicfile.Replace(tx.root, configFile, data), "write", configFile)
}
