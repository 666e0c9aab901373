package brief

import (
	"strings"

	"ltm/memory"
)

// Said holds what other memories, and the files that it refers to, say about a shown memory.
type Said struct {
	SupersededBy []memory.ID
	Disputes     []memory.ID

	// Stale names files that the memory refers to and their state, as "db/pool.go changed". The caller has made it safe
	// to show.
	Stale []string
}

func (s Said) marks(restored bool) []string {
	var marks []string
	if len(s.SupersededBy) > 0 {
		mark := "superseded by " + memory.JoinIDs(s.SupersededBy)
		if restored {
			mark += ", restored"
		}
		marks = append(marks, mark)
	}
	if len(s.Disputes) > 0 {
		marks = append(marks, "in dispute with "+memory.JoinIDs(s.Disputes))
	}
	if len(s.Stale) > 0 {
		marks = append(marks, "may be stale: "+strings.Join(s.Stale, ", "))
	}
	return marks
}
