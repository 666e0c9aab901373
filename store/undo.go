package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/busyfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
	"ltm/memory/memfile"
)

// The undo journal has a line for each change, and a directory with the bytes before the
// change, under their checksums. It is this work tree's own, as the files that it is about
// are, and best effort: the archives have every text that a change replaced.
const (
	undoFile = "undo.jsonl"
	undoDir  = "undo"

	// maxUndo is how many changes the journal keeps.
	maxUndo = 100

	// maxUndoBytes is the size limit of the journal, which keeps half as much when it is trimmed. An import of as many
	// memories as a store may have takes a quarter.
	maxUndoBytes = 16 << 20
)

// undoStep is a file that a change replaced, made or removed. The bytes are nil where there is no file.
type undoStep struct {
	path          string // in the store
	before, after []byte
}

// UndoJournal returns the changes in the journal. It skips lines that cannot be read.
func (v *View) UndoJournal() (memory.UndoJournal, error) {
	data, err := v.readUndo()
	entries := undoEntries(data)
	slices.Reverse(entries)
	return entries, err
}

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

func undoEntries(data []byte) memory.UndoJournal {
	var entries memory.UndoJournal
	for line := range bytes.Lines(data) {
		var e memory.UndoEntry
		if json.Unmarshal(line, &e) == nil && e.Action != "" &&
			!slices.ContainsFunc(e.Files, func(f memory.UndoFile) bool { return !isUndoPath(f.Path) }) {
			entries = append(entries, e)
		}
	}
	return entries
}

// isUndoPath reports whether a path in the store is that of a memory, or of a file of a packet.
func isUndoPath(path string) bool {
	folder, name, _ := strings.Cut(path, "/")
	if folder == memoriesDir {
		_, ok := memory.IDFromFile(name)
		return ok
	}
	folder, sub, name := splitPacketPath(path)
	return (folder == packetsDir || folder == draftsDir) &&
		ofPacket(name, nil) && (sub == "" || sub == notesDir || sub == doneDir)
}

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
	data, err := regular.Read(root, undoDir+"/"+sum, maxPacketBytes)
	if err == nil && checksum(data) != sum {
		err = fs.ErrInvalid
	}
	if err != nil {
		return nil, memory.NewError(memory.CodeNotFound, memory.KindUndoGone, sum,
			"the bytes of that change are gone: %v", atomicfile.Cause(err))
	}
	return data, nil
}

// IsAfter reports whether a file is as a change left it, apart from line ends.
func (v *View) IsAfter(f memory.UndoFile) bool {
	data, err := v.undoable(f.Path)
	return err == nil && sumOf(memfile.UnixLines(data)) == f.After
}

// IsBefore reports whether a file is as it was before a change. Where there was none, a stub or an empty file counts as
// none.
func (v *View) IsBefore(f memory.UndoFile) bool {
	data, err := v.undoable(f.Path)
	return err == nil && (sumOf(data) == f.Before || f.Before == "" && (len(data) == 0 || memfile.IsStubFile(data)))
}

// undoable returns the bytes of a file of a memory or a packet, nil if there is none.
func (v *View) undoable(path string) (data []byte, err error) {
	if id, ok := memory.IDFromPath(path); ok {
		data, err = v.ReadRaw(id)
	} else {
		data, err = v.packetBytes(path, maxPacketBytes)
	}
	if memory.CodeOf(err) == memory.CodeNotFound {
		return nil, nil
	}
	return data, err
}

// Unasked records that nobody asked for this change. It has no entry in the undo journal, so that an undo takes back
// what a person or a session did before it.
func (tx *Tx) Unasked() { tx.unasked = true }

