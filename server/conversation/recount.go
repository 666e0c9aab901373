package conversation

import (
	"time"

	"ltm/text/secrets"
)

// Recount returns the lines of a summary with what a context as of a time would show of each: without credentials and
// without the sentences that state what is over then. Of a line of which nothing is left, Text is empty. A context
// also leaves out a line that it shows elsewhere.
func (k *Known) Recount(lines []Line, at time.Time) []Line {
	wrong := newDoubt(k, at)
	told := make([]Line, len(lines))
	for i, l := range lines {
		told[i] = l
		left, _ := wrong.without(l.Role, l.Text)
		told[i].Text, _ = secrets.RedactTalk(left)
	}
	return told
}
