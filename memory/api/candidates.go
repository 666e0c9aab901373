package api

import "time"

// Review is what is proposed to be remembered, and what became of it.
type Review struct {
	Candidates []Candidate `json:"candidates"`        // the oldest first
	Stored     []Receipt   `json:"stored,omitempty"`  // of those that were accepted
	Dropped    []string    `json:"dropped,omitempty"` // their ids
}

// Candidate is a memory that is proposed.
type Candidate struct {
	ID         string    `json:"id"`
	Topic      string    `json:"topic"`
	Text       string    `json:"text"`
	Tags       []string  `json:"tags,omitempty"`
	Refs       []string  `json:"refs,omitempty"`
	Why        string    `json:"why"`
	Session    string    `json:"session"`
	ProposedAt time.Time `json:"proposed_at"`
}

// Acceptance asks to store a candidate. What is given replaces what the candidate has.
type Acceptance struct {
	ID          string
	Topic, Text *string
	Tags        *[]string
}

// Sentence is a decision about candidates: which ones to store, one after the other, and which ones to drop.
type Sentence struct {
	Accept []Acceptance
	Drop   []string // their ids
}
