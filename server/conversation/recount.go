package conversation

import (
	"time"

	"ltm/text/secrets"
)

// Recount returns the lines of a summary with what a context as of a time would show of each: without credentials and
// without the sentences that state what is not true then. Of a line of which nothing is left, Text is empty. A context
// also leaves out a line that it shows elsewhere.
func (k *Known) Recount(lines []Line, at time.Time) []Line {
	wrong := newDoubt(k, at)
	told := make([]Line, len(lines))
	for i, l := range lines {
		told[i] = l
		left, _ := wrong.line(l)
		told[i].Text, _ = secrets.RedactTalk(left)
	}
	return told
}

// line returns what is left of a line of a summary, or why nothing is. A line of an event that is evidence for nothing
// that is true goes as a whole: as one sentence, it cannot be told from what the event is evidence for. The answer to
// such an event loses what repeats it.
func (d doubt) line(l Line) (left, reason string) {
	if len(d.events[l.Event]) > 0 {
		return "", NotTrue
	}
	return d.without("", l.Answered, l.Text)
}
