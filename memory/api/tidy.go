package api

import "ltm/memory"

const (
	TidySame     = "same"           // its memories say about the same
	TidyOpposed  = "may contradict" // so do these, but one seems to deny what the newest says
	TidyDisputed = "disputed"       // they cannot all be true
)

// Tidying lists what may need to be merged, corrected or forgotten.
type Tidying struct {
	Groups []TidyGroup `json:"groups"` // by their newest memories, the newest first
	Idle   []TidyEntry `json:"idle"`   // shown to many sessions and never opened, the most shown first
	Left   int         `json:"left,omitempty"`
}

// TidyGroup is memories that belong together, the newest first.
type TidyGroup struct {
	Why      string      `json:"why"`
	Memories []TidyEntry `json:"memories"`
}

// TidyEntry is a memory that may need something.
type TidyEntry struct {
	ID        memory.ID `json:"id"`
	Topic     string    `json:"topic"`
	Summary   string    `json:"summary"`
	CreatedAt Time      `json:"created_at"`           // null: unknown
	Alike     float64   `json:"similarity,omitempty"` // to the one by which the group was found
	Uses      Uses      `json:"uses"`
	Foreign   bool      `json:"from_elsewhere,omitempty"` // as in [Whose]
}

// Merging asks to make one memory of several.
type Merging struct {
	IDs   []string // the first one is kept
	Topic string   // empty: that of the first one
	Text  string   // empty: the texts of all, each line once
	Files [][]byte // the memories' files of which Text was made; nil: they may be anything
}
