package store

import (
	"encoding/json"

	"ltm/internal/atomicfile"
)

// configFile has the settings that a team shares. Git tracks it.
const configFile = "config.json"

type configJSON struct {
	Version int                        `json:"version"`
	Config  map[string]json.RawMessage `json:"config"`
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
	return readVersioned(v.root, configFile, empty, func(data []byte) (map[string]json.RawMessage, error) {
		var c configJSON
		if err := decodeVersioned(configFile, data, &c, &c.Version); err != nil {
			return nil, err
		}
		if c.Config == nil {
			return empty, nil
		}
		return c.Config, nil
	})
}

// WriteTeamConfig replaces config.json, or removes it if nothing is set. It does not
// replace a damaged one, since people edit this file.
func (tx *Tx) WriteTeamConfig(config map[string]json.RawMessage) error {
	if _, err := tx.TeamConfig(); err != nil {
		return err
	}
	tx.team.done = false
	if len(config) == 0 {
		return storageError(atomicfile.Remove(tx.root, configFile), "remove", configFile)
	}
	data, err := encodeJSON(configJSON{formatVersion, config})
	if err != nil {
		return err
	}
	return storageError(atomicfile.Replace(tx.root, configFile, data), "write", configFile)
}
