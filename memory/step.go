package memory

import "time"

// EvictionStep is one memory to reduce, and why it was chosen.
type EvictionStep struct {
	ID       ID      `json:"id"`
	Topic    string  `json:"topic"`
	From     Phase   `json:"from"`
	To       Phase   `json:"to"`
	Priority float64 `json:"priority"`
	Reason   string  `json:"reason"`
	Foreign  bool    `json:"from_elsewhere,omitempty"` // neither written nor approved in this clone
}

// FileProblem is a file and what is wrong with it.
type FileProblem struct {
	File   string `json:"file"` // relative to the store
	Reason string `json:"reason"`
}

// The actions of a [PruneStep].
const (
	PruneRemove = "remove"
	PruneKeep   = "keep"
)

// PruneStep is what a prune does with one archive that is old enough, and why.
type PruneStep struct {
	ID         ID        `json:"id"`
	Topic      string    `json:"topic"`
	Action     string    `json:"action"` // [PruneRemove] or [PruneKeep]
	Reason     string    `json:"reason"`
	ArchivedAt time.Time `json:"archived_at"`
	Foreign    bool      `json:"from_elsewhere,omitempty"` // as of [EvictionStep]
}
