package find

import (
	"context"

	"ltm/engine/base"
	"ltm/memory"
	"ltm/memory/memfile"
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
	err = e.Store.View(func(v *store.View) error {
		if found.Now, err = v.ReadRaw(parsed); err != nil && !base.IsMissing(err) {
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

// File returns the bytes of a memory's file for a person to edit, even if they cannot be parsed as a memory.
func (e *Engine) File(_ context.Context, id string) (memory.ID, []byte, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return "", nil, err
	}
	var data []byte
	err = e.Store.View(func(v *store.View) error {
		data, err = v.ReadRaw(parsed)
		// a person resolves a merge with a stub
		stub := memfile.IsStubFile(data) && len(memfile.Sides(data)) < 2
		if (base.IsMissing(err) || stub) && v.HasArchive(parsed) {
			return base.OnlyArchived(v, parsed, memory.KindEditArchived)
		}
		return err
	})
	return parsed, data, err
}

// Holds reports whether the store has a memory, a stub or an archive of that id. It is false for
// a text that is not an id, and for a store that cannot be read.
func (e *Engine) Holds(_ context.Context, id string) bool {
	holds, err := base.Read(e.Store, id, func(v *store.View, id memory.ID) (bool, error) {
		return v.Taken(id) || v.HasArchive(id), nil
	})
	return err == nil && holds
}

// History returns at most limit of the last changes in this clone of the memory of that id, or of all if it is empty,
// the newest first.
func (e *Engine) History(_ context.Context, of memory.ID, limit int) (memory.History, error) {
	var h memory.History
	err := e.Store.View(func(v *store.View) (err error) {
		h.Events, err = v.Log(of, limit)
		marks := e.OriginsIn(v)
		for i, event := range h.Events {
			h.Events[i].Foreign = event.Topic != "" && event.ID != "" && marks.ForeignAnywhere(event.ID)
		}
		return err
	})
	return h, err
}
