package brief

import (
	"strings"

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
		mark := "superseded by " + idList(s.SupersededBy)
		if restored {
			mark += ", restored"
		}
		marks = append(marks, mark)
	}
	if len(s.Disputes) > 0 {
		marks = append(marks, "in dispute with "+idList(s.Disputes))
	}
	return marks
}

func idList(ids []memory.ID) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	return strings.Join(texts, ", ")
}
