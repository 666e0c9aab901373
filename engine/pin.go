package engine

import (
	"context"
	"fmt"
	"slices"

	"ltm/memory"
	"ltm/memory/api"
)

// Pin sets the importance of memories; [memory.Normal] removes it. If one of them cannot be
// changed, none is. It does not count as an access.
func (e *Engine) Pin(ctx context.Context, ids []string, level memory.Importance) ([]api.Receipt, error) {
	parsed, err := parseIDs(ids)
	if err != nil {
		return nil, err
	}
	receipts := []api.Receipt{}
	err = e.update(ctx, func(tx *changing) error {
		state, err := tolerate(tx.State())
		if err != nil {
			return err
		}
		pins := make([]pin, 0, len(parsed))
		for _, id := range parsed {
			p, err := planPin(tx, id, level)
			if err != nil {
				return err
			}
			pins = append(pins, p)
		}
		for _, p := range pins {
			if p.data != nil {
				if err := tx.WriteMemory(p.ID, p.data); err != nil {
					return err
				}
				tx.note(e.sessions.Find(state, ""), memory.Event{Action: memory.ActionUpdated, ID: p.ID, Topic: p.Topic,
					Why: "importance " + string(level)})
			}
			receipts = append(receipts, p.receipt(level, e.markerIn(tx.View).look(p.ID, false)))
		}
		return nil
	})
	return e.receipts(receipts), err
}

// pin is a memory with its new tags and the bytes to write, or nil if its file stays as it is.
type pin struct {
	memory.Memory
	data []byte
}

func planPin(tx *changing, id memory.ID, level memory.Importance) (pin, error) {
	file, err := tx.Read(id)
	if isMissing(err) && tx.HasArchive(id) {
		return pin{}, memory.NewError(memory.CodeNotFound, memory.KindEditArchived, string(id),
			"%s is only in the archives", id)
	}
	if err != nil {
		return pin{}, err
	}
	m := file.Memory
	tags := memory.WithImportance(m.Tags, level)
	if slices.Equal(tags, m.Tags) || level == m.Importance() && len(tags) == len(m.Tags) {
		return pin{m, nil}, nil
	}
	if err := memory.CheckTagCount(id, tags, len(m.Tags)); err != nil {
		return pin{}, err
	}
	m.Tags = tags
	data, err := file.With(m)
	return pin{m, data}, err
}

func (p pin) receipt(level memory.Importance, foreign bool) api.Receipt {
	verb := "is now"
	if p.data == nil {
		verb = "was already"
	}
	return receiptOf(p.Memory, memory.Say(fmt.Sprintf("%s %s %s: %s", named(p.ID, foreign), verb, level,
		quotedFrom(p.Topic, foreign))))
}
