package api

import "ltm/memory"

// Aliases are the other names of a memory, and the questions that it answers.
type Aliases struct {
	ID      memory.ID `json:"id"`
	Topic   string    `json:"topic"`
	Aliases []string  `json:"aliases"` // in its file
	Learned []string  `json:"learned"` // questions that it answered in this clone, the oldest first
	Whose
}
