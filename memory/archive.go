package memory

import (
	"strconv"
	"strings"
	"time"
)

// Why an archive was made.
const (
	ReasonEvicted   = "evicted"
	ReasonForgotten = "forgotten"
)

// Scope says among which memories to look.
type Scope string

// The scopes. The empty one is [ScopeActive].
const (
	ScopeActive   Scope = "active"
	ScopeArchives Scope = "archives" // the archive of every memory that has one
	ScopeAll      Scope = "all"      // both, each memory once
)

// ParseScope accepts a scope's name; nothing is [ScopeActive].
func ParseScope(s string) (Scope, error) {
	switch scope := Scope(strings.ToLower(strings.TrimSpace(s))); scope {
	case "":
		return ScopeActive, nil
	case ScopeActive, ScopeArchives, ScopeAll:
		return scope, nil
	}
	return "", Errorf(CodeInvalid, "allowed: active, archives, all; "+unchanged, "%q is not a scope", clip(s, 40))
}

// The steps of a prune.
const (
	PruneRemove = "remove"
	PruneKeep   = "keep"
)

// PruneStep is what becomes of one archive that is old enough, and why.
type PruneStep struct {
	ID         ID        `json:"id"`
	Topic      string    `json:"topic"`
	Action     string    `json:"action"` // [PruneRemove] or [PruneKeep]
	Reason     string    `json:"reason"`
	ArchivedAt time.Time `json:"archived_at"`
}

// PruneOptions asks to remove old archives.
type PruneOptions struct {
	OlderThan time.Duration
	DryRun    bool
}

// PruneReport lists the steps of a prune, done or only planned.
type PruneReport struct {
	DryRun   bool        `json:"dry_run"`
	Archives int         `json:"archives"` // before it
	Removed  int         `json:"removed"`  // or to be removed
	Steps    []PruneStep `json:"steps"`    // of those old enough
	Summary  string      `json:"summary"`
}

// ParseAge reads how old something is: whole days or weeks ("180d", "26w"), or a
// duration as Go writes it, with hours ("72h"). It is more than nothing. Minutes
// alone are refused: 6m is six minutes to Go, and six months to people.
func ParseAge(s string) (time.Duration, error) {
	const day = 24 * time.Hour
	text := strings.TrimSpace(s)
	unit := time.Duration(0)
	switch {
	case strings.HasSuffix(text, "d"):
		unit = day
	case strings.HasSuffix(text, "w"):
		unit = 7 * day
	}
	var age time.Duration
	if unit > 0 {
		n, err := strconv.ParseUint(text[:len(text)-1], 10, 63)
		if err != nil || n > uint64((1<<63-1)/unit) {
			return 0, badAge(s)
		}
		age = time.Duration(n) * unit
	} else if d, err := time.ParseDuration(text); err == nil && strings.Contains(text, "h") {
		age = d
	}
	if age <= 0 {
		return 0, badAge(s)
	}
	return age, nil
}

func badAge(s string) error {
	return Errorf(CodeInvalid, `allowed: whole days ("180d") or weeks ("26w"), or hours ("72h"), more than nothing; `+unchanged,
		"%q is not an age", clip(s, 40))
}
