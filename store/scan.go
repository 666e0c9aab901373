package store

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"ltm/memory"
)

// Stamp tells whether a file changed since it was read.
type Stamp struct {
	Size    int64
	ModTime int64 // nanoseconds since 1970
}

func (s Stamp) time() time.Time { return time.Unix(0, s.ModTime).UTC().Truncate(time.Second) }

// Record is what a scan keeps of a memory's file: its header without summary and
// content.
type Record struct {
	memory.Memory
	Stamp   Stamp
	Settled bool // false: the file may have changed since without changing its stamp

	File string // the name of the file
}

// MaxFiles is how many files of a folder are looked at. A folder of more is not
// one that people or eviction made, and reading it would hang the client's hooks.
const MaxFiles = 20_000

// Snapshot is a directory of memory files at one moment. It does not change.
type Snapshot struct {
	Records  []Record             // by id; of an archive the newest version
	Stubs    []Record             // by id: memories that were set aside
	Problems []memory.FileProblem // files that are not readable memories, by name
	Full     bool                 // there are MaxFiles, and maybe others that were not looked at

	Unsettled []Record // by name: files with a merge that git could not settle, older versions of archives among them

	Versions map[memory.ID][]string // the names of all versions of an archive, the newest first
}

// Find returns the record of a memory that is not a stub.
func (s *Snapshot) Find(id memory.ID) (Record, bool) { return find(s.Records, id) }

// FindStub returns the record of a memory that was set aside.
func (s *Snapshot) FindStub(id memory.ID) (Record, bool) { return find(s.Stubs, id) }

func find(records []Record, id memory.ID) (Record, bool) {
	i, ok := slices.BinarySearchFunc(records, id, func(r Record, id memory.ID) int { return strings.Compare(string(r.ID), string(id)) })
	if !ok {
		return Record{}, false
	}
	return records[i], true
}

// fileState is what the last scan saw of one file: a memory, or why it is none.
type fileState struct {
	stamp   Stamp
	seen    int64 // when it was read, nanoseconds since 1970
	problem string
	head    memory.Memory
}

// folderState is what the last scan saw of a folder.
type folderState struct {
	stamp Stamp // of the folder itself
	seen  int64
	files map[string]fileState
	list  []listed // the same files, to look at one after the other
}

// listed is a file's name and what is needed to see whether it changed.
type listed struct {
	name  string
	stamp Stamp
	seen  int64
}

// withList fills the list from the files.
func (f *folderState) withList() *folderState {
	f.list = make([]listed, 0, len(f.files))
	for name, state := range f.files {
		f.list = append(f.list, listed{name, state.stamp, state.seen})
	}
	return f
}

// A file that was written again within one tick of the file system's clock has
// the same stamp as before. So what was read within settle of its own time
// stamp is read again; file systems that only keep whole seconds need longer.
const (
	settle       = 50 * time.Millisecond
	settleCoarse = 2500 * time.Millisecond
)

// settled says whether a stamp seen at that time can be believed later.
func (s Stamp) settled(seen int64) bool {
	wait := settle
	if s.ModTime%int64(time.Second) == 0 {
		wait = settleCoarse
	}
	return s.ModTime+int64(wait) < seen
}

func stampOf(info fs.FileInfo) Stamp {
	return Stamp{info.Size(), info.ModTime().UnixNano()}
}

// scan lists a folder of memory files, reading only those that changed since
// prev. When quick is set and the folder's own stamp has not changed, prev is
// believed without a look at the files: hand edits in place are then missed.
// It returns prev itself when nothing changed.
func scan(root *os.Root, prev *folderState, quick bool, now time.Time) (*folderState, error) {
	info, err := root.Lstat(".")
	if err != nil {
		return nil, err
	}
	stamp := stampOf(info)
	same := prev != nil && prev.stamp == stamp && stamp.settled(prev.seen)
	if quick && same {
		return prev, nil
	}
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if same {
		// No name came or went: only files that were edited in place can differ.
		return rescan(root, dir, prev, now)
	}
	next := &folderState{stamp: stamp, seen: now.UnixNano(), files: map[string]fileState{}}
	err = eachName(dir, func(name string) bool {
		if strings.HasPrefix(name, tempMark) {
			return true
		}
		if state, ok := scanFile(root, dir, name, prev, now); ok {
			next.files[name] = state
		}
		return len(next.files) < MaxFiles
	})
	if err != nil {
		return nil, err
	}
	return next.withList(), nil
}

