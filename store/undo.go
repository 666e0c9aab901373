package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"time"

	"ltm/internal/atomicfile"
	"ltm/internal/busyfile"
	"ltm/internal/regular"
	"ltm/memfile"
	"ltm/memory"
)

// The undo journal has a line for each change, and a directory with the bytes before the
// change, under their checksums. It is this work tree's own, as the files that it is about
// are, and best effort: the archives have every text that a change replaced.
const (
	undoFile = "undo.jsonl"
	undoDir  = "undo"

	// maxUndo is how many changes the journal keeps, and all those that were made together with the oldest of them.
	maxUndo = 100

	// maxUndoBytes is the size limit of the journal, which keeps half as much when it is trimmed.
	maxUndoBytes = 1 << 20
)

// undoStep is a file that a change replaced. before is nil if there was none.
type undoStep struct {
	id            memory.ID
	before, after []byte
}

// UndoEntries returns the changes that can be undone, the newest first. It skips lines
// that cannot be read.
func (v *View) UndoEntries() ([]memory.UndoEntry, error) {
	data, err := v.readUndo()
	entries := undoEntries(data)
	slices.Reverse(entries)
	return entries, err
}

// readUndo returns the lines of the journal.
func (v *View) readUndo() ([]byte, error) {
	root := v.treeRoot(false)
	if root == nil {
		return nil, nil
	}
	data, err := regular.Read(root, undoFile, maxUndoBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, storageError(err, "read", v.Path(undoFile))
}

func undoEntries(data []byte) []memory.UndoEntry {
	var entries []memory.UndoEntry
	for line := range bytes.Lines(data) {
		var e memory.UndoEntry
		if json.Unmarshal(line, &e) == nil && e.After != "" {
			entries = append(entries, e)
		}
	}
	return entries
}

// lastUndo returns the number of the last entry.
func lastUndo(data []byte) int {
	for rest := bytes.TrimRight(data, "\n"); len(rest) > 0; {
		at := bytes.LastIndexByte(rest, '\n') + 1
		if entries := undoEntries(rest[at:]); len(entries) > 0 {
			return entries[0].Number
		}
		rest = bytes.TrimRight(rest[:at], "\n")
	}
	return 0
}

// UndoBytes returns the bytes with a checksum of an entry.
func (v *View) UndoBytes(sum string) ([]byte, error) {
	root := v.treeRoot(false)
	if root == nil || !isSum(sum) {
		return nil, memory.NewError(memory.CodeNotFound, memory.KindUndoGone, sum, "the bytes of that change are gone")
	}
	data, err := regular.Read(root, undoDir+"/"+sum, memfile.MaxFileBytes)
	if err == nil && checksum(data) != sum {
		err = fs.ErrInvalid
	}
	if err != nil {
		return nil, memory.NewError(memory.CodeNotFound, memory.KindUndoGone, sum,
			"the bytes of that change are gone: %v", atomicfile.Cause(err))
	}
	return data, nil
}

// IsCurrent reports whether a memory's file is as a change left it, apart from line
// ends.
func (v *View) IsCurrent(e memory.UndoEntry) bool {
	data, err := v.ReadRaw(e.ID)
	return err == nil && checksum(memfile.UnixLines(data)) == e.After
}

// IsBefore reports whether a memory's file is as it was before a change.
func (v *View) IsBefore(e memory.UndoEntry) bool {
	data, err := v.ReadRaw(e.ID)
	return err == nil && checksum(data) == e.Before
}

// writeUndo adds the steps of this change to the journal. It returns the entries that are there now, the oldest first,
// or nothing if they cannot be taken back, and whether there was anything to add.
func (tx *Tx) writeUndo() (written []memory.UndoEntry, changed bool) {
	added := len(tx.steps) + len(tx.batches) + len(tx.packetSteps)
	if added == 0 {
		return nil, false
	}
	root := tx.treeRoot(true)
	if root == nil {
		return nil, true
	}
	data, err := tx.readUndo()
	if err != nil {
		_ = root.Rename(undoFile, damagedCopy(root, undoFile))
	}
	first := lastUndo(data) + 1
	if err := root.Mkdir(undoDir, dirPerm); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, true
	}
	lines := tx.undoLines(first)
	written = undoEntries(lines)
	if bytes.Count(data, []byte("\n"))+added <= maxUndo+maxUndo/4 && len(data)+len(lines) <= maxUndoBytes {
		_, err = regular.AppendLines(root, undoFile, lines)
	} else {
		all := newestUndo(append(undoEntries(data), written...))
		written = all[max(0, len(all)-len(written)):]
		err = tx.trimUndo(all)
	}
	lacks := func(e memory.UndoEntry) bool { return e.Before != "" && !hasFile(root, undoDir+"/"+e.Before) }
	if err != nil || slices.ContainsFunc(written, lacks) {
		return nil, true
	}
	return written, true
}

