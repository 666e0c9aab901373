package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ltm/memory"
)

// StrayKind says what a file of the store's folders is that is neither a memory
// nor one that ltm works with.
type StrayKind int

// The kinds.
const (
	Foreign  StrayKind = iota // somebody else's; it is left alone
	Leftover                  // a killed process left it; the next change removes it
	Rejected                  // a text of a person that could not be stored
	Damaged                   // what a new stats.json, state.json or .trust.json took the place of
	LoneNote                  // a note in the log of archives, of which there is no archive
	BadNote                   // a name in the log of archives that is no note
)

// Stray is such a file.
type Stray struct {
	Path string // in the store; of a folder of all work trees the whole path
	Kind StrayKind
}

// Strays lists them in the order of their folders, by name. Files of memories/
// and archives/ that are no memories are [Snapshot.Problems], unless their names
// begin with a dot.
func (v *View) Strays() []Stray {
	if v.root == nil {
		return nil
	}
	var found []Stray
	add := func(path string, kind StrayKind) { found = append(found, Stray{path, kind}) }
	strayOwn(v.root, "", add)
	if v.shared {
		strayOwn(v.volatile, v.volatileDir+string(filepath.Separator), add)
	}
	var archives []string
	for _, folder := range []string{memoriesDir, archivesDir} {
		archives = namesIn(v.root, folder)
		for _, name := range archives {
			switch path := folder + "/" + name; {
			case !strings.HasPrefix(name, tempMark):
			case isTemp(name) && v.Shape(path).Regular():
				add(path, Leftover)
			default:
				add(path, Foreign)
			}
		}
	}
	v.strayNotes(archives, add)
	for _, name := range namesIn(v.root, asideDir) {
		if name != ignoreFile {
			add(asideDir+"/"+name, Rejected)
		}
	}
	return found
}

// strayOwn finds what is left over and what was set aside beside the store's own
// files. Others are none of its business there.
func strayOwn(root *os.Root, prefix string, add func(string, StrayKind)) {
	for _, name := range namesIn(root, ".") {
		info, err := root.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if isTemp(name) {
			add(prefix+name, Leftover)
		} else if isDamagedCopy(name) {
			add(prefix+name, Damaged)
		}
	}
}

// isDamagedCopy says whether a name is one under which a damaged file is kept.
func isDamagedCopy(name string) bool {
	base, ok := strings.CutSuffix(strings.TrimRight(name, ".0123456789"), damagedSuffix)
	switch base {
	case tempMark + stateFile, tempMark + statsFile, trustFile:
		return ok
	}
	return false
}

func (v *View) strayNotes(archives []string, add func(string, StrayKind)) {
	if info, err := v.root.Lstat(archiveLogDir); err == nil && !info.IsDir() {
		add(archiveLogDir, Foreign)
		return
	}
	for _, name := range namesIn(v.root, archiveLogDir) {
		id, _, ok := parseNote(name)
		_, kept := slices.BinarySearch(archives, id.File())
		switch {
		case !ok:
			add(archiveLogDir+"/"+name, BadNote)
		case !kept:
			add(archiveLogDir+"/"+name, LoneNote)
		}
	}
}

// namesIn lists a folder by name, as much of it as is looked at elsewhere. It
// follows no link, and what cannot be listed is empty.
func namesIn(root *os.Root, folder string) []string {
	if info, err := root.Lstat(folder); err != nil || !info.IsDir() {
		return nil
	}
	dir, err := root.Open(folder)
	if err != nil {
		return nil
	}
	defer dir.Close()
	var names []string
	_ = eachName(dir, func(name string) bool {
		names = append(names, name)
		return len(names) < MaxFiles
	})
	slices.Sort(names)
	return names
}

// Shape is what stands at a path of the store.
type Shape struct {
	There bool
	Mode  fs.FileMode
	Size  int64
	Err   error // a regular file that cannot be opened: why
}

// Regular says whether it is a file with bytes, and no folder, link or device.
func (s Shape) Regular() bool { return s.There && s.Mode.IsRegular() }

// String names a shape, for people.
func (s Shape) String() string {
	switch {
	case !s.There:
		return "nothing"
	case s.Mode.IsRegular():
		return "a file"
	case s.Mode.IsDir():
		return "a folder"
	case s.Mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	}
	return "a special file"
}

// Shape looks at a path of the store, and follows no link.
func (v *View) Shape(path string) Shape {
	if v.root == nil {
		return Shape{}
	}
	root := v.homeOf(path)
	info, err := root.Lstat(path)
	if err != nil {
		return Shape{}
	}
	s := Shape{There: true, Mode: info.Mode(), Size: info.Size()}
	if s.Mode.IsRegular() {
		f, err := root.Open(path)
		if err != nil {
			s.Err = cause(err)
			return s
		}
		_ = f.Close()
	}
	return s
}

// homeOf returns the folder that a file of the store stands in: some can be those
// of all work trees.
func (v *View) homeOf(path string) *os.Root {
	switch path {
	case statsFile, stateFile, trustFile:
		return v.volatile
	}
	return v.root
}

// HoldsMerge says whether a file of the store holds the marks of a merge that git
// could not settle.
func (v *View) HoldsMerge(name string) bool {
	if v.root == nil {
		return false
	}
	data, err := readBounded(v.homeOf(name), name, maxJSONBytes)
	return err == nil && memory.HasConflictMarks(string(data))
}

// BadLogLines counts the lines of the log that cannot be read.
func (v *View) BadLogLines() (bad int, err error) {
	if v.root == nil {
		return 0, nil
	}
	data, whole, err := readTail(v.root, logFile, 2*maxLogBytes)
	if err != nil {
		return 0, storageError(err, "read", logFile)
	}
	if !whole {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		if len(line) > 0 && !json.Valid(line) {
			bad++
		}
	}
	return bad, nil
}

// InspectTrust reads the whole record of what was written here. A record of
// another folder counts as none, and is no error.
func (v *View) InspectTrust() (elsewhere bool, err error) {
	if v.root == nil {
		return false, nil
	}
	data, err := readBounded(v.volatile, trustFile, maxJSONBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, memory.Errorf(memory.CodeUnreadable, "", "%s cannot be read: %v", trustFile, cause(err))
	}
	var t trustJSON
	err = decodeVersioned(trustFile, data, &t, &t.Version)
	if memory.CodeOf(err) == memory.CodeUnreadable || t.Folder == folderMark(v.volatile) {
		return false, err
	}
	return true, nil
}

// RenewTrust begins a damaged record anew. The old one stays beside it, and
// everything counts as from elsewhere until a person approves it.
func (tx *Tx) RenewTrust() error {
	_, err := tx.loadTrust()
	tx.trustChanged = err == nil
	return err
}

// Tidy removes what killed processes left, as every change of a memory does.
func (tx *Tx) Tidy() error { return tx.prepare() }
