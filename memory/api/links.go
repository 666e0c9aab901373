package api

import "ltm/memory"

// Said holds what other memories say about one. Answers about several memories have at most 3 of each.
type Said struct {
	SupersededBy []memory.ID `json:"superseded_by,omitempty"` // directly; without those that were forgotten
	Disputes     []memory.ID `json:"disputes,omitempty"`      // active memories, in either direction
}
