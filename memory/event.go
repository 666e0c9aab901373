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

// History is what happened lately, the newest first.
type History struct {
	Events []Event `json:"events"`
}
