package engine

import (
	"context"
	"slices"

	"ltm/api"
	"ltm/memfile"
	"ltm/memory"
	"ltm/store"
)

// Undoable returns the changes of memories and packets that [Engine.Undo] can take back, the
// newest first: those that were made in this clone and not taken back yet.
func (e *Engine) Undoable(context.Context) (memory.UndoList, error) {
	list := memory.UndoList{Changes: []memory.UndoEntry{}}
	err := e.store.View(func(v *store.View) error {
		open, err := undoable(v)
		list.Changes = append(list.Changes, open...)
		return err
	})
	return list, err
}

func undoable(v *store.View) ([]memory.UndoEntry, error) {
	entries, err := v.UndoEntries()
	if err != nil {
		return nil, err
	}
	done := map[int]bool{}
	for _, e := range entries {
		done[e.Undoes] = true
	}
	return slices.DeleteFunc(entries, func(e memory.UndoEntry) bool { return e.Undoes > 0 || done[e.Number] }), nil
}

// Undo takes back the last change of a memory or, if id is empty, of any memory or packet. If that change was
// made together with changes of other memories, as when one supersedes another, it takes back all
// of them or none. A file gets its former bytes back. The text that this replaces is archived, and
// a memory that the change had created is archived. If something else has changed a file since,
// Undo returns a conflict and changes nothing.
func (e *Engine) Undo(ctx context.Context, id string) (api.Receipt, error) {
	var wanted memory.ID
	if id != "" {
		var err error
		if wanted, err = memory.ParseID(id); err != nil {
			return api.Receipt{}, err
		}
	}
	return e.undo(ctx, func(v *store.View, open []memory.UndoEntry) (int, error) {
		i := slices.IndexFunc(open, func(e memory.UndoEntry) bool { return wanted == "" || e.ID == wanted })
		if i < 0 {
			return 0, memory.NewError(memory.CodeNotFound, memory.KindUndoNone, id, "there is no change to undo")
		}
		if !isFree(v, open, open[i].Number) {
			return 0, memory.NewError(memory.CodeConflict, memory.KindFileChanged, id,
				"something else has changed a memory since that was changed together with %s", id)
		}
		return i, nil
	})
}

// UndoNumber is [Engine.Undo] for the change that has that number, whatever other memories were changed since. It is a
// conflict if a newer change is in its way: see [memory.UndoList.Free]. That its file has the same bytes again does not
// help, as the newer change would be the one that is taken back.
func (e *Engine) UndoNumber(ctx context.Context, number int) (api.Receipt, error) {
	return e.undo(ctx, func(v *store.View, open []memory.UndoEntry) (int, error) {
		if !isFree(v, open, number) {
			return 0, memory.NewError(memory.CodeConflict, memory.KindUndoNone, "",
				"something else was changed since, or it was taken back already")
		}
		return slices.IndexFunc(open, func(e memory.UndoEntry) bool { return e.Number == number }), nil
	})
}

// UndoOf returns the change that [Engine.UndoNumber] takes back by its number, and those that are taken back with it,
// the newest first. It returns nothing if that would be refused, as for a newer change or an edit of a memory.
func (e *Engine) UndoOf(_ context.Context, number int) (all []memory.UndoEntry, err error) {
	err = e.store.View(func(v *store.View) error {
		open, err := undoable(v)
		if err != nil || !isFree(v, open, number) {
			return err
		}
		if all = (memory.UndoList{Changes: open}).Free(number); changedSince(v, all) != "" {
			all = nil
		}
		return nil
	})
	return all, err
}

// changedSince returns a memory whose file something else has changed since changes that were made together, or "".
func changedSince(v *store.View, together []memory.UndoEntry) memory.ID {
	for _, e := range together {
		switch {
		case e.ID == "" || v.IsCurrent(e):
		case len(together) > 1 && v.IsBefore(e): // an earlier undo was killed here
		default:
			return e.ID
		}
	}
	return ""
}

