package store

import (
	"encoding/json"
	"slices"
	"time"

	"ltm/memory"
)

const candidatesFile = "candidates.json"

// The bounds of [Candidates]. The oldest go first.
const (
	MaxPending = 60
	maxSettled = 2000
	maxRecent  = 20
)

// Candidate is a memory that is proposed and not stored.
type Candidate struct {
	ID      string    `json:"id"` // follows from the topic, so that what was dropped is known again
	Topic   string    `json:"topic"`
	Text    string    `json:"text"`
	Tags    []string  `json:"tags,omitempty"`
	Refs    []string  `json:"refs,omitempty"` // files, relative to the top of the work tree
	Why     string    `json:"why"`            // it is proposed
	Session string    `json:"session"`        // that it comes from
	At      time.Time `json:"at"`
}

// Candidates is what this clone proposes to remember. The file is the clone's own: a repository does not bring it.
type Candidates struct {
	Version int         `json:"version"`
	Pending []Candidate `json:"pending"`           // the oldest first
	Settled []string    `json:"settled,omitempty"` // the ids of those that were accepted or dropped, the oldest first
	Recent  []Candidate `json:"recent,omitempty"`  // the last of those, so that they can be proposed again
}

// Knows reports whether a candidate was accepted or dropped.
func (c Candidates) Knows(id string) bool { return slices.Contains(c.Settled, id) }

// Find returns the pending candidate of an id, or nil.
func (c Candidates) Find(id string) *Candidate {
	if i := slices.IndexFunc(c.Pending, func(p Candidate) bool { return p.ID == id }); i >= 0 {
		return &c.Pending[i]
	}
	return nil
}

// Candidates returns what is proposed. For a damaged file it returns an empty value and an error.
func (v *View) Candidates() (Candidates, error) {
	c, err := readVersioned(v.clone, candidatesFile, Candidates{}, decodeCandidates)
	if memory.KindOf(err) == memory.KindFileDamaged {
		err = memory.NewError(memory.CodeUnreadable, memory.KindReviewDamaged, candidatesFile, "%s", err.Error())
	}
	return c, err
}

func decodeCandidates(data []byte) (Candidates, error) {
	var c Candidates
	err := decodeVersioned(candidatesFile, data, &c, &c.Version)
	return c, err
}

// WriteCandidates replaces what is proposed, at once. A damaged file is kept under another name, and one of a newer
// version is refused.
func (tx *Tx) WriteCandidates(c Candidates) error {
	_, err := tx.View.Candidates()
	if memory.CodeOf(err) == memory.CodeConflict {
		return err
	}
	c.Version = formatVersion
	c.Pending = c.Pending[max(0, len(c.Pending)-MaxPending):]
	c.Settled = c.Settled[max(0, len(c.Settled)-maxSettled):]
	c.Recent = c.Recent[max(0, len(c.Recent)-maxRecent):]
	data, failed := json.Marshal(c)
	if failed != nil {
		return storageError(failed, "encode", candidatesFile)
	}
	return tx.replaceOwn(candidatesFile, append(data, '\n'), err == nil)
}
