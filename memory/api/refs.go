package api

import (
	"time"

	"ltm/memory"
)

// Ref is a file that a memory refers to, and what became of it.
type Ref struct {
	memory.Ref
	State   memory.RefState `json:"state"`
	To      string          `json:"moved_to,omitempty"` // where its content is now
	Commits []RefCommit     `json:"commits,omitempty"`  // the newest that touched the file, up to 3
}

// RefCommit is a commit that touched a file.
type RefCommit struct {
	Hash    string    `json:"hash"`
	At      time.Time `json:"at"`
	Subject string    `json:"subject"` // one line, as its author wrote it
}

// StaleQuery asks which memories refer to files that have changed.
type StaleQuery struct {
	IDs []string // only these memories; empty: all
	All bool     // list fresh references, too
}

// StaleReport lists the memories whose references no longer hold.
type StaleReport struct {
	Memories  []StaleMemory `json:"memories"`            // the best first
	Checked   int           `json:"checked"`             // memories that refer to files
	Files     int           `json:"files"`               // the files that they refer to
	Unchecked int           `json:"unchecked,omitempty"` // references whose files could not be looked at
	HeldBack  int           `json:"held_back,omitempty"` // foreign memories that no person has approved
}

// StaleMemory is a memory with references.
type StaleMemory struct {
	ID    memory.ID `json:"id"`
	Topic string    `json:"topic"`
	Refs  []Ref     `json:"refs"`

	Foreign bool `json:"from_elsewhere,omitempty"` // as in [Whose]
}

// VerifyRequest confirms that memories hold for the files as they are now.
type VerifyRequest struct {
	IDs     []string
	Follow  bool   // take the new path of a file that has moved
	Session string // as in [Draft]
}

// VerifyReport answers a [VerifyRequest].
type VerifyReport struct {
	Success  bool          `json:"success"`
	Memories []StaleMemory `json:"memories"` // as they are now
	Changed  int           `json:"changed"`  // memories whose references were rewritten
	Message  memory.Note   `json:"message"`
}
