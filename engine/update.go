package engine

import (
	"context"
	"fmt"
	"slices"

	"ltm/api"
	"ltm/memory"
)

// Update changes a memory and counts as an access. New content makes a reduced memory full again;
// its old full text stays in the archives, also when the memory is archived again. Text is
// appended to the full text, which for a reduced memory comes from the archives.
func (e *Engine) Update(ctx context.Context, id string, p api.Patch) (api.Receipt, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return api.Receipt{}, err
	}
	if err := cleanPatch(&p); err != nil {
		return api.Receipt{}, err
	}
	var changed memory.Memory
	var masked int
	err = e.update(ctx, func(tx *changing) error {
		file, err := readActive(tx.View, parsed)
		if err != nil {
			return err
		}
		if err := e.admit(tx.View, parsed, file.Bytes()); err != nil {
			return err
		}
		whole, source, err := e.wholeFor(tx.View, file, p)
		if err != nil {
			return err
		}
		if changed, err = patched(whole, p); err != nil {
			return err
		}
		if masked, err = screen(&changed, file.Memory, p.Redact); err != nil {
			return err
		}
		data, err := file.With(changed)
		if err != nil {
			return err
		}
		if !slices.Equal(data, file.Bytes()) {
			if err := replace(tx, file, source, changed, data); err != nil {
				return err
			}
		}
		u, state, err := usage(tx.View)
		if err != nil {
			return err
		}
		u.touch(changed, tx.now)
		if !slices.Equal(data, file.Bytes()) {
			tx.note(e.sessions.Find(state, p.Session),
				memory.Event{Action: memory.ActionUpdated, ID: parsed, Topic: changed.Topic, Why: changedFields(p)})
		}
		tx.SetStats(u.stats)
		return nil
	})
	if err != nil {
		return api.Receipt{}, err
	}
	message := fmt.Sprintf("updated %s: %s", parsed, changed.Topic)
	if masked > 0 {
		message += fmt.Sprintf(" (%d masked)", masked)
	}
	return api.Receipt{Success: true, ID: parsed, Message: memory.Say(message), Difficulty: changed.Difficulty,
		Tags: tagsOf(changed.Tags)}, nil
}
