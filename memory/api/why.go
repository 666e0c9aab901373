package api

import (
	"fmt"

	"ltm/memory"
)

// Term is one term of a score. The points of all terms add up to the score as it is before it is
// limited to the range from 0 to 1.
type Term struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
	Rest   float64 `json:"rest,omitempty"` // what the terms before it left of 1 for it to take its share of
	Points float64 `json:"points"`         // value × weight, and × rest if there is one
}

// Uses counts how often memories were used in this clone.
type Uses struct {
	Shown  int `json:"shown"`  // sessions that had the text in their context
	Opened int `json:"opened"` // times that the memory was read in full, or changed
	Named  int `json:"named"`  // sessions in which an answer named it, by its id or its topic
}

func (u Uses) Add(v Uses) Uses {
	return Uses{u.Shown + v.Shown, u.Opened + v.Opened, u.Named + v.Named}
}

func (u Uses) String() string {
	return fmt.Sprintf("shown %d×, opened %d×, named %d×", u.Shown, u.Opened, u.Named)
}

// Why explains the two scores of a memory, term by term.
type Why struct {
	ID    memory.ID `json:"id"`
	Topic string    `json:"topic"`
	Whose
	Priority        float64      `json:"priority"`
	PriorityTerms   []Term       `json:"priority_terms"`
	Difficulty      float64      `json:"difficulty"`
	DifficultyTerms []Term       `json:"difficulty_terms"` // empty: there is no work to judge it by
	Work            *memory.Work `json:"work,omitempty"`
	Uses            Uses         `json:"uses"`
	Context         WhyContext   `json:"context"`
	Notes           []string     `json:"notes"` // what the terms do not show
}
