package engine

import (
	"context"

	"ltm/memory"
	"ltm/store"
)

// Versions are the texts of a memory that the store has.
type Versions struct {
	Now      []byte   // the memory's file or its stub, or nil
	Archived [][]byte // the newest first
}

// Versions returns the bytes of a memory's file and of its archived versions, even if they cannot
// be parsed. Both may be empty, for a memory that only version control knows.
func (e *Engine) Versions(_ context.Context, id string) (memory.ID, Versions, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return "", Versions{}, err
	}
	var found Versions
	err = e.store.View(func(v *store.View) error {
		if found.Now, err = v.ReadRaw(parsed); err != nil && !isMissing(err) {
			return err
		}
		names, err := v.ArchiveNames(parsed)
		if err != nil {
			return err
		}
		for _, name := range names {
			data, err := v.ReadBytes(store.ArchivePath(name))
			if err != nil {
				return err
			}
			if data != nil {
				found.Archived = append(found.Archived, data)
			}
		}
		return nil
	})
	return parsed, found, err
}
