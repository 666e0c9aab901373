package memory

import (
	"strconv"
	"strings"
)

// The reasons why a memory was archived.
const (
	ReasonEvicted   = "evicted"   // it faded completely, in the shared files
	ReasonFaded     = "faded"     // it faded completely, but only in this clone's view
	ReasonFading    = "fading"    // it has not gone: its file is reduced, and its full text archived
	ReasonForgotten = "forgotten" // a person or a model asked for it
	ReasonErased    = "erased"    // its text is gone from the store
	ReasonUndone    = "undone"    // what made it was undone; an import brings it back

	// ReasonSuperseded is that of a memory that another one corrects.
	ReasonSuperseded = "superseded"
)

// IsStub reports whether m is a stub: the record, without text, of an archived memory.
func (m Memory) IsStub() bool { return m.Phase == Removed }

// HasText reports whether m has text of its own. A stub usually has none.
func (m Memory) HasText() bool { return m.Content != "" || m.Summary != "" }

// KnownReason returns s if a stub may have it as its reason, or "". Stubs come from repositories
// that others write to, so no other text is accepted.
func KnownReason(s string) string {
	switch s {
	case ReasonEvicted, ReasonForgotten, ReasonErased, ReasonUndone, ReasonSuperseded:
		return s
	}
	return ""
}

// ParseArchiveName parses the name of a file in archives/. A memory's own file name is its first
// archive, number 0; later ones are ID.NUMBER.CHECKSUM.md, with eight hex digits of checksum.
func ParseArchiveName(name string) (id ID, number int, ok bool) {
	if id, ok := IDFromFile(name); ok {
		return id, 0, true
	}
	base, ok := strings.CutSuffix(name, FileExt)
	if !ok {
		return "", 0, false
	}
	parts := strings.Split(base, ".")
	if len(parts) != 3 || !isID(parts[0]) || !isID(idPrefix+parts[2]) {
		return "", 0, false
	}
	n, err := strconv.Atoi(parts[1])
	return ID(parts[0]), n, err == nil && n > 0 && strconv.Itoa(n) == parts[1]
}
