package store

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/busyfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
)

// StrayKind is the kind of a file in the store's directories that is neither a memory nor in use.
type StrayKind int

// The kinds.
const (
	Unknown      StrayKind = iota // ltm did not write it; it is left alone
	Leftover                      // a killed process left it; the next change removes it
	Rejected                      // an edited text that could not be stored
	Damaged                       // the damaged file that a new stats, state or trust file has replaced
	OldLocal                      // LocalFolder, from before the project became a repository
	Predecessors                  // a file of the predecessor in the work tree, which ltm does not read
)

// Stray is a file of one of these kinds.
type Stray struct {
	Path string // as [View.Path] has it
	Kind StrayKind
}

// Strays lists the stray files by directory and name. Files of memories/ and archives/ that are not memories are in
// [Snapshot.Problems] instead, unless their names start with a dot.
func (v *View) Strays() []Stray {
	if v.root == nil {
		return nil
	}
	var found []Stray
	add := func(path string, kind StrayKind) { found = append(found, Stray{path, kind}) }
	strayOwn(v.root, func(name string) string { return name }, add)
	if v.clone != nil {
		strayOwn(v.clone, func(name string) string { return filepath.Join(v.store.places.Clone, name) }, add)
	}
	if tree := v.treeRoot(false); tree != nil && tree != v.clone {
		strayOwn(tree, func(name string) string { return filepath.Join(v.store.places.Tree, name) }, add)
	}
	for _, folder := range []string{memoriesDir, archivesDir} {
		for _, name := range namesIn(v.root, folder) {
			switch path := folder + "/" + name; {
			case !strings.HasPrefix(name, tempMark):
			case isTemp(name) && v.Shape(path).Regular():
				add(path, Leftover)
			default:
				add(path, Unknown)
			}
		}
	}
	for _, folder := range []string{packetsDir, draftsDir} {
		if v.rootOf(folder) == nil {
			continue
		}
		for _, sub := range []string{folder, folder + "/" + notesDir, folder + "/" + doneDir} {
			for _, name := range namesIn(v.rootOf(folder), sub) {
				if target, ok := atomicfile.TempOf(name); ok && ofPacket(target, nil) {
					add(sub+"/"+name, Leftover)
				}
			}
		}
	}
	if v.clone != nil {
		for _, name := range namesIn(v.clone, asideDir) {
			add(v.Path(asideDir+"/"+name), Rejected)
		}
	}
	own, older := v.own()
	if !v.store.places.Local && v.has(LocalFolder) && (!older || own == v.root) {
		add(LocalFolder, OldLocal)
	}
	if older && own == v.root {
		return found // the predecessor's counters are read until the first change takes them over
	}
	for _, name := range []string{statsFile, stateFile} {
		if v.has(name) {
			add(name, Predecessors)
		}
	}
	return found
}

// strayOwn finds temporary files and damaged copies beside the store's own files. It ignores all others.
func strayOwn(root *os.Root, path func(string) string, add func(string, StrayKind)) {
	for _, name := range namesIn(root, ".") {
		info, err := root.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if isTemp(name) {
			add(path(name), Leftover)
		} else if isDamagedCopy(name) {
			add(path(name), Damaged)
		}
	}
}

// isDamagedCopy reports whether a name is that of a damaged file that was kept.
func isDamagedCopy(name string) bool {
	base, ok := strings.CutSuffix(strings.TrimRight(name, ".0123456789"), damagedSuffix)
	switch base {
	case stateFile, statsFile, candidatesFile, trustFile, undoFile, batchFile:
		return ok
	}
	return false
}

// namesIn returns the sorted names of at most MaxFiles files of a directory. It follows no
// link. A directory that cannot be listed is empty.
func namesIn(root *os.Root, folder string) []string {
	if info, err := root.Lstat(folder); err != nil || !info.IsDir() {
		return nil
	}
	names, _ := regular.Names(root, folder, MaxFiles)
	slices.Sort(names)
	return names
}

// Shape is what is at a path of the store.
type Shape struct {
	There bool
	Mode  fs.FileMode
	Size  int64
	Err   error // why a regular file cannot be opened
}

// Regular reports whether it is a regular file.
func (s Shape) Regular() bool { return s.There && s.Mode.IsRegular() }

// String returns the name of a shape for messages.
func (s Shape) String() string {
	switch {
	case !s.There:
		return "nothing"
	case s.Mode.IsRegular():
		return "a file"
	case s.Mode.IsDir():
		return "a directory"
	case s.Mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	}
	return "a special file"
}

// Shape returns what is at a path of the store. It follows no link.
func (v *View) Shape(path string) Shape {
	root := v.homeOf(path)
	if root == nil {
		return Shape{}
	}
	info, err := busyfile.Lstat(root, path)
	if err != nil {
		return Shape{}
	}
	s := Shape{There: true, Mode: info.Mode(), Size: info.Size()}
	if s.Mode.IsRegular() {
		f, err := busyfile.Open(root, path)
		if err != nil {
			s.Err = atomicfile.Cause(err)
			return s
		}
		_ = f.Close()
	}
	return s
}

// homeOf returns the directory of a file of the store, or nil if it does not exist.
func (v *View) homeOf(path string) *os.Root {
	if isCloneFile(path) {
		return v.clone
	}
	return v.root
}

// HoldsMerge reports whether a file of the store has conflict markers of git.
func (v *View) HoldsMerge(name string) bool {
	root := v.homeOf(name)
	if root == nil {
		return false
	}
	data, err := regular.Read(root, name, maxJSONBytes)
	return err == nil && memory.HasConflictMarks(string(data))
}

// BadLogLines counts the lines of the log that cannot be read.
func (v *View) BadLogLines() (bad int, err error) {
	if v.clone == nil {
		return 0, nil
	}
	data, whole, err := regular.Tail(v.clone, logFile, 2*maxLogBytes)
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

// Tidy removes the temporary files of killed processes, as every change of a memory or a packet does.
func (tx *Tx) Tidy() error { return tx.prepare() }
