package api

import "ltm/memory"

// MaxAchievements bounds how many achievements are proposed at once.
const MaxAchievements = 200

// Achievement is something in git's history that is worth a memory.
type Achievement struct {
	ID         memory.ID         `json:"id"`
	Commit     string            `json:"commit"`
	Topic      string            `json:"topic"`
	Why        string            `json:"why"`                  // how it was recognized
	Importance memory.Importance `json:"importance,omitempty"` // empty: normal
	CreatedAt  Time              `json:"created_at"`           // null: unknown
}

// AchieveOptions holds the counts of the preceding search, and whether only to report.
type AchieveOptions struct {
	DryRun                  bool // only report what would be stored
	Known, Duplicates, Left int  // as in [Achievements]
}

// Achievements lists the achievements that were stored, or that would be.
type Achievements struct {
	DryRun       bool          `json:"dry_run"`
	Achievements []Achievement `json:"achievements"` // the newest first
	Known        int           `json:"known"`        // have a memory, or had one that was forgotten
	Duplicates   int           `json:"duplicates"`   // say what another one of the history does
	Refused      int           `json:"refused"`      // seem to hold a credential
	Left         int           `json:"left"`         // for the next time
	Summary      string        `json:"summary"`
}
