package conversation

import "slices"

// Apply returns the thread after a plan. It refuses a plan that was made at another cursor, so that of two writers
// with the same events one does nothing.
func (t Thread) Apply(p Plan) (Thread, error) {
	if p.Base != t.Cursor {
		return t, ErrMoved
	}
	after := Thread{Cursor: p.Cursor, Episodes: slices.Clone(t.Episodes)}
	switch {
	case p.Summary == nil:
	case p.Summary.Reason == Roll && len(after.Episodes) > 0:
		after.Episodes[len(after.Episodes)-1] = *p.Summary
	default:
		after.Episodes = append(after.Episodes, *p.Summary)
	}
	return after, nil
}

// Summarize derives a thread's summaries from all its events, as after a deletion. It is what the steps give one
// by one as events arrive.
func Summarize(events []Event) Thread {
	var t Thread
	for {
		plan, ok := t.Next(events)
		if !ok {
			return t
		}
		t, _ = t.Apply(plan) // the plan is of this very thread
		at := slices.IndexFunc(events, func(e Event) bool { return e.ID == plan.Cursor })
		events = events[at+1:]
	}
}
