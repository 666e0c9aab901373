package engine

import (
	"ltm/memory"
)

// writeIndex brings index.json up to date. A file of a newer version is left alone, and check
// reports it. The memories are already written by then, so this is not a reason to fail.
func writeIndex(tx *changing) error {
	if err := tx.WriteIndex(); memory.CodeOf(err) != memory.CodeConflict {
		return err
	}
	return nil
}
