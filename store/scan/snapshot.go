package scan

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"sync"

	"ltm/links"
	"ltm/memory"
)

// Record is what a scan keeps of a memory's file: everything but summary and content.
type Record struct {
	*memory.Memory // shared by all snapshots: a caller that changes it copies it
	Stamp          Stamp
	Stable         bool // false: the file may have changed since without changing its stamp

	File string // the name of the file
	read uint64 // the number of the read that it comes from, in this process
}

// SameReading reports whether two records of one [Dir] come from the same read of a
// file. A file that changed in between was read again.
func (r Record) SameReading(o Record) bool { return r.read == o.read && r.File == o.File }

// MaxFiles is how many files of a directory are looked at. People and eviction do not
// make as many, and reading more would block the client's hooks.
const MaxFiles = 20_000

// Snapshot is a directory of memory files at one moment. It is immutable.
type Snapshot struct {
	Records  []Record             // by id; of an archive the newest version
	Stubs    []Record             // by id: memories that were archived
	Problems []memory.FileProblem // files that are not readable memories, by name
	Full     bool                 // there are at least MaxFiles; the others were not looked at

	Unresolved []Record // by name: files with an unresolved merge, older versions of archives among them

	files []*fileState // all of them, by name

	linked sync.Once
	links  *links.Graph

	judged sync.Once
	traits Traits
}

// Traits is what some memories of a snapshot have, and most snapshots have none of. Without
// them, a search needs no filter.
type Traits struct {
	Agents  bool // a memory is for an agent
	Removed bool // a memory has the phase [memory.Removed]
}

// Traits looks at all memories once.
func (s *Snapshot) Traits() Traits {
	s.judged.Do(func() {
		for i := range s.Records {
			s.traits.Agents = s.traits.Agents || s.Records[i].Agent != ""
			s.traits.Removed = s.traits.Removed || !s.Records[i].Phase.Active()
		}
	})
	return s.traits
}

// Links returns the links between the memories, stubs included. They are derived once.
func (s *Snapshot) Links() *links.Graph {
	s.linked.Do(func() { s.links = links.New(s.All()) })
	return s.links
}

// All iterates over the headers of the memories and then of the stubs.
func (s *Snapshot) All() iter.Seq[*memory.Memory] {
	return func(yield func(*memory.Memory) bool) {
		for _, records := range [][]Record{s.Records, s.Stubs} {
			for i := range records {
				if !yield(records[i].Memory) {
					return
				}
			}
		}
	}
}

// Find returns the record of a memory that is not a stub.
func (s *Snapshot) Find(id memory.ID) (Record, bool) { return find(s.Records, id) }

// Header is the memory of Find, or nil. Callers do not change it.
func (s *Snapshot) Header(id memory.ID) *memory.Memory {
	if i := index(s.Records, id); i >= 0 {
		return s.Records[i].Memory
	}
	return nil
}

// FindStub returns the record of a memory that was archived.
func (s *Snapshot) FindStub(id memory.ID) (Record, bool) { return find(s.Stubs, id) }

func find(records []Record, id memory.ID) (Record, bool) {
	if i := index(records, id); i >= 0 {
		return records[i], true
	}
	return Record{Memory: &memory.Memory{}}, false
}

// index returns the place of a record, or -1.
func index(records []Record, id memory.ID) int {
	low, high := 0, len(records)
	for low < high {
		if mid := int(uint(low+high) / 2); records[mid].ID < id {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == len(records) || records[low].ID != id {
		return -1
	}
	return low
}

// Versions returns the names of all versions of an archive, the newest first.
func (s *Snapshot) Versions(id memory.ID) []string {
	from, _ := findFile(s.files, string(id))
	var names []string
	for _, f := range s.files[from:] {
		if !strings.HasPrefix(f.name, string(id)) {
			break
		}
		if f.problem == "" && f.head.ID == id {
			names = append(names, f.name)
		}
	}
	slices.SortFunc(names, compareVersions)
	return names
}

// snapshot sorts what a scan found. Names begin with ids, so files sorted by name are
// sorted by id, and versions of one memory are next to each other.
func (f *folderState) snapshot() *Snapshot {
	s := &Snapshot{Full: len(f.files) >= MaxFiles, files: f.files, Records: make([]Record, 0, len(f.files))}
	for i := 0; i < len(f.files); i++ {
		file := f.files[i]
		if file.problem != "" {
			s.Problems = append(s.Problems, memory.FileProblem{File: file.name, Reason: file.problem})
			continue
		}
		if file.head.Conflicted {
			s.Unresolved = append(s.Unresolved, file.record())
		}
		into := &s.Records
		if file.head.IsStub() {
			into = &s.Stubs
		}
		s.add(into, file)
	}
	return s
}

// add appends the record of a file, unless it has that of a newer version. A stub and a
// text of one memory are versions of it too.
func (s *Snapshot) add(into *[]Record, file *fileState) {
	for _, other := range []*[]Record{&s.Records, &s.Stubs} {
		last := len(*other) - 1
		if last < 0 || (*other)[last].ID != file.head.ID {
			continue
		}
		if !newerVersionName(file.name, (*other)[last].File) {
			return
		}
		*other = (*other)[:last]
	}
	*into = append(*into, file.record())
}

func (f *fileState) record() Record {
	return Record{&f.head, f.stamp, f.stamp.stable(f.seen), f.name, f.read}
}

// compareVersions orders the names of an archive's versions, the newest first. Two
// branches can make versions with one number: then the name decides.
func compareVersions(a, b string) int {
	_, x, _ := memory.ParseArchiveName(a)
	_, y, _ := memory.ParseArchiveName(b)
	return cmp.Or(cmp.Compare(y, x), strings.Compare(a, b))
}

func newerVersionName(a, b string) bool { return compareVersions(a, b) < 0 }

// Len returns the number of files that were looked at.
func (s *Snapshot) Len() int { return len(s.files) }
