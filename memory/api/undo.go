package api

import "ltm/memory"

// Undone answers an undo or a redo.
type Undone struct {
	Success     bool          `json:"success"`
	Number      int           `json:"number"`           // of the change that was undone, or of the undo that was redone
	ID          memory.ID     `json:"id,omitempty"`     // the first memory; empty: an import, or a packet
	Packet      string        `json:"packet,omitempty"` // the id of the packet
	Message     memory.Note   `json:"message"`
	BroughtBack []BroughtBack `json:"brought_back"`
	Scope       Scope         `json:"scope,omitempty"` // ScopeUser, or empty: ScopeProject
}

// BroughtBack is what an undo or a redo changed of a memory or a packet.
type BroughtBack struct {
	ID     memory.ID     `json:"id,omitempty"`
	Packet string        `json:"packet,omitempty"`
	Topic  string        `json:"topic,omitempty"`
	Fields []FieldChange `json:"fields"` // empty: its file could not be read before or after

	Foreign bool `json:"from_elsewhere,omitempty"` // as in [Whose]
}

// FieldChange is a field with another value. Lists are joined with ", ". For texts, there is only the number of lines.
type FieldChange struct {
	Field  string `json:"field"`
	Before string `json:"before,omitempty"` // what it replaced
	After  string `json:"after,omitempty"`  // what is there now
	Lines  int    `json:"lines,omitempty"`  // of a text: how many were added or, if those are more, removed
}
