package memfile

import (
	"strconv"
	"strings"
	"time"

	"ltm/memory"
)

// erasedTopic is what the stub of an erased memory says: the real topic may have
// been the reason.
const erasedTopic = "(erased)"

// IsStubFile reports whether these bytes are those of a stub.
func IsStubFile(data []byte) bool {
	if !strings.Contains(string(data[:min(len(data), maxHeaderBytes)]), keyPhase) {
		return false
	}
	file, err := Parse(data)
	return err == nil && file.Memory.IsStub()
}

// FormatStub writes the file that a memory leaves when it is set aside. The time is
// kept to the day, so that two branches which forget the same memory on one day
// write the same bytes. A memory's file never just goes away, because git takes a
// deleted file for the source of a rename.
func FormatStub(m memory.Memory, at time.Time, reason string) []byte {
	m.Phase = memory.Removed
	if reason == memory.ReasonErased {
		m.Topic, m.Tags = erasedTopic, nil
	}
	var b strings.Builder
	b.WriteString(fence + "\n")
	for _, key := range []string{keyID, keyTopic, keyTags, keyPhase} {
		b.WriteString(field(m, key))
	}
	b.WriteString(keyArchived + ": " + strconv.Quote(at.UTC().Format(time.DateOnly)) + "\n")
	b.WriteString(keyReason + ": " + reason + "\n" + fence + "\n")
	return []byte(b.String())
}
