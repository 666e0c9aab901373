package engine

import (
	"context"
	"fmt"

	"ltm/engine/audit"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

// Restore brings a memory back in full, with fresh stats. A memory that was archived or reduced
// comes from the archives, which stay as they are. One that has only faded in the view of this
// clone comes back into view. importance sets its level; if it is empty, the tags stay. Changes
// that were made to the topic, tags and difficulty of a reduced memory are kept.
func (e *Engine) Restore(ctx context.Context, id, importance string) (api.Receipt, error) {
	all, err := e.RestoreAll(ctx, []string{id}, importance)
	if err != nil {
		return api.Receipt{}, err
	}
	return all[0], nil
}

// RestoreAll is Restore for several memories. If one of them cannot be restored, none is.
func (e *Engine) RestoreAll(ctx context.Context, ids []string, importance string) ([]api.Receipt, error) {
	parsed, err := parseIDs(ids)
	if err != nil {
		return nil, err
	}
	var level memory.Importance
	if importance != "" {
		if level, err = memory.ParseImportance(importance); err != nil {
			return nil, err
		}
	}
	receipts := []api.Receipt{}
	err = e.update(ctx, func(tx *changing) error {
		u, state, err := e.usage(tx.View)
		if err != nil {
			return err
		}
		sources := make([]*memfile.File, 0, len(parsed))
		for _, id := range parsed {
			source, err := e.restorable(tx.View, id, u)
			if err != nil {
				return err
			}
			sources = append(sources, source)
		}
		for i, id := range parsed {
			m, err := bringBack(tx, id, sources[i], level, u)
			if err != nil {
				return err
			}
			delete(u.stats, id)
			u.touch(m, tx.now)
			tx.SetStats(u.stats)
			tx.note(e.sessions.Find(state, ""), memory.Event{Action: memory.ActionRestored, ID: id, Topic: m.Topic})
			receipts = append(receipts, receiptOf(m, restoredNote(m, u, e.markerIn(tx.View).look(id, false))))
		}
		return nil
	})
	return e.receipts(receipts), err
}

// restoredNote says that a memory was restored, and which ones still supersede it.
func restoredNote(m memory.Memory, u use, foreign bool) memory.Note {
	note := memory.Say(fmt.Sprintf("restored %s: %s", named(m.ID, foreign), quotedFrom(m.Topic, foreign)))
	if by := u.said.get().supersededBy(m.ID); len(by) > 0 {
		note = append(note, memory.Advise(memory.KindRestoredOld, string(m.ID), "superseded by "+idList(by))...)
	}
	return note
}

// bringBack writes the memory that is restored from source. One that another memory has superseded
// is marked as restored even if its file was in full: that is what brings it into sight.
func bringBack(tx *changing, id memory.ID, source *memfile.File, level memory.Importance,
	u use) (memory.Memory, error) {
	if source.Memory.KeepsText {
		archived, err := audit.ArchiveStubText(tx.Tx, id, source)
		if err != nil {
			return memory.Memory{}, err
		}
		source = archived
	}
	m := source.Memory
	if err := overlay(tx, &m); err != nil {
		return m, err
	}
	before, err := tx.ReadRaw(id)
	if err != nil && !isMissing(err) {
		return m, err
	}
	if inFull := m.Phase == memory.Full && memfile.Same(before, source.Bytes()); !inFull || u.said.get().hides(id) {
		m.Phase, m.Restored = memory.Full, true
	}
	if level != "" {
		m.Tags = memory.WithImportance(m.Tags, level)
	}
	data, err := source.With(m)
	if err != nil || memfile.Same(before, data) {
		return m, err
	}
	return m, tx.RestoreMemory(id, source.Bytes(), data)
}

// restorable returns the text that a restore brings back: the newest full version of the
// archives, or the memory's own file if the memory has only faded in the view of this clone.
func (e *Engine) restorable(v *store.View, id memory.ID, u use) (*memfile.File, error) {
	active, err := v.Read(id)
	switch {
	case err == nil && active.Memory.Conflicted:
		return nil, memory.Unresolved(id)
	case err == nil && active.Memory.Phase == memory.Full && u.phase(active.Memory) == memory.Full:
		return nil, memory.NewError(memory.CodeConflict, memory.KindMemoryInFull, string(id),
			"%s is already whole", id)
	case err == nil && active.Memory.Phase == memory.Full:
		return active, e.admit(v, id, active.Bytes())
	case err != nil && !isMissing(err):
		return nil, err
	}
	if stub, err := v.ReadStub(id); err == nil && stub.Memory.Conflicted {
		return nil, memory.Unresolved(id) // the other side may have a text
	}
	source, err := archivedText(v, id)
	if err != nil {
		return nil, err
	}
	if err := e.admit(v, id, source.Bytes()); err != nil {
		return nil, err
	}
	return source, e.admitActive(v, id)
}

// archivedText returns the text that a stub keeps or, without one, the newest full version of the
// archives, or else the newest readable one.
func archivedText(v *store.View, id memory.ID) (*memfile.File, error) {
	newest, err := v.ReadArchive(id)
	if err == nil && newest.Memory.KeepsText {
		return newest, nil
	}
	if full, err := v.NewestFull(id); full != nil || err != nil {
		return full, err
	}
	return newest, err // though reduced
}

// overlay copies into m what the active memory has beside its texts, which may have changed since m was archived.
func overlay(tx *changing, m *memory.Memory) error {
	active, err := tx.Read(m.ID)
	if isMissing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	api.Overlay(m, active.Memory)
	if now := active.Memory; !now.OddRefs && len(now.Refs) > 0 { // a stub has none
		m.Refs, m.OddRefs = now.Refs, false
	}
	return nil
}
