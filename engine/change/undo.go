package change

import (
	"context"
	"slices"

	"ltm/engine/base"
	"ltm/engine/rank"
	"ltm/engine/trust"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/store"
)

// Undoable returns the changes of memories and packets that were made in this work tree and not undone, and those that
// [Engine.Redo] brings back.
func (e *Engine) Undoable(context.Context) (list memory.UndoList, err error) {
	err = e.Store.View(func(v *store.View) error {
		journal, err := v.UndoJournal()
		list = journal.List()
		marks := e.OriginsIn(v)
		for _, changes := range [][]memory.UndoEntry{list.Changes, list.Redo} {
			for i, change := range changes {
				changes[i].Foreign = foreignChange(marks, change)
			}
		}
		return err
	})
	return list, err
}

// Undo reverts the last change of a memory or a packet or, if id is empty, the last change. A change is all that one
// command did, and all of it is taken back, or nothing. A file gets its former bytes back. The text that this replaces
// is archived, and a memory that the change had created is archived. If that change cannot be undone, or something else
// has changed a file since, Undo returns a conflict and changes nothing.
func (e *Engine) Undo(ctx context.Context, id string) (api.Undone, error) {
	return e.undo(ctx, func(v *store.View, journal memory.UndoJournal) (memory.UndoEntry, error) {
		open := journal.Open()
		next := slices.IndexFunc(open, func(e memory.UndoEntry) bool {
			return len(e.Files) > 0 && (id == "" || e.Touches(id))
		})
		switch {
		case id == "" && len(open) > 0 && next != 0:
			return memory.UndoEntry{}, stopsAt(v, open, e.OriginsIn(v))
		case next < 0:
			return memory.UndoEntry{}, memory.NewError(memory.CodeNotFound, memory.KindUndoNone, id,
				"there is no change to undo")
		}
		if _, free := (memory.UndoList{Changes: open}).Free(open[next].Number); !free {
			return memory.UndoEntry{}, memory.NewError(memory.CodeConflict, memory.KindFileChanged, id,
				"something else has changed a memory since that was changed together with %s", id)
		}
		return open[next], nil
	})
}

// stopsAt is the error that the last change cannot be undone. It names the last one that can be.
func stopsAt(v *store.View, open []memory.UndoEntry, marks *trust.Origins) error {
	message := "the last change cannot be undone: " + changeOf(open[0], marks)
	for _, e := range open[1:] {
		if change, free := (memory.UndoList{Changes: open}).Free(e.Number); free {
			if _, _, err := left(v, change); err == nil {
				return memory.NewError(memory.CodeConflict, memory.KindUndoFinal, e.Name(),
					"%s; the one before it is: %s", message, changeOf(e, marks))
			}
		}
	}
	return memory.NewError(memory.CodeConflict, memory.KindUndoNone, "", "%s", message)
}

// changeOf says in a few words what a change was.
func changeOf(e memory.UndoEntry, marks *trust.Origins) string {
	said, foreign := e.Action, foreignChange(marks, e)
	for _, part := range []string{trust.Named(e.ID, foreign), memory.Quote(e.Packet, 70)} {
		if part != "" && part != `""` {
			said += " " + part
		}
	}
	if n := e.Memories(); n > 1 && e.ID != "" {
		said += " and " + plural.Of(n-1, "other", "others")
	}
	switch {
	case e.Topic != "":
		return said + ": " + trust.QuotedFrom(e.Topic, foreign)
	case e.Why != "":
		return said + " " + e.Why
	}
	return said
}

// foreignChange reports whether a change has the topic of a memory that comes from elsewhere.
func foreignChange(m *trust.Origins, e memory.UndoEntry) bool {
	return e.Topic != "" && e.ID != "" && m.ForeignAnywhere(e.ID)
}

// UndoNumber is [Engine.Undo] for the change that has that number, whatever other memories were changed since. It is a
// conflict if a newer change is in its way: see [memory.UndoList.Free]. That its file has the same bytes again does not
// help, as the newer change would be the one that is taken back.
func (e *Engine) UndoNumber(ctx context.Context, number int) (api.Undone, error) {
	return e.undo(ctx, func(_ *store.View, journal memory.UndoJournal) (memory.UndoEntry, error) {
		change, free := memory.UndoList{Changes: journal.Open()}.Free(number)
		if !free {
			return change, memory.NewError(memory.CodeConflict, memory.KindUndoNone, "",
				"something else was changed since, or it was taken back already")
		}
		return change, nil
	})
}

