package scan

import (
	"cmp"
	"errors"
	"os"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
	"ltm/memory/memfile"
)

// fileState is what the last scan saw of one file: the header of a memory, or why it
// could not be read. It is immutable: a file that is read again gets another one.
type fileState struct {
	name    string
	stamp   Stamp
	seen    int64 // when it was read, nanoseconds since 1970
	problem string
	read    uint64 // the number of the read
	long    int64  // bytes of the header that count against maxLong
	links   int    // that the file has, even if they do not count
	changed changeTime

	head *memory.Memory // nil: it could not be read
}

func (f *fileState) stable() bool { return f.stamp.stable(f.seen) }

// id returns the id of the memory in a file without a problem: [Read] accepts no other one than that of the name.
func (f *fileState) id() memory.ID { return memory.ID(f.name[:idLength]) }

// idLength is how much of a file's name is the memory's id.
const idLength = len("mem_00000000")

// leavesLinks reports whether the links of a memory do not count.
func (f *fileState) leavesLinks() bool { return f.links > 0 && !f.hasNames() }

// withoutLinks returns the same state of a memory whose links do not count.
func (f *fileState) withoutLinks() *fileState {
	m := *f.head
	m.Supersedes, m.Disputes, m.Related, m.LinksLeft = nil, nil, nil, f.links
	without := &fileState{name: f.name, stamp: f.stamp, seen: f.seen, read: f.read, long: f.long, links: f.links,
		head: &m}
	without.changed.is(f.changed.first.Load())
	return without
}

// linksOf returns how many links the file of a memory has.
func linksOf(m *memory.Memory) int {
	return len(m.Supersedes) + len(m.Disputes) + len(m.Related) + m.LinksLeft
}

// or returns the old state if the file could not be read then for the same reason.
func (f *fileState) or(old *fileState) *fileState {
	if old != nil && f.problem != "" && f.problem == old.problem && f.stamp == old.stamp && f.seen == old.seen {
		return old
	}
	return f
}

// Problem says in a few words why a file could not be read as a memory.
func Problem(err error) string {
	if e, ok := errors.AsType[*memory.Error](err); ok {
		return e.Message
	}
	if errors.Is(err, regular.ErrSize) {
		return "the file is larger than a memory can be"
	}
	return atomicfile.Cause(err).Error()
}

// Read reads the file of a memory. Its name says which memory it should be.
func Read(root *os.Root, name string) (*memfile.File, error) {
	return read(root, name, func(int) bool { return true })
}

// read is Read of a file whose header, of so many bytes, is to be decoded.
func read(root *os.Root, name string, wanted func(header int) bool) (*memfile.File, error) {
	id, version, ok := memory.ParseArchiveName(name)
	if !ok {
		return nil, memory.NewError(memory.CodeUnreadable, memory.KindFileDamaged, name,
			`the file name is not "mem_", 8 hex digits and ".md"`)
	}
	data, err := regular.Read(root, name, memfile.MaxFileBytes)
	if err != nil {
		return nil, err
	}
	if !wanted(memfile.HeaderBytes(data)) {
		return nil, memory.NewError(memory.CodeUnreadable, memory.KindFileDamaged, name, Crowded)
	}
	file, err := memfile.Parse(data)
	if err != nil {
		return nil, err
	}
	if version > 0 && file.IsPlain() { // only ltm writes files of that name, always with a header
		return nil, memory.NewError(memory.CodeUnreadable, memory.KindFileDamaged, name,
			`the file does not begin with a header between two "---" lines`)
	}
	if file.Memory.ID = cmp.Or(file.Memory.ID, id); file.Memory.ID != id {
		return nil, memory.NewError(memory.CodeUnreadable, memory.KindFileDamaged, name, "the id inside is %s, not %s",
			file.Memory.ID, id)
	}
	return file, nil
}
