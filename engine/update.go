package engine

import (
	"context"
	"fmt"
	"slices"

	"ltm/api"
	"ltm/memfile"
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
	fresh, err := e.renew(ctx, parsed, p)
	if err != nil {
		return api.Receipt{}, err
	}
	var untaken memory.Note
	var changed memory.Memory
	var masked int
	var aside []*memfile.File
	var rivals []memory.ID
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
		untaken = fresh.apply(ctx, e, tx, file, &changed, p)
		if aside, err = e.patchLinks(tx.View, &changed, p); err != nil {
			return err
		}
		if len(p.Supersedes) > 0 {
			if rivals, err = e.rivals(tx.View, changed); err != nil {
				return err
			}
		}
		if masked, err = screen(&changed, file.Memory, p.Redact); err != nil {
			return err
		}
		return e.write(tx, file, source, changed, p, aside)
	})
	if err != nil {
		return api.Receipt{}, err
	}
	message := fmt.Sprintf("updated %s: %s", parsed, changed.Topic)
	if masked > 0 {
		message += fmt.Sprintf(" (%d masked)", masked)
	}
	return e.receipt(api.Receipt{Success: true, ID: parsed, Difficulty: changed.Difficulty, Tags: tagsOf(changed.Tags),
		Message: slices.Concat(memory.Say(message), correctedNote(p.Supersedes, aside, rivals), untaken)}), nil
}

// write replaces the file of a memory with its changed form, counts an access, and archives the
// memories that it supersedes from now on.
func (e *Engine) write(tx *changing, file *memfile.File, source []byte, changed memory.Memory, p api.Patch,
	aside []*memfile.File) error {
	data, err := file.With(changed)
	if err != nil {
		return err
	}
	isNew := !slices.Equal(data, file.Bytes())
	if isNew {
		if err := replace(tx, file, source, changed, data); err != nil {
			return err
		}
	}
	u, state, err := usage(tx.View)
	if err != nil {
		return err
	}
	u.touch(changed, tx.now)
	session := e.sessions.Find(state, p.Session)
	if isNew {
		tx.note(session,
			memory.Event{Action: memory.ActionUpdated, ID: changed.ID, Topic: changed.Topic, Why: changedFields(p)})
	}
	if err := setAside(tx, session, changed.ID, aside); err != nil {
		return err
	}
	tx.SetStats(u.stats)
	return nil
}