// writeUndo adds this change to the journal, unless it failed before it changed a file. It returns the entry that is
// there now, or nil if it cannot be undone, and whether a file was changed.
func (tx *Tx) writeUndo(failed error) (written *memory.UndoEntry, changed bool) {
	steps := joined(tx.steps)
	if tx.unasked {
		return nil, len(steps) > 0
	}
	e, known := tx.undoEntry(steps)
	if !known || failed != nil && len(steps) == 0 {
		return nil, false
	}
	changed = len(steps) > 0
	root := tx.treeRoot(true)
	if root == nil {
		return nil, changed
	}
	data, err := tx.readUndo()
	if err != nil {
		_ = root.Rename(undoFile, damagedCopy(root, undoFile))
	}
	if err := root.Mkdir(undoDir, dirPerm); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, changed
	}
	e.Number, e.Time = lastUndo(data)+1, tx.store.now().UTC().Truncate(time.Second)
	lost := false
	for _, step := range steps {
		f := memory.UndoFile{Path: step.path, After: sumOf(memfile.UnixLines(step.after))}
		if f.Before = sumOf(step.before); f.Before != "" && !keepBytes(root, f.Before, step.before) {
			lost = true
		}
		e.Files = append(e.Files, f)
	}
	line, _ := json.Marshal(e) // plain values never fail
	if lost || len(line) > maxUndoBytes/2 {
		e.Files = nil
		line, _ = json.Marshal(e)
	}
	line = append(line, '\n')
	if bytes.Count(data, []byte("\n")) < maxUndo+maxUndo/4 && len(data)+len(line) <= maxUndoBytes {
		_, err = regular.AppendLines(root, undoFile, line)
	} else {
		err = trimUndo(root, append(undoEntries(data), e))
	}
	if err != nil || len(e.Files) == 0 {
		return nil, changed
	}
	return &e, changed
}

// joined returns steps with one for each file.
func joined(steps []undoStep) []undoStep {
	at := map[string]int{}
	var all []undoStep
	for _, step := range steps {
		if i, twice := at[step.path]; twice {
			all[i].after = step.after
			continue
		}
		at[step.path] = len(all)
		all = append(all, step)
	}
	return all
}

// undoEntry returns what this change was: by the event of its batch, the first one about its files, or one that no undo
// takes back. known is false if it was none of that.
func (tx *Tx) undoEntry(steps []undoStep) (e memory.UndoEntry, known bool) {
	if undone := tx.undoes; undone != nil {
		e = memory.UndoEntry{Action: memory.ActionUndone, ID: undone.ID, Packet: undone.Packet, Topic: undone.Topic,
			Why: undone.Why, Undoes: undone.Number}
		if undone.Undoes != 0 {
			e.Action = memory.ActionRedone
		}
		return e, true
	}
	about := func(event memory.Event) bool {
		return event.Packet != "" || slices.ContainsFunc(steps, func(s undoStep) bool {
			return s.path == event.ID.Path()
		})
	}
	i := slices.IndexFunc(tx.events, memory.Event.IsFinal)
	if len(steps) > 0 {
		i = slices.IndexFunc(tx.events, about)
	}
	var event memory.Event
	switch {
	case tx.batch != nil:
		event = *tx.batch
	case i >= 0:
		event = tx.events[i]
	case len(steps) > 0:
		event.Action = memory.ActionUpdated
		event.ID, _ = memory.IDFromPath(steps[0].path)
	}
	return memory.UndoEntry{Action: event.Action, ID: event.ID, Packet: event.Packet, Topic: event.Topic,
		Why: event.Why}, i >= 0 || len(steps) > 0
}

// Undoes records that this change undoes an earlier one, or redoes what that undo took back.
func (tx *Tx) Undoes(e memory.UndoEntry) { tx.undoes = &e }

// keepBytes writes bytes under their checksum, and reports whether they are there.
func keepBytes(root *os.Root, sum string, data []byte) bool {
	name := undoDir + "/" + sum
	if _, err := root.Lstat(name); err == nil {
		return true
	}
	// The temporary file is beside the journal, where leftovers are swept.
	staged, err := atomicfile.StageFast(root, sum, data)
	return err == nil && staged.Commit(name) == nil
}

// trimUndo keeps the newest entries, and the bytes that they need.
func trimUndo(root *os.Root, entries []memory.UndoEntry) error {
	var lines [][]byte
	needed := map[string]bool{}
	size := 0
	for _, e := range slices.Backward(entries) {
		line, _ := json.Marshal(e) // plain values never fail
		if size += len(line) + 1; size > maxUndoBytes/2 || len(lines) == maxUndo {
			break
		}
		lines = append(lines, append(line, '\n'))
		for _, f := range e.Files {
			needed[f.Before] = true
		}
	}
	slices.Reverse(lines)
	if err := atomicfile.ReplaceFast(root, undoFile, bytes.Join(lines, nil)); err != nil {
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

// sumOf is the checksum of bytes, or "" for nil.
func sumOf(data []byte) string {
	if data == nil {
		return ""
	}
	return checksum(data)
}

func checksum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func isSum(s string) bool {
	data, err := hex.DecodeString(s)
	return err == nil && len(data) == sha256.Size
}
