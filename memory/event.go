package memory

import "time"

// The actions of events.
const (
	ActionStored    = "stored"
	ActionUpdated   = "updated"
	ActionEvicted   = "evicted"
	ActionForgotten = "forgotten"
	ActionRestored  = "restored"
	ActionRepaired  = "repaired"
	ActionPruned    = "pruned"
	ActionErased    = "erased"
	ActionUndone    = "undone"
	ActionTakenOver = "taken over"
)

// Event is one thing that happened to the memories of this clone.
type Event struct {
	Time    time.Time `json:"time"`
	Action  string    `json:"action"`
	ID      ID        `json:"id,omitempty"`
	Topic   string    `json:"topic,omitempty"`
	From    *Phase    `json:"from,omitempty"` // of an eviction
	To      *Phase    `json:"to,omitempty"`
	Why     string    `json:"why,omitempty"`
	Session int       `json:"session,omitempty"` // the store's number of the open session; 0: none was
}

// UndoEntry is a change of one memory that can be taken back.
type UndoEntry struct {
	Number int       `json:"number"` // from 1, in the order of the changes
	Time   time.Time `json:"time"`
	Action string    `json:"action"`
	ID     ID        `json:"id"`
	Topic  string    `json:"topic,omitempty"`
	Why    string    `json:"why,omitempty"`
	Before string    `json:"before,omitempty"` // checksum of the file; empty: there was none
	After  string    `json:"after"`            // checksum of the file, with "\n" line ends
	Undoes int       `json:"undoes,omitempty"` // the number of the change that this one took back
}

// UndoList is the changes that can be taken back, the newest first.
type UndoList struct {
	Changes []UndoEntry `json:"changes"`
}

// History is what happened lately, the newest first.
type History struct {
	Events []Event `json:"events"`
}
