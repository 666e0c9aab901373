package change

import (
	"context"
	"fmt"

	"ltm/engine/audit"
	"ltm/engine/base"
	"ltm/engine/rank"
	"ltm/engine/trust"
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
	parsed, err := base.ParseIDs(ids)
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
	err = e.Change(ctx, func(tx *base.Tx) error {
		u, state, err := e.Usage(tx.View)
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
			delete(u.Stats, id)
			u.Touch(m, tx.Now)
			tx.SetStats(u.Stats)
			tx.Note(e.Sessions.Find(state, ""), memory.Event{Action: memory.ActionRestored, ID: id, Topic: m.Topic})
			receipts = append(receipts, receiptOf(m, restoredNote(m, u, e.OriginsIn(tx.View).Foreign(id, false))))
		}
		return nil
	})
	return e.receipts(receipts), err
}

// restoredNote says that a memory was restored, and which ones still supersede it.
func restoredNote(m memory.Memory, u rank.Usage, foreign bool) memory.Note {
	note := memory.Say(fmt.Sprintf("restored %s: %s", trust.Named(m.ID, foreign), trust.QuotedFrom(m.Topic, foreign)))
	if by := u.Standings.Get().SupersededBy(m.ID); len(by) > 0 {
		note = append(note, memory.Advise(memory.KindRestoredOld, string(m.ID), "superseded by "+base.IDList(by))...)
	}
	return note
}

// bringBack writes the memory that is restored from source. One that another memory has superseded
// is marked as restored even if its file was in full: that is what brings it into sight.
func bringBack(tx *base.Tx, id memory.ID, source *memfile.File, level memory.Importance,
	u rank.Usage) (memory.Memory, error) {
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
	if err != nil && !base.IsMissing(err) {
		return m, err
	}
	inFull := m.Phase == memory.Full && memfile.Same(before, source.Bytes())
	if !inFull || u.Standings.Get().Hides(id) {
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
func (e *Engine) restorable(v *store.View, id memory.ID, u rank.Usage) (*memfile.File, error) {
	active, err := v.Read(id)
	switch {
	case err == nil && active.Memory.Conflicted:
		return nil, memory.Unresolved(id)
	case err == nil && active.Memory.Phase == memory.Full && u.Phase(active.Memory) == memory.Full:
		return nil, memory.NewError(memory.CodeConflict, memory.KindMemoryInFull, string(id), "%s is already whole", id)
	case err == nil && active.Memory.Phase == memory.Full:
		return active, e.Admit(v, id, active.Bytes())
	case err != nil && !base.IsMissing(err):
		return nil, err
	}
	if stub, err := v.ReadStub(id); err == nil && stub.Memory.Conflicted {
		return nil, memory.Unresolved(id) // the other side may have a text
	}
	source, err := base.ArchivedText(v, id)
	if err != nil {
		return nil, err
	}
	if err := e.Admit(v, id, source.Bytes()); err != nil {
		return nil, err
	}
	return source, e.AdmitActive(v, id)
}

// overlay copies into m what the active memory has beside its texts, which may have changed since m was archived.
func overlay(tx *base.Tx, m *memory.Memory) error {
	active, err := tx.Read(m.ID)
	if base.IsMissing(err) {
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
