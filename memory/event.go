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
	ActionTakenOver  = "taken over"
	ActionImported   = "imported"
	ActionSigned     = "signed"

	// Of packets.
	ActionWritten  = "packet written"
	ActionKept     = "packet kept"
	ActionDone     = "packet done"
	ActionReopened = "packet reopened"
	ActionRemoved  = "packet removed"
)

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
}

// UndoEntry is a change that can be undone: of one memory, of several together, or of a packet.
type UndoEntry struct {
	Number int       `json:"number"` // from 1, in the order of the changes
	Time   time.Time `json:"time"`
	Action string    `json:"action"`
	ID     ID        `json:"id,omitempty"`     // empty: several memories were changed together, or a packet
	Packet string    `json:"packet,omitempty"` // the id of the packet that was changed
	Topic  string    `json:"topic,omitempty"`
	Why    string    `json:"why,omitempty"`
	Before string    `json:"before,omitempty"` // checksum of the file; "" if there was none
	After  string    `json:"after"`            // checksum of the changed file, with "\n" line ends
	Undoes int       `json:"undoes,omitempty"` // the number of the change that this one undid
	With   int       `json:"with,omitempty"`   // the first number of the changes that are undone together

	Group   string `json:"group,omitempty"`   // of several memories: the checksum of the list of them
	Members int    `json:"members,omitempty"` // how many they are
}

// UndoList lists the changes that can be undone, the newest first.
type UndoList struct {
	Changes []UndoEntry `json:"changes"`
}

// Free returns the change that has a number and those that are taken back with it, the newest first. It returns nothing
// if the list lacks that change, or if a newer one is in its way: one of the same memory, or any if it is a change of
// several memories at once or of a packet.
func (l UndoList) Free(number int) []UndoEntry {
	i := slices.IndexFunc(l.Changes, func(e UndoEntry) bool { return e.Number == number })
	if i < 0 || i > 0 && l.Changes[i].ID == "" {
		return nil
	}
	together := []UndoEntry{l.Changes[i]}
	if with := l.Changes[i].With; with != 0 {
		together = slices.DeleteFunc(slices.Clone(l.Changes), func(e UndoEntry) bool { return e.With != with })
	}
	for _, newer := range l.Changes {
		if newer.Number > number && newer.ID != "" && !slices.Contains(together, newer) &&
			slices.ContainsFunc(together, func(e UndoEntry) bool { return e.ID == newer.ID }) {
			return nil
		}
	}
	return together
}

// History lists recent events, the newest first.
type History struct {
	Events []Event `json:"events"`
}
