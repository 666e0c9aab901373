package api

import (
	"strconv"
	"strings"
	"time"

	"ltm/memory"
)

// PruneOptions asks to remove archives.
type PruneOptions struct {
	OlderThan time.Duration // remove all archives older than this; 0: only those in IDs
	IDs       []string
	DryRun    bool
}

// PruneReport lists the steps of a prune, whether carried out or only planned.
type PruneReport struct {
	DryRun   bool               `json:"dry_run"`
	Archives int                `json:"archives"` // before the prune
	Removed  int                `json:"removed"`  // or planned to be
	Steps    []memory.PruneStep `json:"steps"`    // one per archive that is old enough, or in IDs
	Summary  string             `json:"summary"`
}

// ParseAge parses an age of at least one hour: whole days or weeks ("180d", "26w"), or a duration in Go's syntax with
// hours ("72h"). It refuses minutes alone: "6m" means six minutes in Go, but six months to many people.
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
	if age < time.Hour {
		return 0, badAge(s)
	}
	return age, nil
}

func badAge(s string) error {
	return memory.NewError(memory.CodeInvalid, memory.KindAgeMalformed, s,
		`%s is not an age; allowed: whole days ("180d") or weeks ("26w"), or hours ("72h"), at least one hour`,
		memory.Quote(s, 40))
}
