package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
)

// EraseTraces removes what this clone's own files contain of a memory: its entries in the undo journals of all work
// trees, the copies of what is not committed, its lines in the log, and the caches, which have the words of all
// memories. It can be repeated after a crash. It does not reach the caches of other work trees: those are rewritten
// when a process next looks at the memories there.
func (tx *Tx) EraseTraces(id memory.ID) error {
	if err := tx.eraseUndo(id); err != nil {
		return err
	}
	for _, dir := range tx.store.places.otherTrees() {
		if err := tx.eraseUndoIn(dir, id); err != nil {
			return err
		}
	}
	if err := tx.eraseCopies(id); err != nil {
		return err
	}
	if err := tx.eraseLog(id); err != nil {
		return err
	}
	return tx.eraseCaches()
}

// eraseUndo removes the entries of a memory from the journal, and all bytes that no entry
// needs: an earlier try may have been cut off.
func (tx *Tx) eraseUndo(id memory.ID) error {
	entries, err := tx.UndoJournal()
	if err != nil {
		return err
	}
	tx.steps = slices.DeleteFunc(tx.steps, func(s undoStep) bool { return s.path == id.Path() })
	var kept memory.UndoJournal
	for _, e := range slices.Backward(entries) {
		files := slices.DeleteFunc(slices.Clone(e.Files), func(f memory.UndoFile) bool { return f.Path == id.Path() })
		if len(files) == len(e.Files) && e.ID != id {
			kept = append(kept, e)
			continue
		}
		if e.Files = files; len(files) == 0 {
			continue
		}
		if e.ID == id {
			e.Topic, e.Why = "", ""
			e.ID, _ = memory.IDFromPath(files[0].Path)
		}
		kept = append(kept, e)
	}
	root := tx.treeRoot(false)
	if len(kept) == 0 && !hasFile(root, undoFile) && !hasFile(root, undoDir) {
		return nil
	}
	return storageError(trimUndo(root, kept), "write", tx.Path(undoFile))
}

// eraseUndoIn is eraseUndo for the journal of another work tree, whose directory for ltm is given.
func (tx *Tx) eraseUndoIn(dir string, id memory.ID) error {
	root, err := regular.OpenPath(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return storageError(err, "open", dir)
	}
	defer root.Close()
	other := &Tx{View: &View{store: tx.store, root: tx.root, clone: tx.clone, elsewhere: root}}
	return other.eraseUndo(id)
}

// eraseLog removes the lines about a memory from the log.
func (tx *Tx) eraseLog(id memory.ID) error {
	data, err := regular.Read(tx.clone, logFile, maxJSONBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return storageError(err, "read", tx.Path(logFile))
	}
	var kept bytes.Buffer
	for line := range bytes.Lines(data) {
		var e memory.Event
		if json.Unmarshal(line, &e) != nil || e.ID != id {
			kept.Write(line)
		}
	}
	if kept.Len() == len(data) {
		return nil
	}
	return storageError(atomicfile.ReplaceFast(tx.clone, logFile, kept.Bytes()), "write", tx.Path(logFile))
}
