package engine

import (
	"bytes"
	"context"
	"fmt"

	"ltm/api"
	"ltm/memfile"
	"ltm/memory"
	"ltm/store"
)

// File returns the bytes of a memory's file for a person to edit, also when
// they are no readable memory.
func (e *Engine) File(_ context.Context, id string) (memory.ID, []byte, error) {
	parsed, err := memory.ParseID(id)
	if err != nil {
		return "", nil, err
	}
	var data []byte
	err = e.store.View(func(v *store.View) error {
		data, err = v.ReadRaw(parsed)
		// a merge with a stub is for a person to settle
		stub := memfile.IsStubFile(data) && len(memfile.Sides(data)) < 2
		if (isMissing(err) || stub) && v.HasArchive(parsed) {
			return onlyArchived(v, parsed, memory.KindEditArchived)
		}
		return err
	})
	return parsed, data, err
}

// EditFile replaces the file of a memory, which was before, by what a person
// made of it. A text that is no memory, holds a credential, or belongs to a file
// that changed meanwhile is refused, and kept in a file whose path the error
// tells. When that fails too, the error is no [Rejected], and the caller has the
// only copy.
func (e *Engine) EditFile(ctx context.Context, id memory.ID, before, after []byte) (api.Receipt, error) {
	m, data, err := edited(id, before, after)
	if err == nil {
		err = e.update(ctx, func(tx *changing) error {
			now, err := tx.ReadRaw(id)
			if err != nil {
				return err
			}
			if !bytes.Equal(now, before) {
				return memory.NewError(memory.CodeConflict, memory.KindEditedMeanwhile, string(id),
					"%s was changed meanwhile", id)
			}
			return e.writeEdited(tx, m, before, data)
		})
	}
	if err != nil {
		return api.Receipt{}, e.keepAside(id, after, err)
	}
	return api.Receipt{Success: true, ID: id, Message: memory.Say(fmt.Sprintf("updated %s: %s", id, m.Topic)),
		Difficulty: m.Difficulty, Tags: tagsOf(m.Tags)}, nil
}

func (e *Engine) writeEdited(tx *changing, m memory.Memory, before, data []byte) error {
	if err := keepReplaced(tx, m, before); err != nil {
		return err
	}
	if err := tx.Approve(m.ID, data); err != nil { // a person has read it
		return err
	}
	if err := tx.WriteMemory(m.ID, data); err != nil {
		return err
	}
	u, state, err := usage(tx.View)
	if err != nil {
		return err
	}
	u.touch(m, tx.now)
	tx.SetStats(u.stats)
	tx.note(e.sessions.Find(state, ""), memory.Event{Action: memory.ActionUpdated, ID: m.ID, Topic: m.Topic,
		Why: "edited"})
	return nil
}

// edited checks what a person made of a file. New content makes a reduced memory
// full again, as it does in an update, unless the person set another phase.
func edited(id memory.ID, before, after []byte) (memory.Memory, []byte, error) {
	file, err := memfile.Parse(after)
	if err != nil {
		return memory.Memory{}, nil, memory.NewError(memory.CodeInvalid, memory.KindEditedUnreadable, string(id),
			"the text is not a memory: %v", err)
	}
	m := file.Memory
	if old, err := memfile.Parse(before); err == nil && file.IsPlain() && !old.IsPlain() {
		return m, nil, memory.NewError(memory.CodeInvalid, memory.KindEditedNoHeader, string(id),
			"the text has lost its header")
	}
	if m.Conflicted {
		return m, nil, memory.NewError(memory.CodeInvalid, memory.KindEditedConflicted, string(id),
			"the text still holds a merge conflict")
	}
	if m.ID != "" && m.ID != id {
		return m, nil, memory.NewError(memory.CodeInvalid, memory.KindEditedID, string(id),
			"the id inside is %s, not %s; the id stays as it is", m.ID, id)
	}
	if err := refuse(memory.KindEditedSecret, "text", string(after)); err != nil {
		return m, nil, err
	}
	m.ID = id
	old, err := memfile.Parse(before)
	if err != nil || old.Memory.Phase != m.Phase || m.Phase == memory.Full || old.Memory.Content == m.Content {
		return m, after, nil
	}
	m = writtenAnew(m)
	data, err := file.With(m)
	return m, data, err
}

// Rejected is the error about a text that was kept.
type Rejected struct {
	ID   memory.ID
	Path string // of the file that keeps it
	Err  error  // why it was not stored
}

func (r *Rejected) Error() string {
	return fmt.Sprintf("%v; your text is kept in %s", r.Err, r.Path)
}

// Unwrap returns the reason.
func (r *Rejected) Unwrap() error { return r.Err }

// keepAside saves a text that was refused and returns the reason.
func (e *Engine) keepAside(id memory.ID, text []byte, reason error) error {
	var path string
	err := e.store.View(func(v *store.View) (err error) {
		path, err = v.KeepAside(id, text)
		return err
	})
	if err != nil {
		return reason // the caller keeps its own copy
	}
	return &Rejected{id, path, reason}
}