// Redo reverts the last undo: of a memory or a packet or, if id is empty, of any. It is a conflict if anything was
// changed since.
func (e *Engine) Redo(ctx context.Context, id string) (api.Undone, error) {
	return e.undo(ctx, func(v *store.View, journal memory.UndoJournal) (memory.UndoEntry, error) {
		undos, since := journal.Redoable()
		marks := e.OriginsIn(v)
		switch {
		case len(undos) > 0 && (id == "" || undos[0].Touches(id)):
			return undos[0], nil
		case len(undos) > 0:
			return memory.UndoEntry{}, memory.NewError(memory.CodeConflict, memory.KindRedoNone, id,
				"the last undo is not of %s, but of another change: %s", id, changeOf(undos[0], marks))
		case since == nil:
			return memory.UndoEntry{}, memory.NewError(memory.CodeNotFound, memory.KindRedoNone, id,
				"there is no undo to redo")
		}
		return memory.UndoEntry{}, memory.NewError(memory.CodeConflict, memory.KindRedoNone, id,
			"there is no undo to redo since the last change: %s", changeOf(*since, marks))
	})
}

// UndoOf returns the change that [Engine.UndoNumber] takes back by its number. ok is false if that would be refused, as
// for a newer change or an edit of a memory.
func (e *Engine) UndoOf(_ context.Context, number int) (change memory.UndoEntry, ok bool, err error) {
	err = e.Store.View(func(v *store.View) error {
		journal, err := v.UndoJournal()
		if change, ok = (memory.UndoList{Changes: journal.Open()}).Free(number); ok {
			_, _, err := left(v, change)
			ok = err == nil
		}
		return err
	})
	return change, ok, err
}

// left returns the files that are as a change left them, and how many something else has changed since. Others are as
// they were before it, because an undo was killed. A file that something else has changed is a conflict; of an import,
// only if that is all.
func left(v *store.View, change memory.UndoEntry) (files []memory.UndoFile, changed int, err error) {
	for _, f := range change.Files {
		switch {
		case v.IsAfter(f):
			files = append(files, f)
		case v.IsBefore(f):
		case change.IsImport():
			changed++
		default:
			return nil, 0, memory.NewError(memory.CodeConflict, memory.KindFileChanged, change.Name(),
				"something else has changed %s since", f.Path)
		}
	}
	if changed == len(change.Files) {
		return nil, 0, memory.NewError(memory.CodeConflict, memory.KindGroupChanged, "",
			"something else has changed all files of that change since")
	}
	return files, changed, nil
}

// undo takes back the change, or the undo, that choose returns.
func (e *Engine) undo(ctx context.Context,
	choose func(*store.View, memory.UndoJournal) (memory.UndoEntry, error)) (api.Undone, error) {
	var r api.Undone
	err := e.Change(ctx, func(tx *base.Tx) error {
		journal, err := tx.UndoJournal()
		if err != nil {
			return err
		}
		change, err := choose(tx.View, journal)
		if err != nil {
			return err
		}
		marks := e.OriginsIn(tx.View)
		action, said := memory.ActionUndone, "took back: "+changeOf(change, marks)
		first := change
		if change.Undoes > 0 {
			action = memory.ActionRedone
			for _, undone := range journal {
				if undone.Number == change.Undoes {
					said, first = "did again: "+changeOf(undone, marks), undone
				}
			}
		}
		files, kept, err := left(tx.View, change)
		if err != nil {
			return err
		}
		why := change.Action
		if change.IsImport() {
			why += " " + change.Why
		}
		tx.Note(e.OpenNow(tx.View), memory.Event{Action: action, ID: change.ID, Packet: change.Packet,
			Topic: change.Topic, Why: why})
		tx.Undoes(change)
		r = api.Undone{Success: true, Number: change.Number, ID: change.ID, Packet: change.Packet,
			Message: memory.Say(said), BroughtBack: []api.BroughtBack{}}
		if len(files) == 0 {
			r.Message = append(r.Message, memory.Say("its files were so already")...)
		}
		if kept > 0 {
			r.Message = append(r.Message, memory.Say(plural.Of(kept, "memory", "memories")+
				" stayed as something else has changed them since")...)
		}
		if err := bringFilesBack(tx, files, &r, marks); err != nil || first.Action != memory.ActionMerged {
			return err
		}
		return mergeUses(tx, first, change.Undoes == 0)
	})
	if e.IsOwn() {
		r.Scope = api.ScopeUser
	}
	return r, err
}

