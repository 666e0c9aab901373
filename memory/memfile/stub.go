package memfile

import (
	"strings"
	"time"

	"ltm/memory"
)

// erasedTopic is the topic of an erased memory's stub: the real topic may be why it was erased.
const erasedTopic = "(erased)"

// IsStubFile reports whether data is the file of a stub.
func IsStubFile(data []byte) bool {
	if !strings.Contains(string(data[:min(len(data), maxHeaderBytes)]), keyPhase) {
		return false
	}
	file, err := Parse(data)
	return err == nil && file.Memory.IsStub()
}

// FormatStub returns the stub that replaces an archived memory's file. Its time is a day in UTC, so
// that two branches which forget the same memory on one day write the same bytes. A memory's file
// is replaced and not deleted, because git can treat a deleted file as the source of a rename.
func FormatStub(m memory.Memory, at time.Time, reason string) []byte {
	m.Phase = memory.Removed
	if reason == memory.ReasonErased {
		m = memory.Memory{ID: m.ID, Topic: erasedTopic, Phase: m.Phase, Commit: m.Commit, Origin: m.Origin}
	}
	m.Signature, m.Refs = "", nil // they belong to the text, which is in the archives
	m.ArchivedAt, m.ArchivedReason = at, reason
	return []byte(fields().header(&m, inStub))
}

// Stub returns the bytes of a stub, without the text that it may keep.
func Stub(f *File) []byte {
	m := f.Memory
	if !m.KeepsText {
		return f.Bytes()
	}
	return FormatStub(m, m.ArchivedAt, m.ArchivedReason)
}
