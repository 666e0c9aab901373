package store

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"ltm/internal/atomicfile"
	"ltm/internal/regular"
	"ltm/memfile"
	"ltm/memory"
)

// maxGroupBytes is the size limit of the list of memories that one change has changed.
const maxGroupBytes = 16 << 20

// undoBatch is what a batch did to memories.
type undoBatch struct {
	event memory.Event
	steps []undoStep
}

// groupEntry returns the entry of a batch, and keeps the list of its memories and the bytes
// before.
func (tx *Tx) groupEntry(b undoBatch, number int) memory.UndoEntry {
	var list bytes.Buffer
	for _, step := range b.steps {
		m := memory.UndoEntry{ID: step.id, After: checksum(memfile.UnixLines(step.after))}
		if step.before != nil {
			m.Before = tx.keepBytes(step.before)
		}
		line, _ := json.Marshal(m) // plain values never fail
		list.Write(append(line, '\n'))
	}
	sum := tx.keepBytes(list.Bytes())
	e := memory.UndoEntry{Number: number, Time: tx.store.now().UTC().Truncate(time.Second), Action: b.event.Action,
		Why: b.event.Why, After: sum, Group: sum, Members: len(b.steps)}
	if undone, ok := tx.undoes[""]; ok { // a change of several has no id
		e.Action, e.Undoes = memory.ActionUndone, undone.Number
	}
	return e
}

// UndoMembers returns the changes of single memories that a change of several consists of.
func (v *View) UndoMembers(e memory.UndoEntry) ([]memory.UndoEntry, error) {
	gone := memory.NewError(memory.CodeNotFound, memory.KindUndoGone, e.Group, "the list of that change is gone")
	root := v.treeRoot(false)
	if root == nil || !isSum(e.Group) {
		return nil, gone
	}
	data, err := regular.Read(root, undoDir+"/"+e.Group, maxGroupBytes)
	if err != nil || checksum(data) != e.Group {
		return nil, gone
	}
	return undoEntries(data), nil
}

// withoutMember returns an entry whose list lacks a memory, or reports false if nothing is left.
func (tx *Tx) withoutMember(e memory.UndoEntry, id memory.ID) (memory.UndoEntry, bool) {
	if e.Group == "" {
		return e, true
	}
	members, err := tx.UndoMembers(e)
	if err != nil {
		return e, false
	}
	kept := slices.DeleteFunc(slices.Clone(members), func(m memory.UndoEntry) bool { return m.ID == id })
	if len(kept) == len(members) {
		return e, true
	}
	var list bytes.Buffer
	for _, m := range kept {
		line, _ := json.Marshal(m)
		list.Write(append(line, '\n'))
	}
	sum := checksum(list.Bytes())
	staged, err := atomicfile.StageFast(tx.treeRoot(true), sum, list.Bytes()) // the list was there
	if err == nil {
		err = staged.Commit(undoDir + "/" + sum)
	}
	e.Group, e.After, e.Members = sum, sum, len(kept)
	return e, err == nil && len(kept) > 0
}
