package brief

import (
	"ltm/memory"
)

// Said is what other memories say of one that is shown.
type Said struct {
	SupersededBy []memory.ID
	Disputes     []memory.ID
}

// marks returns what other memories say of one, in words.
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
	return marks
}
