package change

import (
	"context"
	"fmt"

	"ltm/engine/base"
	"ltm/engine/trust"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

// Forget sets a memory aside: it archives the text and replaces the file with a stub.
func (e *Engine) Forget(ctx context.Context, id string) (api.Forgotten, error) {
	all, err := e.ForgetAll(ctx, []string{id})
	if err != nil {
		return api.Forgotten{}, err
	}
	return all[0], nil
}

// ForgetAll is Forget for several memories. If one of them cannot be archived, none is.
func (e *Engine) ForgetAll(ctx context.Context, ids []string) ([]api.Forgotten, error) {
	parsed, err := base.ParseIDs(ids)
	if err != nil {
		return nil, err
	}
	done := []api.Forgotten{}
	err = e.Change(ctx, func(tx *base.Tx) error {
		files := make([]*memfile.File, 0, len(parsed))
		for _, id := range parsed {
			file, err := e.forgettable(tx.View, id)
			if err != nil {
				return err
			}
			files = append(files, file)
		}
		for _, file := range files {
			id, topic := file.Memory.ID, file.Memory.Topic
			foreign := e.OriginsIn(tx.View).ForeignText(id, file.Bytes())
			tx.Note(e.OpenNow(tx.View), memory.Event{Action: memory.ActionForgotten, ID: id, Topic: topic})
			if err := leaveStub(tx, file, memory.ReasonForgotten); err != nil {
				return err
			}
			done = append(done, e.forgotten(api.Forgotten{Success: true, Archived: true,
				Message: memory.Advise(memory.KindForgotten, string(id),
					fmt.Sprintf("forgot %s: %s; it stays in the archives", trust.Named(id, foreign),
						trust.QuotedFrom(topic, foreign)))}))
		}
		return nil
	})
	return done, err
}

// forgettable reads a memory to be archived, and refuses one with a merge conflict.
func (e *Engine) forgettable(v *store.View, id memory.ID) (*memfile.File, error) {
	file, err := base.ReadActive(v, id)
	if err != nil {
		return nil, err
	}
	if file.Memory.Conflicted {
		return nil, memory.Unresolved(id)
	}
	return file, e.Admit(v, id, file.Bytes())
}

// leaveStub archives a memory and leaves a stub in its place: archive first, so that
// a crash can leave an extra file but never loses a text.
func leaveStub(tx *base.Tx, file *memfile.File, reason string) error {
	if err := archiveVersion(tx, file); err != nil {
		return err
	}
	return tx.WriteMemory(file.Memory.ID, memfile.FormatStub(file.Memory, tx.Now, reason))
}

// Erase permanently removes a memory's text from the store: from its file, all archived versions, the undo journal, the
// log, the caches and the copies that removed work trees left. It leaves a stub without a topic, so that git does not
// merge another branch's changes of the memory into another file. It cannot be undone, and git's history keeps what was
// committed.
func (e *Engine) Erase(ctx context.Context, id string) (api.Forgotten, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return api.Forgotten{}, err
	}
	err = e.Change(ctx, func(tx *base.Tx) error {
		if !tx.Taken(parsed) && !tx.HasLeft(parsed) {
			return memory.NewError(memory.CodeNotFound, memory.KindMemoryUnknown, string(parsed),
				"there is no memory %s", parsed)
		}
		if err := tx.WriteMemory(parsed,
			memfile.FormatStub(memory.Memory{ID: parsed}, tx.Now, memory.ReasonErased)); err != nil {
			return err
		}
		if err := tx.RemoveVersions(parsed); err != nil {
			return err
		}
		tx.Note(e.OpenNow(tx.View), memory.Event{Action: memory.ActionErased, ID: parsed})
		if err := dropStats(tx, parsed); err != nil {
			return err
		}
		return tx.EraseTraces(parsed)
	})
	if err != nil {
		return api.Forgotten{}, err
	}
	return e.forgotten(api.Forgotten{Success: true,
		Message: memory.Say(fmt.Sprintf("erased %s: its text is gone from the store", parsed),
			"git's history keeps what was committed, and so does every clone that has it")}), nil
}

func dropStats(tx *base.Tx, ids ...memory.ID) error {
	stats, err := base.Tolerate(tx.Stats())
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
