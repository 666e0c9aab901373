package change

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"

	"ltm/engine/base"
	"ltm/engine/find"
	"ltm/engine/rank"
	"ltm/engine/trust"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

// Draft returns what a text says that was a memory's file, or nearly one.
func (e *Engine) Draft(text []byte) api.Draft {
	f, err := memfile.Parse(text)
	if err != nil {
		return api.Draft{Content: string(text)} // a person sorts it out
	}
	m := f.Memory
	return api.Draft{Topic: m.Topic, Content: m.Content, Tags: m.PlainTags(), Importance: m.Importance(),
		Category: m.Category}
}

// EditFile replaces the bytes of a memory's file, before, with what a person edited them to,
// after. It refuses a text that is not a memory or holds a credential, and any text if the file
// has changed since before was read. A refused text is saved in a file, and the error is a
// [Rejected] with its path. Any other error means that the caller has the only copy.
func (e *Engine) EditFile(ctx context.Context, id memory.ID, before, after []byte) (api.Receipt, error) {
	m, data, err := edited(id, before, after)
	if err == nil {
		m, data, err = e.withFiles(ctx, before, m, data)
	}
	if err == nil {
		err = e.Change(ctx, func(tx *base.Tx) error {
			now, err := tx.ReadRaw(id)
			if err != nil {
				return err
			}
			if !bytes.Equal(now, before) {
				return memory.NewError(memory.CodeConflict, memory.KindEditedMeanwhile, string(id),
					"%s was changed in the meantime", id)
			}
			return e.writeEdited(tx, m, before, data)
		})
	}
	if err != nil {
		return api.Receipt{}, e.keepAside(id, after, err)
	}
	return e.receipt(receiptOf(m, memory.Say(fmt.Sprintf("updated %s: %s", id, m.Topic)))), nil
}

// CheckEdit returns the error with which EditFile would refuse a text.
func (e *Engine) CheckEdit(id memory.ID, before, after []byte) error {
	_, _, err := edited(id, before, after)
	return err
}

// withFiles gives an edited memory references to the files that its new text names, as they are now, as an update does.
// A person who changed the references has the last word.
func (e *Engine) withFiles(ctx context.Context, before []byte, m memory.Memory,
	data []byte) (memory.Memory, []byte, error) {
	old, err := memfile.Parse(before)
	if err != nil || e.Files == nil || old.Memory.Conflicted || m.OddRefs || !slices.Equal(old.Memory.Refs, m.Refs) ||
		old.Memory.Topic == m.Topic && old.Memory.Content == m.Content {
		return m, data, nil
	}
	var r *renewed
	err = e.Store.View(func(v *store.View) error {
		r = e.renewIn(ctx, v, old, nil, api.Patch{Topic: &m.Topic, Content: &m.Content}, find.AskHistory(math.MaxInt))
		return nil
	})
	if err != nil || r == nil || slices.Equal(r.refs, m.Refs) {
		return m, data, err
	}
	file, err := memfile.Parse(data)
	if err != nil {
		return m, nil, err
	}
	m.Refs = r.refs
	now := file.Memory
	now.Refs = r.refs
	data, err = file.With(now)
	return m, data, err
}

func (e *Engine) writeEdited(tx *base.Tx, m memory.Memory, before, data []byte) error {
	if err := archiveReplaced(tx, m, before); err != nil {
		return err
	}
	if err := tx.Approve(m.ID, data); err != nil { // a person has read it
		return err
	}
	if err := tx.WriteMemory(m.ID, data); err != nil {
		return err
	}
	u, state, err := rank.UsageOf(tx.View)
	if err != nil {
		return err
	}
	u.Touch(m, tx.Now)
	tx.SetStats(u.Stats)
	tx.Note(e.Sessions.Find(state, ""), memory.Event{Action: memory.ActionUpdated, ID: m.ID, Topic: m.Topic,
		Why: "edited"})
	return nil
}

// edited checks an edited file and returns the memory and the bytes to write. New content makes a
// reduced memory full again, as it does in an update, unless the person set another phase.
func edited(id memory.ID, before, after []byte) (memory.Memory, []byte, error) {
	file, err := memfile.Parse(after)
	if err != nil {
		return memory.Memory{}, nil, memory.NewError(memory.CodeInvalid, memory.KindEditedUnreadable, string(id),
			"the text is not a memory: %v", err)
	}
	m := file.Memory
	if old, err := memfile.Parse(before); err == nil && file.IsPlain() && !old.IsPlain() {
		return m, nil, memory.NewError(memory.CodeInvalid, memory.KindEditedNoHeader, string(id),
			"the text has no header any more")
	}
	if m.Conflicted {
		return m, nil, memory.NewError(memory.CodeInvalid, memory.KindEditedConflicted, string(id),
			"the text still has a merge conflict")
	}
	if m.ID != "" && m.ID != id {
		return m, nil, memory.NewError(memory.CodeInvalid, memory.KindEditedID, string(id),
			"the id in the text is %s, not %s; an id cannot be changed", m.ID, id)
	}
	if err := trust.Refuse(memory.KindEditedSecret, "text", string(after)); err != nil {
		return m, nil, err
	}
	m.ID = id
	old, err := memfile.Parse(before)
	if err == nil {
		if err := api.NewlyOdd(old.Memory, m); err != nil {
			return m, nil, err
		}
	}
	if err != nil || old.Memory.Phase != m.Phase || m.Phase == memory.Full || old.Memory.Content == m.Content {
		return m, after, nil
	}
	m = writtenAnew(m)
	data, err := file.With(m)
	return m, data, err
}

// Rejected is the error of [Engine.EditFile] about a refused text that was kept in a file.
type Rejected struct {
	ID   memory.ID
	Path string // of the file that has it
	Err  error  // why it was not stored
}

func (r *Rejected) Error() string {
	return fmt.Sprintf("%v; your text is saved in %s", r.Err, r.Path)
}

func (r *Rejected) Unwrap() error { return r.Err }

// keepAside saves a refused text. It returns a [Rejected], or reason itself if saving failed.
func (e *Engine) keepAside(id memory.ID, text []byte, reason error) error {
	var path string
	err := e.Store.View(func(v *store.View) (err error) {
		path, err = v.KeepAside(id, text)
		return err
	})
	if err != nil {
		return reason // the caller keeps its own copy
	}
	return &Rejected{id, path, reason}
}
