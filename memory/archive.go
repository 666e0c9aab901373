package memory

import (
	"strconv"
	"strings"
	"time"
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

// erasedTopic is what the stub of an erased memory says: the real topic may have
// been the reason.
const erasedTopic = "(erased)"

// IsStub reports whether the file of a memory only says that it was set aside.
func (m Memory) IsStub() bool { return m.Phase == Removed }

// HasText reports whether m has a text of its own, which a stub mostly has not.
func (m Memory) HasText() bool { return m.Content != "" || m.Summary != "" }

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
func FormatStub(m Memory, at time.Time, reason string) []byte {
	m.Phase = Removed
	if reason == ReasonErased {
		m.Topic, m.Tags = erasedTopic, nil
	}
	var b strings.Builder
	b.WriteString(fence + "\n")
	for _, key := range []string{keyID, keyTopic, keyTags, keyPhase} {
		b.WriteString(m.field(key))
	}
	b.WriteString(keyArchived + ": " + strconv.Quote(at.UTC().Format(time.DateOnly)) + "\n")
	b.WriteString(keyReason + ": " + reason + "\n" + fence + "\n")
	return []byte(b.String())
}

// reasonOf returns a reason as a stub may have it: one that this package knows, or
// nothing. A repository must not be able to say more with it.
func reasonOf(s string) string {
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

// Scope says among which memories to look.
type Scope string

// The scopes. The empty one is [ScopeActive].
const (
	ScopeActive   Scope = "active"
	ScopeArchives Scope = "archives" // the archive of every memory that has one
	ScopeAll      Scope = "all"      // both, each memory once
)

// ParseScope accepts a scope's name; nothing is [ScopeActive].
func ParseScope(s string) (Scope, error) {
	switch scope := Scope(strings.ToLower(strings.TrimSpace(s))); scope {
	case "":
		return ScopeActive, nil
	case ScopeActive, ScopeArchives, ScopeAll:
		return scope, nil
	}
	return "", Errorf(CodeInvalid, "allowed: active, archives, all; "+unchanged, "%q is not a scope", clip(s, 40))
}

// The steps of a prune.
const (
	PruneRemove = "remove"
	PruneKeep   = "keep"
)

// PruneStep is what becomes of one archive that is old enough, and why.
type PruneStep struct {
	ID         ID        `json:"id"`
	Topic      string    `json:"topic"`
	Action     string    `json:"action"` // [PruneRemove] or [PruneKeep]
	Reason     string    `json:"reason"`
	ArchivedAt time.Time `json:"archived_at"`
}

// PruneOptions asks to remove old archives.
type PruneOptions struct {
	OlderThan time.Duration // of all archives; 0: of those in IDs alone
	IDs       []string
	DryRun    bool
}

// PruneReport lists the steps of a prune, done or only planned.
type PruneReport struct {
	DryRun   bool        `json:"dry_run"`
	Archives int         `json:"archives"` // before it
	Removed  int         `json:"removed"`  // or to be removed
	Steps    []PruneStep `json:"steps"`    // of those old enough
	Summary  string      `json:"summary"`
}

// ParseAge reads how old something is: whole days or weeks ("180d", "26w"), or a
// duration as Go writes it, with hours ("72h"). It is more than nothing. Minutes
// alone are refused: 6m is six minutes to Go, and six months to people.
func ParseAge(s string) (time.Duration, error) {
	const day = 24 * time.Hour
	text := strings.TrimSpace(s)
	unit := time.Duration(0)
	switch {
	case strings.HasSuffix(text, "d"):
		unit = day
	case strings.HasSuffix(text, "w"):
		unit = 7 * day
	}
	var age time.Duration
	if unit > 0 {
		n, err := strconv.ParseUint(text[:len(text)-1], 10, 63)
		if err != nil || n > uint64((1<<63-1)/unit) {
			return 0, badAge(s)
		}
		age = time.Duration(n) * unit
	} else if d, err := time.ParseDuration(text); err == nil && strings.Contains(text, "h") {
		age = d
	}
	if age <= 0 {
		return 0, badAge(s)
	}
	return age, nil
}

func badAge(s string) error {
	return Errorf(CodeInvalid, `allowed: whole days ("180d") or weeks ("26w"), or hours ("72h"), more than nothing; `+unchanged,
		"%q is not an age", clip(s, 40))
}