// undoLines returns the entries of this change as lines, with numbers from first on, and keeps the bytes before it.
func (tx *Tx) undoLines(first int) []byte {
	var lines bytes.Buffer
	for i := range len(tx.steps) + len(tx.batches) + len(tx.packetSteps) {
		number := first + i
		var e memory.UndoEntry
		switch rest := i - len(tx.steps); {
		case rest < 0:
			if e = tx.entry(tx.steps[i], number); tx.together && len(tx.steps) > 1 {
				e.With = first
			}
		case rest < len(tx.batches):
			e = tx.groupEntry(tx.batches[rest], number)
		default:
			e = tx.packetEntry(tx.packetSteps[rest-len(tx.batches)], number)
		}
		if line, err := json.Marshal(e); err == nil {
			lines.Write(append(line, '\n'))
		}
	}
	return lines.Bytes()
}

// entry returns the entry of a step, and keeps the bytes before it.
func (tx *Tx) entry(step undoStep, number int) memory.UndoEntry {
	now := tx.store.now().UTC().Truncate(time.Second)
	e := memory.UndoEntry{Number: number, ID: step.id, Action: memory.ActionUpdated, Time: now}
	for _, event := range tx.events {
		if event.ID == step.id {
			e.Action, e.Topic, e.Why = event.Action, event.Topic, event.Why
		}
	}
	if step.before != nil {
		e.Before = tx.keepBytes(step.before)
	}
	e.After = checksum(memfile.UnixLines(step.after))
	if undone, ok := tx.undoes[step.id]; ok {
		e.Action, e.Undoes = memory.ActionUndone, undone.Number
	}
	return e
}

// Undoes records an earlier change that this one undoes, one for each memory.
func (tx *Tx) Undoes(e memory.UndoEntry) {
	if tx.undoes == nil {
		tx.undoes = map[memory.ID]memory.UndoEntry{}
	}
	tx.undoes[e.ID] = e
}

// Together records that the changes of memories that this change makes are one for a person: an
// undo takes all of them back.
func (tx *Tx) Together() { tx.together = true }

// keepBytes writes bytes under their checksum and returns it.
func (tx *Tx) keepBytes(data []byte) string {
	sum := checksum(data)
	name := undoDir + "/" + sum
	root := tx.treeRoot(true)
	if root == nil {
		return sum
	}
	if _, err := root.Lstat(name); err != nil {
		// The temporary file is beside the journal, where leftovers are swept.
		if staged, err := atomicfile.StageFast(root, sum, data); err == nil {
			_ = staged.Commit(name)
		}
	}
	return sum
}

// newestUndo returns the newest entries. Those of changes that were made together stay together: an undo that took back
// some of them would say that it was all.
func newestUndo(entries []memory.UndoEntry) []memory.UndoEntry {
	from, size := len(entries), 0
	for from > 0 && len(entries)-from < maxUndo {
		first := from - 1
		for first > 0 && entries[first].With != 0 && entries[first-1].With == entries[first].With {
			first--
		}
		for _, e := range entries[first:from] {
			line, _ := json.Marshal(e) // plain values never fail
			size += len(line) + 1
		}
		if size > maxUndoBytes/2 {
			break
		}
		from = first
	}
	return entries[from:]
}

// trimUndo keeps the newest entries, and the bytes that they need.
func (tx *Tx) trimUndo(entries []memory.UndoEntry) error {
	entries = newestUndo(entries)
	var lines bytes.Buffer
	needed := map[string]bool{}
	for _, e := range entries {
		line, err := json.Marshal(e)
		if err != nil {
			continue
		}
		lines.Write(append(line, '\n'))
		needed[e.Before] = true
		if e.Group != "" {
			needed[e.Group] = true
			members, _ := tx.UndoMembers(e)
			for _, m := range members {
				needed[m.Before] = true
			}
		}
	}
	root := tx.treeRoot(true)
	if root == nil {
		return fs.ErrNotExist
	}
	if err := atomicfile.ReplaceFast(root, undoFile, lines.Bytes()); err != nil {
		return err
	}
	for _, name := range namesIn(root, undoDir) {
		if needed[name] {
			continue
		}
		if err := busyfile.Remove(root, undoDir+"/"+name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func checksum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func isSum(s string) bool {
	data, err := hex.DecodeString(s)
	return err == nil && len(data) == sha256.Size
}
