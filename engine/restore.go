package engine

import (
	"context"
	"fmt"

	"ltm/memory"
	"ltm/store"
)

// Restore brings the archived version of a memory back as a full memory with
// fresh stats. importance sets its level; empty keeps the tags. The archive
// stays. Topic and tags that were changed since on the reduced memory are kept.
func (e *Engine) Restore(ctx context.Context, id, importance string) (memory.Receipt, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return memory.Receipt{}, err
	}
	var level memory.Importance
	if importance != "" {
		if level, err = memory.ParseImportance(importance); err != nil {
			return memory.Receipt{}, err
		}
	}
	var m memory.Memory
	err = e.update(ctx, func(tx *store.Tx) error {
		archive, err := tx.ReadArchive(parsed)
		if err != nil {
			return err
		}
		if err := e.admit(&tx.View, parsed, archive.Bytes()); err != nil {
			return err
		}
		if err := e.admitActive(&tx.View, parsed); err != nil {
			return err
		}
		m = archive.Memory
		if err := overlay(tx, &m); err != nil {
			return err
		}
		m.Phase, m.Restored = memory.Full, true
		if level != "" {
			m.Tags = memory.WithImportance(m.Tags, level)
		}
		data, err := archive.With(m)
		if err != nil {
			return err
		}
		if err := tx.RestoreMemory(parsed, archive.Bytes(), data); err != nil {
			return err
		}
		u, state, err := usage(&tx.View)
		if err != nil {
			return err
		}
		delete(u.stats, parsed)
		u.touch(m, e.now())
		tx.SetStats(u.stats)
		e.log(tx, e.sessionOf(state, ""), memory.Event{Action: memory.ActionRestored, ID: parsed, Topic: m.Topic})
		return nil
	})
	if err != nil {
		return memory.Receipt{}, err
	}
	return memory.Receipt{Success: true, ID: parsed, Difficulty: m.Difficulty, Tags: tagsOf(m.Tags),
		Message: fmt.Sprintf("restored %s: %s", parsed, m.Topic)}, nil
}

// overlay takes over what was changed on the reduced memory since it was
// archived, and refuses a memory that is already full.
func overlay(tx *store.Tx, m *memory.Memory) error {
	active, err := tx.Read(m.ID)
	if isMissing(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if active.Memory.Conflicted {
		return memory.Unsettled(m.ID)
	}
	if active.Memory.Phase == memory.Full {
		return memory.Errorf(memory.CodeConflict, "get_memory (ltm show) shows it; nothing was changed", "%s is among the memories in full", m.ID)
	}
	m.Topic, m.Tags, m.Difficulty = active.Memory.Topic, active.Memory.Tags, active.Memory.Difficulty
	return nil
}
