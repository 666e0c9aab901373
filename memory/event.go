package memory

import (
	"slices"
	"time"
)

// The actions of events.
const (
	ActionStored     = "stored"
	ActionUpdated    = "updated"
	ActionEvicted    = "evicted"
	ActionForgotten  = "forgotten"
	ActionSuperseded = "superseded"
	ActionRestored   = "restored"
	ActionRepaired   = "repaired"
	ActionPruned     = "pruned"
	ActionErased     = "erased"
	ActionUndone     = "undone"
	ActionRedone     = "redone" // what an undo took back
	ActionApproved   = "approved"
	ActionRevoked    = "approval revoked"
	ActionTakenOver  = "taken over"
	ActionImported   = "imported"
	ActionMerged     = "merged" // with others, which it supersedes
	ActionSigned     = "signed"

	// For packets.
	ActionWritten  = "packet written"
	ActionKept     = "packet kept"
	ActionDone     = "packet done"
	ActionReopened = "packet reopened"
	ActionRemoved  = "packet removed"
	ActionSent     = "packet sent"
)

// finalActions are those of a person that no undo takes back.
var finalActions = [...]string{ActionErased, ActionPruned, ActionApproved, ActionRevoked, ActionSent}

// IsFinal reports whether an event is something that a person asked for and that no undo takes back.
func (e Event) IsFinal() bool { return slices.Contains(finalActions[:], e.Action) }

// Event is something that happened to the memories or packets of this clone.
type Event struct {
	Time    time.Time `json:"time"`
	Action  string    `json:"action"`
	ID      ID        `json:"id,omitempty"`
	Packet  string    `json:"packet,omitempty"` // the id of a packet, if it is about one
	Topic   string    `json:"topic,omitempty"`  // of a packet: its goal, shortened
	From    *Phase    `json:"from,omitempty"`   // of an eviction, as is To
	To      *Phase    `json:"to,omitempty"`
	Why     string    `json:"why,omitempty"`
	Session int       `json:"session,omitempty"` // the number of the open session; 0 if there was none

	// Foreign says that the memory was neither written nor approved in this clone. Only answers have it, and the log
	// does not: a person may approve the memory later.
	Foreign bool `json:"from_elsewhere,omitempty"`
}

// History lists recent events, the newest first.
type History struct {
	Events []Event `json:"events"`
}
