package engine

import (
	"ltm/memory"
	"ltm/store"
)

// writeIndex brings index.json up to date. One of a newer version is left alone,
// and check names it: the memories were written before, so it is no reason to fail.
func writeIndex(tx *store.Tx) error {
	if err := tx.WriteIndex(); memory.CodeOf(err) != memory.CodeConflict {
		return err
	}
	return nil
}
