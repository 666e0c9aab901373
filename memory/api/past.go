package api

import (
	"time"

	"ltm/memory"
)

// Past is the history of a memory, the newest event first: commits of its file, and this clone's log.
type Past struct {
	ID      memory.ID   `json:"id"`
	Topic   string      `json:"topic"`
	Foreign bool        `json:"from_elsewhere,omitempty"` // as in [Whose]
	Entries []PastEntry `json:"entries"`
}

// PastEntry is one event in the history of a memory.
type PastEntry struct {
	Time    *time.Time `json:"time"`   // null: not committed yet
	Source  string     `json:"source"` // git, log, or file: a change that is not committed
	Action  string     `json:"action"`
	Commit  string     `json:"commit,omitempty"`
	Author  *Author    `json:"author,omitempty"`
	Session int        `json:"session,omitempty"`
	Why     string     `json:"why,omitempty"` // of a commit: its subject and what it changed

	// Before and After are the file's texts, of a commit or a change that is not committed. They are nil where there
	// was no file.
	Before []byte `json:"-"`
	After  []byte `json:"-"`
}

// Author wrote a commit.
type Author struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}
