package memory

import (
	"strconv"
	"strings"
)

// Why a memory was set aside.
const (
	ReasonEvicted   = "evicted"   // faded to the end, in the files
	ReasonFaded     = "faded"     // faded to the end, in the view of this clone alone
	ReasonForgotten = "forgotten" // a person or a model asked for it
	ReasonErased    = "erased"    // its text is gone from the store

	// ReasonSuperseded is read and kept: another version writes it when a newer
	// memory replaces one.
	ReasonSuperseded = "superseded"
)

// IsStub reports whether the file of a memory only says that it was set aside.
func (m Memory) IsStub() bool { return m.Phase == Removed }

// HasText reports whether m has a text of its own, which a stub mostly has not.
func (m Memory) HasText() bool { return m.Content != "" || m.Summary != "" }

// KnownReason returns a reason as a stub may have it: one that this package knows, or
// nothing. A repository must not be able to say more with it.
func KnownReason(s string) string {
	switch s {
	case ReasonEvicted, ReasonForgotten, ReasonErased, ReasonSuperseded:
		return s
	}
	return ""
}

// ParseArchiveName takes the name of a file in archives/ apart: that of a memory's
// file is its first version, number 0; later ones have a number and eight hex
// digits of their checksum before the extension.
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