// isFree reports whether no newer change is in the way of one that has a number, such as one of several memories at
// once, which the list does not name.
func isFree(v *store.View, open []memory.UndoEntry, number int) bool {
	changes := memory.UndoList{Changes: open}.Free(number)
	for _, newer := range open {
		if newer.Group == "" || newer.Number <= number {
			continue
		}
		members, err := v.UndoMembers(newer)
		if err != nil || slices.ContainsFunc(members, func(m memory.UndoEntry) bool {
			return slices.ContainsFunc(changes, func(c memory.UndoEntry) bool { return c.ID == m.ID })
		}) {
			return false
		}
	}
	return len(changes) > 0
}

// choosing returns the index of one of the changes that can be taken back.
type choosing = func(v *store.View, open []memory.UndoEntry) (int, error)

// undo takes back the change that choose returns the index of.
func (e *Engine) undo(ctx context.Context, choose choosing) (api.Receipt, error) {
	var all []memory.UndoEntry
	kept := 0
	err := e.update(ctx, func(tx *changing) error {
		open, err := undoable(tx.View)
		if err != nil {
			return err
		}
		i, err := choose(tx.View, open)
		if err != nil {
			return err
		}
		if last := open[i]; last.Packet != "" {
			all = []memory.UndoEntry{last}
			return e.takeBackPacket(tx, last)
		}
		if last := open[i]; last.Group != "" {
			all = []memory.UndoEntry{last}
			tx.note(e.openNow(tx.View), memory.Event{Action: memory.ActionUndone, Why: last.Action + " " + last.Why})
			tx.Undoes(last)
			kept, err = takeBackGroup(tx, last)
			return err
		}
		all = madeTogether(open, open[i])
		if id := changedSince(tx.View, all); id != "" {
			return memory.NewError(memory.CodeConflict, memory.KindFileChanged, string(id),
				"something else has changed the file of %s since", id)
		}
		for _, last := range all {
			tx.note(e.openNow(tx.View), memory.Event{Action: memory.ActionUndone, ID: last.ID, Topic: last.Topic,
				Why: last.Action})
			tx.Undoes(last)
			if err := takeBack(tx, last); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return api.Receipt{}, err
	}
	var took memory.Note
	for _, last := range all {
		took = append(took, tookBack(last, kept)...)
	}
	return e.receipt(api.Receipt{Success: true, ID: all[len(all)-1].ID, Message: took, Tags: []string{}}), nil
}

// takeBackPacket takes back what a change did to a packet.
func (e *Engine) takeBackPacket(tx *changing, last memory.UndoEntry) error {
	tx.note(e.openNow(tx.View), memory.Event{Action: memory.ActionUndone, Packet: last.Packet, Topic: last.Topic,
		Why: last.Action})
	tx.Undoes(last)
	return tx.TakeBackPacket(last)
}

// madeTogether returns a change and those that were made together with it, the newest first.
func madeTogether(open []memory.UndoEntry, change memory.UndoEntry) []memory.UndoEntry {
	if change.With == 0 {
		return []memory.UndoEntry{change}
	}
	return slices.DeleteFunc(slices.Clone(open), func(e memory.UndoEntry) bool { return e.With != change.With })
}

// takeBack writes the bytes that a memory's file had before a change.
func takeBack(tx *changing, change memory.UndoEntry) error {
	current, err := tx.Read(change.ID)
	if err != nil && !isMissing(err) && memory.CodeOf(err) != memory.CodeUnreadable {
		return err
	}
	if change.Before == "" {
		if current == nil {
			return memory.NewError(memory.CodeConflict, memory.KindFileUnreadable, string(change.ID),
				"the file of %s cannot be read", change.ID)
		}
		return leaveStub(tx, current, memory.ReasonForgotten)
	}
	before, err := tx.UndoBytes(change.Before)
	if err != nil {
		return err
	}
	if file, err := memfile.Parse(before); current != nil && (err != nil || !sameText(file.Memory, current.Memory)) {
		if err := archiveVersion(tx, current); err != nil {
			return err
		}
	}
	if err := tx.RestoreMemory(change.ID, before, before); err != nil {
		return err
	}
	return backInSight(tx, change.ID)
}

// backInSight resets a memory's phase in the view of this clone, if it has stats.
func backInSight(tx *changing, id memory.ID) error {
	stats, err := tolerate(tx.Stats())
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
