package transfer

import (
	"time"

	"ltm/memory"
)

// Scope is whose shelf an entry belongs to.
type Scope string

// The scopes. The zero value means that the document does not say.
const (
	ScopeProject Scope = "project"
	ScopeUser    Scope = "user"
	ScopeAll     Scope = "all" // of exports: both
)

// Item is one entry of a document: a draft of a memory, and what goes with it.
type Item struct {
	// Entry names the entry for people: its place in the document, and its id or title there,
	// such as `memories[3] "ARCH-2026-02-03-001"` or "notes/proxy.md".
	Entry string

	// Key identifies the entry in the program that wrote the document: its id, name or path. It is unique in the
	// document, becomes the id of the memory's origin, and makes a second import know the entry again. The same thing
	// must have the same key in every later document.
	Key string

	// Agent is the agent that the entry belonged to, if the program knows agents.
	Agent string

	// Memory is the draft: topic, content, summary, tags, kind, confidence, time. Its texts need not be normalized: the
	// plan does that, and refuses what cannot be stored. Its ID and origin are empty. An empty topic becomes the first
	// line or sentence of the content. An empty summary becomes the content's first paragraph.
	Memory memory.Memory

	WantID  memory.ID // the id that it should get if that is free; empty: any
	Scope   Scope     // the shelf that it comes from; empty: unknown
	Project string    // the project that it was stored in; empty: unknown

	Archived *Archived // it is to be archived at once; nil: it is active

	// Links to other entries of the document, by their keys. Keys that no entry has are dropped with
	// a remark, except where the store knows the origin.
	Related      []string
	Supersedes   []string
	SupersededBy []string // the other direction; the plan turns it around
	Disputes     []string

	// Forgets is the key of an entry that this one only records as forgotten. The entry itself
	// is dropped, and the other one is archived.
	Forgets string

	// Proof is the result of checking the entry's signature.
	Proof Proof

	// Own is the entry's record in ltm's own form, with the bytes of its files. Then Memory is
	// what the newest of them says. Nil for all other forms.
	Own *Record

	// Remarks tell a person about this entry, such as what was dropped.
	Remarks []memory.Remark

	// Err says why the entry cannot be imported. Then the import is refused as a whole, or the entry is left out if the
	// person asked for that. A form that cannot read one entry sets it, and continues with the next.
	Err error
}

// Archived is why and when an entry was archived.
type Archived struct {
	Reason string    // as [memory.KnownReason] has them
	Day    time.Time // zero: the day of the import
}

// Proof is the result of checking an entry's signature.
type Proof int

// The proofs.
const (
	Unproven  Proof = iota // there is no signature, or it was not looked at
	Proven                 // a holder of the person's key wrote it
	Disproven              // it was changed after it was signed, or another key signed it
)

// Record is a memory of ltm's own form: its files, byte for byte.
type Record struct {
	File     []byte    // of memories/: the memory, or its stub; nil: only archives are left
	Versions []Version // of archives/, the oldest first
}

// Version is an archived text.
type Version struct {
	Name string // its file's name in archives/
	Data []byte
}
