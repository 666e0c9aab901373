package memory

import (
	"cmp"
	"slices"
	"time"
)

// UndoEntry is a change in the undo journal: what one command did to files of memories or packets. One without files is
// a change that cannot be undone.
type UndoEntry struct {
	Number int        `json:"number"` // from 1, in the order of the changes
	Time   time.Time  `json:"time"`
	Action string     `json:"action"`
	ID     ID         `json:"id,omitempty"`     // the first memory that was changed; empty: an import, or a packet
	Packet string     `json:"packet,omitempty"` // the id of the packet that was changed
	Topic  string     `json:"topic,omitempty"`
	Why    string     `json:"why,omitempty"`
	Files  []UndoFile `json:"files,omitempty"`
	Undoes int        `json:"undoes,omitempty"` // the number of the change that was undone, or of the undo that was redone

	Foreign bool `json:"from_elsewhere,omitempty"` // as of [Event]
}

// UndoFile is a file that a change replaced, made or removed. A checksum is "" where there is no file.
type UndoFile struct {
	Path   string `json:"path"`             // in the store
	Before string `json:"before,omitempty"` // checksum
	After  string `json:"after,omitempty"`  // checksum, with "\n" line ends
}

// Memories counts the memories that a change is of.
func (e UndoEntry) Memories() int {
	if e.Packet != "" {
		return 0
	}
	return len(e.Files)
}

// Touches reports whether a change is of a memory, or of a packet, with an id.
func (e UndoEntry) Touches(id string) bool {
	return e.Packet == id || string(e.ID) == id ||
		slices.ContainsFunc(e.Files, func(f UndoFile) bool { return f.Path == ID(id).Path() })
}

// IsImport reports whether a change is an import, which is of many memories.
func (e UndoEntry) IsImport() bool { return e.ID == "" && e.Packet == "" }

// Name returns the id that a person names a change by: of its packet, or of its first memory; "" if it has no files.
func (e UndoEntry) Name() string {
	if e.IsImport() && len(e.Files) > 0 {
		id, _ := IDFromPath(e.Files[0].Path)
		return string(id)
	}
	return cmp.Or(e.Packet, string(e.ID))
}

// UndoJournal has the changes of a work tree, and the undos and redos of them, the newest first.
type UndoJournal []UndoEntry

// Open returns the changes that were not undone, the newest first, also those that cannot be undone.
func (j UndoJournal) Open() []UndoEntry {
	undone := map[int]bool{}
	undoes := map[int]int{}
	for _, e := range slices.Backward(j) {
		switch undoes[e.Number] = e.Undoes; e.Action {
		case ActionUndone:
			undone[e.Undoes] = true
		case ActionRedone:
			delete(undone, undoes[e.Undoes])
		}
	}
	return slices.DeleteFunc(slices.Clone(j), func(e UndoEntry) bool { return e.Undoes > 0 || undone[e.Number] })
}

// Redoable returns the undos that can be redone, the next one first: those since the last change. since is that change;
// nil: the journal knows none.
func (j UndoJournal) Redoable() (undos []UndoEntry, since *UndoEntry) {
	redone := map[int]bool{}
	for i, e := range j {
		switch {
		case e.Undoes == 0 || len(e.Files) == 0:
			return undos, &j[i]
		case e.Action == ActionRedone:
			redone[e.Undoes] = true
		case !redone[e.Number]:
			undos = append(undos, e)
		}
	}
	return undos, nil
}

// List returns what can be undone and redone.
func (j UndoJournal) List() UndoList {
	list := UndoList{Changes: j.Open(), Redo: []UndoEntry{}}
	undos, _ := j.Redoable()
	for _, undo := range undos {
		if i := slices.IndexFunc(j, func(e UndoEntry) bool { return e.Number == undo.Undoes }); i >= 0 {
			list.Redo = append(list.Redo, j[i])
		}
	}
	return list
}

// UndoList lists the changes that were not undone, the newest first. Those without files cannot be.
type UndoList struct {
	Changes []UndoEntry `json:"changes"`
	Redo    []UndoEntry `json:"redo"` // the changes that were undone and can be redone, the next one first
}

// Free returns the change that has a number. It returns false if the list lacks that change, if it cannot be undone, or
// if a newer one of the same files is in its way.
func (l UndoList) Free(number int) (UndoEntry, bool) {
	i := slices.IndexFunc(l.Changes, func(e UndoEntry) bool { return e.Number == number })
	if i < 0 || len(l.Changes[i].Files) == 0 {
		return UndoEntry{}, false
	}
	paths := map[string]bool{}
	for _, f := range l.Changes[i].Files {
		paths[f.Path] = true
	}
	for _, newer := range l.Changes[:i] {
		if slices.ContainsFunc(newer.Files, func(f UndoFile) bool { return paths[f.Path] }) {
			return UndoEntry{}, false
		}
	}
	return l.Changes[i], true
}
