package scan

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"sync"

	"ltm/memory"
	"ltm/memory/links"
)

// MaxFiles is how many files of a directory are looked at. People and eviction do not
// make as many, and reading more would block the client's hooks.
const MaxFiles = 20_000

// Snapshot is a directory of memory files at one moment. It is immutable.
type Snapshot struct {
	Records  []Record             // memories by id; of an archive the newest version
	Problems []memory.FileProblem // files that are not readable memories, by name
	Full     bool                 // there are at least MaxFiles; the others were not looked at

	Unresolved []Record // by name: files with an unresolved merge, older versions of archives among them

	files []*fileState // all of them, by name
	stubs []Record     // by id: memories that were archived

	linked sync.Once
	links  *links.Graph

	judged sync.Once
	traits Traits
}

// Stubs returns the memories that were archived, by id.
func (s *Snapshot) Stubs() []Record { return s.stubs }

// Without returns a snapshot of the memories that a function does not report, and of nothing else.
func (s *Snapshot) Without(leftOut func(Record) bool) *Snapshot {
	return &Snapshot{Full: s.Full, Records: slices.DeleteFunc(slices.Clone(s.Records), leftOut)}
}

// WithTexts returns a snapshot of archives with the texts that stubs among the memories keep, each as
// the newest version of its memory.
func (s *Snapshot) WithTexts(memories *Snapshot) *Snapshot {
	texts := slices.DeleteFunc(slices.Clone(memories.stubs), func(r Record) bool { return !r.KeepsText })
	if len(texts) == 0 {
		return s
	}
	all := slices.DeleteFunc(slices.Clone(s.Records), func(r Record) bool { return index(texts, r.ID) >= 0 })
	all = append(all, texts...)
	slices.SortFunc(all, func(a, b Record) int { return cmp.Compare(a.ID, b.ID) })
	return &Snapshot{Records: all, Problems: s.Problems, Full: s.Full, Unresolved: s.Unresolved, files: s.files,
		stubs: s.stubs}
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
		for _, r := range s.Records {
			s.traits.Agents = s.traits.Agents || r.Agent != ""
			s.traits.Removed = s.traits.Removed || !r.Phase.Active()
		}
	})
	return s.traits
}

// Links returns the links between the memories, stubs included. They are derived once.
func (s *Snapshot) Links() *links.Graph {
	s.linked.Do(func() {
		if s.files != nil && !slices.ContainsFunc(s.files, (*fileState).hasNames) {
			s.links = links.New(func(func(*memory.Memory) bool) {}) // as most are
			return
		}
		s.links = links.New(s.All())
	})
	return s.links
}

// All iterates over the headers of the memories and then of the stubs.
func (s *Snapshot) All() iter.Seq[*memory.Memory] {
	return func(yield func(*memory.Memory) bool) {
		for _, records := range [][]Record{s.Records, s.stubs} {
			for _, r := range records {
				if !yield(r.Memory) {
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
func (s *Snapshot) FindStub(id memory.ID) (Record, bool) { return find(s.stubs, id) }

func find(records []Record, id memory.ID) (Record, bool) {
	if i := index(records, id); i >= 0 {
		return records[i], true
	}
	return Record{&memory.Memory{}, &fileState{}}, false
}

// index returns the place of a record, or -1.
func index(records []Record, id memory.ID) int {
	at, ok := slices.BinarySearchFunc(records, id, func(r Record, id memory.ID) int { return cmp.Compare(r.ID, id) })
	if !ok {
		return -1
	}
	return at
}

// Versions returns the names of all versions of an archive, the newest first.
func (s *Snapshot) Versions(id memory.ID) []string {
	from, _ := findFile(s.files, string(id))
	var names []string
	for _, f := range s.files[from:] {
		if !strings.HasPrefix(f.name, string(id)) {
			break
		}
		if f.problem == "" && f.id() == id {
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
	for _, file := range f.files {
		if file.problem != "" {
			s.Problems = append(s.Problems, memory.FileProblem{File: file.name, Reason: file.problem})
			continue
		}
		r := Record{file.head, file}
		if r.Conflicted {
			s.Unresolved = append(s.Unresolved, r)
		}
		into := &s.Records
		if r.Phase == memory.Removed {
			into = &s.stubs
		}
		s.add(into, r)
	}
	return s
}

// add appends a file, unless there is that of a newer version. A stub and a text of one memory are versions of it too.
func (s *Snapshot) add(into *[]Record, r Record) {
	for _, other := range []*[]Record{&s.Records, &s.stubs} {
		last := len(*other) - 1
		if last < 0 || (*other)[last].ID != r.ID {
			continue
		}
		if compareVersions(r.File(), (*other)[last].File()) >= 0 {
			return
		}
		*other = (*other)[:last]
	}
	*into = append(*into, r)
}

// hasNames reports whether the memory names others.
func (f *fileState) hasNames() bool {
	return f.head != nil && len(f.head.Supersedes)+len(f.head.Disputes)+len(f.head.Related) > 0
}

// compareVersions orders the names of an archive's versions, the newest first. Two
// branches can make versions with one number: then the name decides.
func compareVersions(a, b string) int {
	_, x, _ := memory.ParseArchiveName(a)
	_, y, _ := memory.ParseArchiveName(b)
	return cmp.Or(cmp.Compare(y, x), strings.Compare(a, b))
}

// Len returns the number of files that were looked at.
func (s *Snapshot) Len() int { return len(s.files) }
