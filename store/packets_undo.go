package store

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"ltm/internal/atomicfile"
	"ltm/internal/regular"
	"ltm/memory"
)

// packetStep is what a change did to the files of one packet, in order.
type packetStep struct {
	id    string
	files []packetChange
}

// packetChange is a file of a packet that was written or removed.
type packetChange struct {
	Path   string `json:"path"`             // in the store
	Was    bool   `json:"was,omitempty"`    // the file existed
	Before []byte `json:"before,omitempty"` // what it held
	After  string `json:"after,omitempty"`  // checksum of what was written
	Gone   bool   `json:"gone,omitempty"`   // it was removed
}

// dirRead returns the bytes of a file, or nil if there is none.
func dirRead(dir *os.Root, name string) ([]byte, error) {
	data, err := regular.Read(dir, name, maxPacketBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// packetEntry returns the entry of the undo journal for a step, and keeps the bytes before it.
func (tx *Tx) packetEntry(step packetStep, number int) memory.UndoEntry {
	list, _ := json.Marshal(step.files) // plain values never fail
	sum := tx.keepBytes(list)
	e := memory.UndoEntry{Number: number, Packet: step.id, Before: sum, After: sum,
		Time: tx.store.now().UTC().Truncate(time.Second)}
	for _, event := range tx.events {
		if event.Packet == step.id {
			e.Action, e.Topic, e.Why = event.Action, event.Topic, event.Why
		}
	}
	if undone, ok := tx.undoes[""]; ok { // the change of a packet is of no memory
		e.Action, e.Undoes = memory.ActionUndone, undone.Number
	}
	return e
}

// TakeBackPacket gives the files of a packet the bytes that they had before a change. If something
// else has changed one since, it changes nothing. A file that the change made stays, empty.
func (tx *Tx) TakeBackPacket(e memory.UndoEntry) error {
	list, err := tx.UndoBytes(e.Before)
	if err != nil {
		return err
	}
	var files []packetChange
	if err := json.Unmarshal(list, &files); err != nil {
		return memory.NewError(memory.CodeNotFound, memory.KindUndoGone, e.Before, "the list of that change is damaged")
	}
	for _, f := range files {
		if err := tx.unchangedSince(f); err != nil {
			return err
		}
	}
	step := packetStep{id: e.Packet}
	defer func() { tx.packetSteps = append(tx.packetSteps, step) }()
	for _, f := range slices.Backward(files) {
		sub, name := splitPacketPath(f.Path)
		if !f.Was && sub == doneDir {
			dir, err := tx.ensurePackets(sub)
			if err == nil {
				err = atomicfile.Remove(dir, name)
			}
			if err != nil {
				return storageError(err, "remove", f.Path)
			}
			step.files = append(step.files, packetChange{Path: f.Path, Was: true, Gone: true})
			continue
		}
		if err := tx.replacePacketFile(&step, f.Path, f.Before); err != nil {
			return err
		}
	}
	return nil
}

// unchangedSince returns a conflict if a file is not as a change left it.
func (tx *Tx) unchangedSince(f packetChange) error {
	sub, name := splitPacketPath(f.Path)
	if !ofPacket(name, nil) || (sub != "" && sub != notesDir && sub != doneDir) {
		return memory.NewError(memory.CodeNotFound, memory.KindUndoGone, f.Path, "the list of that change is damaged")
	}
	var data []byte
	dir, err := tx.packets(sub)
	if err == nil && dir != nil {
		data, err = dirRead(dir, name)
	}
	if err != nil {
		return storageError(err, "read", f.Path)
	}
	if f.Gone && data == nil || !f.Gone && data != nil && checksum(data) == f.After {
		return nil
	}
	return memory.NewError(memory.CodeConflict, memory.KindFileChanged, f.Path,
		"something else has changed %s since", f.Path)
}
