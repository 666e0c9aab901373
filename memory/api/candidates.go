package api

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// Review is what is proposed to be remembered, and what became of it.
type Review struct {
	Candidates []Candidate `json:"candidates"`        // the oldest first
	More       int         `json:"more,omitempty"`    // that are not listed
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

// Version tells what a candidate says from what another one with its id says.
func (c Candidate) Version() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []any{c.Topic, c.Text, c.Tags, c.Refs}))
	return hex.EncodeToString(sum[:])
}

// Acceptance asks to store a candidate. What is given replaces what the candidate has.
type Acceptance struct {
	ID          string
	Version     string // what the candidate must say; empty: anything
	Topic, Text *string
	Tags        *[]string
	Client      string // as in [Draft]
}

// Sentence is a decision about candidates: which ones to store, one after the other, and which ones to drop.
type Sentence struct {
	Accept []Acceptance
	Drop   []string // their ids
}
