package store

import (
	"bytes"
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

// dirRead returns the bytes of a file, or nil if it does not exist.
func dirRead(dir *os.Root, name string) ([]byte, error) {
	data, err := regular.Read(dir, name, maxPacketBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// noteStep adds what was done to a packet to the undo journal.
func (tx *Tx) noteStep(step packetStep) {
	if len(step.files) > 0 {
		tx.packetSteps = append(tx.packetSteps, step)
	}
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
	if err := json.Unmarshal(list, &files); err != nil || len(files) == 0 {
		return memory.NewError(memory.CodeNotFound, memory.KindUndoGone, e.Before, "the list of that change is damaged")
	}
	if err := tx.unchangedSince(files); err != nil {
		return err
	}
	step := packetStep{id: e.Packet}
	defer func() { tx.noteStep(step) }()
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

// unchangedSince returns a conflict if a file is not as a change left it. Some may be as they were
// before, because an undo was killed there.
func (tx *Tx) unchangedSince(files []packetChange) error {
	asLeft := false
	for _, f := range files {
		sub, name := splitPacketPath(f.Path)
		if !ofPacket(name, nil) || (sub != "" && sub != notesDir && sub != doneDir) {
			return memory.NewError(memory.CodeNotFound, memory.KindUndoGone, f.Path,
				"the list of that change is damaged")
		}
		var data []byte
		dir, err := tx.packets(sub)
		if err == nil && dir != nil {
			data, err = dirRead(dir, name)
		}
		if err != nil {
			return storageError(err, "read", f.Path)
		}
		switch left := f.isAfter(data); {
		case !left && !f.isBefore(data):
			return changedSince(f.Path)
		case left:
			asLeft = true
		}
	}
	if !asLeft {
		return changedSince(files[0].Path)
	}
	return nil
}

func changedSince(path string) error {
	return memory.NewError(memory.CodeConflict, memory.KindFileChanged, path,
		"something else has changed %s since", path)
}

// isAfter reports whether bytes are those that a change left, nil for no file.
func (f packetChange) isAfter(data []byte) bool {
	if f.Gone {
		return data == nil
	}
	return data != nil && checksum(data) == f.After
}

// isBefore reports whether bytes are those before a change. A file that was missing is empty after
// an undo.
func (f packetChange) isBefore(data []byte) bool {
	if !f.Was {
		return len(data) == 0
	}
	return data != nil && bytes.Equal(data, f.Before)
}
