package engine

import (
	"fmt"

	"ltm/internal/plural"
	"ltm/memfile"
	"ltm/memory"
)

// takeBackGroup takes back what a change did to several memories. Those that something else has
// changed since stay as they are; it returns how many. If that are all, it is a conflict.
func takeBackGroup(tx *changing, change memory.UndoEntry) (kept int, err error) {
	members, err := tx.UndoMembers(change)
	if err != nil {
		return 0, err
	}
	b := &batch{tx.NewBatch(), tx}
	for _, m := range members {
		if !tx.IsCurrent(m) {
			kept++
			continue
		}
		if err := b.takeBack(m); err != nil {
			return kept, err
		}
	}
	if kept == len(members) {
		return kept, memory.NewError(memory.CodeConflict, memory.KindGroupChanged, "",
			"something else has changed all files of that change since")
	}
	return kept, b.Commit(memory.Event{Action: memory.ActionUndone, Why: change.Why})
}

// takeBack adds to a batch what takes one memory back. A memory that the change had created leaves a
// stub, so that another import can bring it back.
func (b *batch) takeBack(m memory.UndoEntry) error {
	data, err := b.tx.ReadRaw(m.ID)
	if err != nil {
		return err
	}
	file, err := memfile.Parse(data)
	if err != nil {
		return err
	}
	file.Memory.ID = m.ID
	before, err := []byte(nil), error(nil)
	if m.Before != "" {
		if before, err = b.tx.UndoBytes(m.Before); err != nil {
			return err
		}
	}
	if !file.Memory.IsStub() {
		if err := archiveVersion(b, file); err != nil {
			return err
		}
	}
	if before == nil {
		before = memfile.FormatStub(file.Memory, b.tx.now, memory.ReasonUndone)
	}
	return b.WriteMemory(m.ID, before)
}

// tookBack says what was taken back.
func tookBack(change memory.UndoEntry, kept int) memory.Note {
	if change.Packet != "" {
		return memory.Say(fmt.Sprintf("took back: %s %s: %s", change.Action, memory.Quote(change.Packet, 70),
			change.Topic))
	}
	if change.Group == "" {
		return memory.Say(fmt.Sprintf("took back: %s %s: %s", change.Action, change.ID, change.Topic))
	}
	note := memory.Say(fmt.Sprintf("took back: %s %s", change.Action, change.Why))
	if kept > 0 {
		note = append(note, memory.Say(plural.Of(kept, "memory", "memories")+
			" stayed as something else has changed them since")...)
	}
	return note
}
