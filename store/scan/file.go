package scan

import (
	"errors"
	"os"

	"ltm/internal/atomicfile"
	"ltm/internal/regular"
	"ltm/memfile"
	"ltm/memory"
)

// fileState is what the last scan saw of one file: the header of a memory, or why it
// could not be read. It is immutable: a file that is read again gets another one.
type fileState struct {
	name    string
	stamp   Stamp
	seen    int64 // when it was read, nanoseconds since 1970
	problem string
	head    memory.Memory
	read    uint64 // the number of the read
}

func (f *fileState) stable() bool { return f.stamp.stable(f.seen) }

// or returns the old state if the file could not be read then for the same reason.
func (f *fileState) or(old *fileState) *fileState {
	if old != nil && f.problem != "" && f.problem == old.problem && f.stamp == old.stamp && f.seen == old.seen {
		return old
	}
	return f
}

// isGone reports whether a state is that of a file that was removed.
func (f *fileState) isGone() bool { return f.stamp == (Stamp{}) && f.problem == "" }

// headOf returns a memory without the texts, which scans do not keep.
func headOf(m memory.Memory) memory.Memory {
	m.Summary, m.Content = "", ""
	return m
}

// Problem says in a few words why a file could not be read as a memory.
func Problem(err error) string {
	var e *memory.Error
	switch {
	case errors.As(err, &e):
		return e.Message
	case errors.Is(err, regular.ErrSize):
		return "the file is larger than a memory can be"
	}
	return atomicfile.Cause(err).Error()
}

// Read reads the file of a memory. Its name says which memory it should be.
func Read(root *os.Root, name string) (*memfile.File, error) {
	id, version, ok := memory.ParseArchiveName(name)
	if !ok {
		return nil, memory.NewError(memory.CodeUnreadable, memory.KindFileDamaged, name,
			`the file name is not "mem_", 8 hex digits and ".md"`)
	}
	data, err := regular.Read(root, name, memfile.MaxFileBytes)
	if err != nil {
		return nil, err
	}
	file, err := memfile.Parse(data)
	if err != nil {
		return nil, err
	}
	if version > 0 && file.IsPlain() { // only ltm writes files of that name, always with a header
		return nil, memory.NewError(memory.CodeUnreadable, memory.KindFileDamaged, name,
			`the file does not begin with a header between two "---" lines`)
	}
	if file.Memory.ID == "" {
		file.Memory.ID = id
	}
	if file.Memory.ID != id {
		return nil, memory.NewError(memory.CodeUnreadable, memory.KindFileDamaged, name, "the id inside is %s, not %s",
			file.Memory.ID, id)
	}
	return file, nil
}
