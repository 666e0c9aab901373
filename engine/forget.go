package engine

import (
	"context"
	"fmt"

	"ltm/memory"
	"ltm/store"
)

// Forget sets a memory aside. Its text stays in the archives, and a stub in the
// place of its file.
func (e *Engine) Forget(ctx context.Context, id string) (memory.Forgotten, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return memory.Forgotten{}, err
	}
	var topic string
	err = e.update(ctx, func(tx *store.Tx) error {
		file, err := readActive(&tx.View, parsed)
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
		e.log(tx, e.openNow(&tx.View), memory.Event{Action: memory.ActionForgotten, ID: parsed, Topic: topic})
		return e.setAside(tx, file, memory.ReasonForgotten)
	})
	if err != nil {
		return memory.Forgotten{}, err
	}
	return memory.Forgotten{Success: true, Archived: true,
		Message: fmt.Sprintf("forgot %s: %s; it stays in the archives, and %s brings it back", parsed, topic, memory.DoRestore)}, nil
}

// setAside archives a memory and leaves a stub in its place: archive first, so that
// a crash can leave an extra file but never loses a text.
func (e *Engine) setAside(tx *store.Tx, file *memory.File, reason string) error {
	if err := keep(tx, file); err != nil {
		return err
	}
	return tx.WriteMemory(file.Memory.ID, memory.FormatStub(file.Memory, e.now(), reason))
}

// Erase removes a memory's text from the store for good: its file, all archived
// versions, what could be taken back, and what log and caches say of it. A stub
// without its topic stays, which keeps git from merging another branch's changes of
// it into something else. It cannot be undone, and git's history keeps what was
// committed.
func (e *Engine) Erase(ctx context.Context, id string) (memory.Forgotten, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return memory.Forgotten{}, err
	}
	err = e.update(ctx, func(tx *store.Tx) error {
		if !tx.Taken(parsed) {
			return memory.Errorf(memory.CodeNotFound, memory.KnownIDs+"; nothing was changed", "there is no memory %s", parsed)
		}
		if err := tx.WriteMemory(parsed, memory.FormatStub(memory.Memory{ID: parsed}, e.now(), memory.ReasonErased)); err != nil {
			return err
		}
		if err := tx.RemoveVersions(parsed); err != nil {
			return err
		}
		e.log(tx, e.openNow(&tx.View), memory.Event{Action: memory.ActionErased, ID: parsed})
		if err := dropStats(tx, parsed); err != nil {
			return err
		}
		return tx.EraseTraces(parsed)
	})
	if err != nil {
		return memory.Forgotten{}, err
	}
	return memory.Forgotten{Success: true,
		Message: fmt.Sprintf("erased %s: its text is gone from the store; git's history keeps what was committed, and so does every clone that has it", parsed)}, nil
}

// dropStats forgets the use of memories.
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