// eachName calls fn for the names in a folder, in the order that the system has
// them, until it returns false. It never holds all of them.
func eachName(dir *os.File, fn func(name string) bool) error {
	for {
		names, err := dir.Readdirnames(1024)
		for _, name := range names {
			if !fn(name) {
				return nil
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// parallelScan is how many files make it worth to look at them from every core.
const parallelScan = 200

// rescan looks at the files of a folder whose names have not changed.
func rescan(root *os.Root, dir *os.File, prev *folderState, now time.Time) (*folderState, error) {
	parts := 1
	if len(prev.list) > parallelScan {
		parts = 2 * runtime.GOMAXPROCS(0)
	}
	changed := make([][]string, parts)
	var wait sync.WaitGroup
	for i := range parts {
		part := prev.list[i*len(prev.list)/parts : (i+1)*len(prev.list)/parts]
		wait.Go(func() {
			for _, old := range part {
				stamp, _, err := stat(dir, root, old.name)
				if err != nil || old.stamp != stamp || !stamp.settled(old.seen) {
					changed[i] = append(changed[i], old.name)
				}
			}
		})
	}
	wait.Wait()
	again := slices.Concat(changed...)
	if len(again) == 0 {
		return prev, nil
	}
	next := &folderState{stamp: prev.stamp, seen: now.UnixNano(), files: maps.Clone(prev.files)}
	for _, name := range again {
		delete(next.files, name)
		if state, ok := scanFile(root, dir, name, prev, now); ok {
			next.files[name] = state
		}
	}
	return next.withList(), nil
}

// scanFile returns the state of one file, and false when the file is gone.
func scanFile(root *os.Root, dir *os.File, name string, prev *folderState, now time.Time) (fileState, bool) {
	stamp, regular, err := stat(dir, root, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fileState{}, false
	case err != nil:
		return fileState{problem: problemText(err)}, true // not gone, and to be looked at again
	}
	if prev != nil {
		if old, ok := prev.files[name]; ok && old.stamp == stamp && stamp.settled(old.seen) {
			return old, true
		}
	}
	state := fileState{stamp: stamp, seen: now.UnixNano()}
	if !regular {
		state.problem = errNotRegular.Error()
		return state, true
	}
	file, err := readMemory(root, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fileState{}, false
	case err != nil:
		state.problem = problemText(err)
		if memory.CodeOf(err) == "" && !errors.Is(err, errTooLarge) {
			state.seen = 0 // no stamp tells when the disk gives it, or it is allowed: look again
		}
	default:
		state.head = headOf(file.Memory)
	}
	return state, true
}

// headOf drops what scans do not keep in memory.
func headOf(m memory.Memory) memory.Memory {
	m.Summary, m.Content = "", ""
	return m
}

// problemText says in a few words why a file is no memory.
func problemText(err error) string {
	var e *memory.Error
	switch {
	case errors.As(err, &e):
		return e.Message
	case errors.Is(err, errTooLarge):
		return "the file is larger than a memory can be"
	}
	return cause(err).Error()
}

// readMemory reads a memory file whose name says which memory it should be.
func readMemory(root *os.Root, name string) (*memory.File, error) {
	id, version, ok := memory.ParseArchiveName(name)
	if !ok {
		return nil, memory.Errorf(memory.CodeUnreadable, "", `the file name is not "mem_", 8 hex digits and ".md"`)
	}
	data, err := readBounded(root, name, memory.MaxFileBytes)
	if err != nil {
		return nil, err
	}
	file, err := memory.Parse(data)
	if err != nil {
		return nil, err
	}
	if version > 0 && file.IsPlain() { // only ltm writes files of that name, and always a header
		return nil, memory.Errorf(memory.CodeUnreadable, "", `the file does not begin with a header between two "---" lines`)
	}
	if file.Memory.ID == "" {
		file.Memory.ID = id
	}
	if file.Memory.ID != id {
		return nil, memory.Errorf(memory.CodeUnreadable, "", "the id inside is %s, not %s", file.Memory.ID, id)
	}
	return file, nil
}

// snapshot orders what a scan found.
func (f *folderState) snapshot() *Snapshot {
	s := &Snapshot{Versions: map[memory.ID][]string{}, Full: len(f.files) >= MaxFiles}
	newest := make(map[memory.ID]Record, len(f.files))
	for name, state := range f.files {
		if state.problem != "" {
			s.Problems = append(s.Problems, memory.FileProblem{File: name, Reason: state.problem})
			continue
		}
		r := Record{state.head, state.stamp, state.stamp.settled(state.seen), name}
		s.Versions[r.ID] = append(s.Versions[r.ID], name)
		if r.Conflicted {
			s.Unsettled = append(s.Unsettled, r)
		}
		if known, ok := newest[r.ID]; !ok || newerVersionName(name, known.File) {
			newest[r.ID] = r
		}
	}
	for id, r := range newest {
		slices.SortFunc(s.Versions[id], compareVersions)
		if r.IsStub() {
			s.Stubs = append(s.Stubs, r)
		} else {
			s.Records = append(s.Records, r)
		}
	}
	byID := func(a, b Record) int { return strings.Compare(string(a.ID), string(b.ID)) }
	slices.SortFunc(s.Records, byID)
	slices.SortFunc(s.Stubs, byID)
	slices.SortFunc(s.Unsettled, func(a, b Record) int { return strings.Compare(a.File, b.File) })
	slices.SortFunc(s.Problems, func(a, b memory.FileProblem) int { return strings.Compare(a.File, b.File) })
	return s
}

// compareVersions orders the names of an archive's versions, the newest first. Of
// two with the same number, which two branches made, the name decides.
func compareVersions(a, b string) int {
	_, x, _ := memory.ParseArchiveName(a)
	_, y, _ := memory.ParseArchiveName(b)
	return cmp.Or(cmp.Compare(y, x), strings.Compare(a, b))
}

func newerVersionName(a, b string) bool { return compareVersions(a, b) < 0 }