// mergeUses adds up the uses of memories that were merged or, if back is true, takes them apart again.
func mergeUses(tx *base.Tx, merged memory.UndoEntry, back bool) error {
	u, _, err := rank.UsageOf(tx.View)
	if err != nil {
		return err
	}
	var others []memory.ID
	for _, f := range merged.Files {
		if id, ok := memory.IDFromPath(f.Path); ok && id != merged.ID {
			others = append(others, id)
		}
	}
	u.Merge(merged.ID, others, back)
	tx.SetStats(u.Stats)
	return nil
}

// bringFilesBack gives files of a change their former bytes: those of memories all at once, those of packets in the
// opposite order of the change.
func bringFilesBack(tx *base.Tx, files []memory.UndoFile, r *api.Undone, marks *trust.Origins) error {
	b := &batch{tx.NewBatch(), tx}
	var packets []memory.UndoFile
	for _, f := range files {
		id, ok := memory.IDFromPath(f.Path)
		if !ok {
			packets = append(packets, f)
			continue
		}
		back, err := b.bringBack(id, f, marks)
		if err != nil {
			return err
		}
		r.BroughtBack = append(r.BroughtBack, back)
	}
	if err := b.Commit(memory.Event{}); err != nil {
		return err
	}
	for _, back := range r.BroughtBack {
		if err := backInSight(tx, back.ID); err != nil {
			return err
		}
	}
	if len(packets) == 0 {
		return nil
	}
	fields, err := packetFields(tx.View, r.Packet, func() error { return bringPacketBack(tx, packets) })
	r.BroughtBack = append(r.BroughtBack, api.BroughtBack{Packet: r.Packet, Fields: fields})
	return err
}

func bringPacketBack(tx *base.Tx, files []memory.UndoFile) (err error) {
	for _, f := range slices.Backward(files) {
		var before []byte
		if f.Before != "" {
			if before, err = tx.UndoBytes(f.Before); err != nil {
				return err
			}
		}
		if err := tx.PutPacketFile(f.Path, before); err != nil {
			return err
		}
	}
	return nil
}

// bringBack adds to a batch what gives a memory's file its former bytes. A memory that the change had created leaves a
// stub. Content that counts as written here still does.
func (b *batch) bringBack(id memory.ID, f memory.UndoFile, marks *trust.Origins) (back api.BroughtBack, err error) {
	now, err := b.tx.ReadRaw(id)
	if err != nil {
		return back, err
	}
	file, unreadable := memfile.Parse(now)
	var before []byte
	switch {
	case f.Before != "":
		before, err = b.tx.UndoBytes(f.Before)
	case unreadable != nil:
		err = memory.NewError(memory.CodeConflict, memory.KindFileUnreadable, string(id),
			"the file of %s cannot be read", id)
	default:
		file.Memory.ID = id
		before = memfile.FormatStub(file.Memory, b.tx.Now, memory.ReasonUndone)
	}
	if err != nil {
		return back, err
	}
	back = api.BroughtBack{ID: id, Fields: []api.FieldChange{}}
	former, damaged := memfile.Parse(before)
	if unreadable == nil && damaged == nil {
		back.Topic, back.Fields = former.Memory.Topic, changesOf(file.Memory, former.Memory)
		undone := file.Memory.IsStub() && file.Memory.ArchivedReason == memory.ReasonUndone // without words of its own
		back.Foreign = !undone && marks.ForeignText(id, now) || f.Before != "" && marks.ForeignText(id, before)
	}
	for _, side := range memfile.Sides(now) {
		side.Memory.ID = id
		if side.Memory.IsStub() || damaged == nil && sameText(side.Memory, former.Memory) {
			continue
		}
		if err := archiveVersion(b, side); err != nil {
			return back, err
		}
	}
	trust, err := b.tx.Trust()
	if err != nil {
		return back, err
	}
	if trust.Holds(id, before) {
		b.Approve(id, before)
	}
	return back, b.WriteMemory(id, before)
}

// backInSight resets a memory's phase in the view of this clone, if it has stats.
func backInSight(tx *base.Tx, id memory.ID) error {
	stats, err := base.Tolerate(tx.Stats())
	if err != nil {
		return err
	}
	if st, ok := stats[id]; ok && st.Phase != memory.Full {
		st.Phase = memory.Full
		stats[id] = st
		tx.SetStats(stats)
	}
	return nil
}
