package conversation

import (
	"slices"
	"strings"
)

// Turn is a statement of the user and the answer to it. Several messages in a row count as one statement; a second
// answer in a row is a turn without a saying.
type Turn struct {
	User      []Event
	Assistant *Event // nil if there is no answer
}

// said returns the two sides of a turn, without injected memory.
func (t Turn) said() (user, assistant string) {
	var parts []string
	for _, e := range t.User {
		parts = append(parts, strings.TrimSpace(Said(e.Text)))
	}
	if t.Assistant != nil {
		assistant = strings.TrimSpace(Said(t.Assistant.Text))
	}
	return strings.Join(parts, "\n"), assistant
}

const (
	// longAnswer is the length of an answer, in characters, that makes a turn of mere courtesy worth a look:
	// "thanks" was answered with something.
	longAnswer = 80
	// shortTurn is the length, in characters, of a whole turn that says nothing, whatever its words are.
	shortTurn = 40
	// fullTurn is the length, in characters, from which a turn without any cue counts: about one full sentence a
	// side.
	fullTurn = 80
)

// Meaningful reports whether a turn is worth a place in a summary.
func Meaningful(t Turn) bool {
	user, assistant := t.said()
	size := length(user) + length(assistant)
	switch {
	case isTrivial(user) && length(assistant) < longAnswer, size < shortTurn:
		return false
	case len(t.User) > 0 && english(t.User[0].Lang) && has(words(user), listed("cues")...):
		return true
	}
	return size >= fullTurn && len(words(user+" "+assistant)) > 0
}

// turn is a turn with the place of its last event.
type turn struct {
	Turn
	end int // events up to and with it
}

// turns returns the turns of a thread's events. Each ends with an answer; what follows the last answer is a turn
// only if whole is set, because its answer may still come.
func turns(events []Event, whole bool) []turn {
	var found []turn
	var open Turn
	for i, e := range events {
		switch e.Role {
		case User:
			open.User = append(open.User, e)
		case Assistant:
			open.Assistant = &events[i]
			found = append(found, turn{open, i + 1})
			open = Turn{}
		}
	}
	if whole && len(open.User) > 0 {
		found = append(found, turn{open, len(events)})
	}
	return slices.Clip(found)
}
