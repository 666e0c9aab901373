package engine

import (
	"encoding/json"

	"ltm/memory"
	"ltm/store"
)

// The settings about what is written into the files that a team shares.
const (
	fadingKey   = "fading"
	fadingView  = "view"
	fadingFiles = "files"

	trackIndexKey = "track_index"
)

// fading says where a memory's phase is kept.
func fading() setting {
	return setting{
		key: fadingKey, help: "where memories fade: in the view of each clone, or in the files that all share",
		fallback: fadingView, words: []string{fadingView, fadingFiles}, team: true,
		apply: func(s *Settings, v any) { s.FadeFiles = v == fadingFiles },
	}
}

// trackedIndex says whether index.json is written beside the memories.
func trackedIndex() setting {
	return setting{
		key: trackIndexKey, help: "write index.json beside the memories, for other programs; git tracks it",
		fallback: switchOff, words: []string{switchOff, switchOn}, team: true,
		apply: func(*Settings, any) {},
	}
}

// trackIndex reports whether the shared settings ask for index.json.
func trackIndex(shared map[string]json.RawMessage) bool {
	v, ok := trackedIndex().decode(shared[trackIndexKey])
	return ok && v == switchOn
}

// applyTrackIndex writes index.json when that was just turned on. Turned off, it is
// left to people: it may be tracked.
func applyTrackIndex(tx *store.Tx, shared map[string]json.RawMessage) error {
	if !trackIndex(shared) {
		return nil
	}
	return writeIndex(tx)
}

// writeIndex brings index.json up to date. One of a newer version is left alone,
// and check names it: the memories were written before, so it is no reason to fail.
func writeIndex(tx *store.Tx) error {
	if err := tx.WriteIndex(); memory.CodeOf(err) != memory.CodeConflict {
		return err
	}
	return nil
}

func teamOnly(k setting) error {
	return memory.Errorf(memory.CodeInvalid, "add --shared; nothing was changed", "%s is about files that everyone shares", k.key)
}
