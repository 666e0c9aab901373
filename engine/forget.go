package engine

import (
	"context"
	"fmt"

	"ltm/memory"
	"ltm/store"
)

// Forget takes a memory out of the active ones. Its fullest version stays in
// the archives.
func (e *Engine) Forget(ctx context.Context, id string) (memory.Forgotten, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return memory.Forgotten{}, err
	}
	var topic string
	err = e.update(ctx, func(tx *store.Tx) error {
		file, err := tx.Read(parsed)
		if err != nil {
			return err
		}
		if file.Memory.Conflicted {
			return memory.Unsettled(parsed)
		}
		if err := e.admit(&tx.View, parsed, file.Bytes()); err != nil {
			return err
		}
		topic = file.Memory.Topic
		if err := e.keep(tx, file, memory.ReasonForgotten); err != nil {
			return err
		}
		if err := tx.RemoveMemory(parsed); err != nil {
			return err
		}
		e.log(tx, e.openNow(&tx.View), memory.Event{Action: memory.ActionForgotten, ID: parsed, Topic: topic})
		return dropStats(tx, parsed)
	})
	if err != nil {
		return memory.Forgotten{}, err
	}
	return memory.Forgotten{Success: true, Archived: true,
		Message: fmt.Sprintf("forgot %s: %s; it stays in the archives, and restore_memory (ltm restore) brings it back", parsed, topic)}, nil
}

// dropStats forgets the use of a memory.
func dropStats(tx *store.Tx, ids ...memory.ID) error {
	stats, err := tolerate(tx.Stats())
	if err != nil {
		return err
	}
	before := len(stats)
	for _, id := range ids {
		delete(stats, id)
	}
	if len(stats) < before {
		tx.SetStats(stats)
	}
	return nil
}
