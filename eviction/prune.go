package eviction

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ltm/memory"
)

// Archive is what the plan of a prune needs to know of one archive.
type Archive struct {
	ID         memory.ID
	Topic      string
	Since      time.Time // zero: not known
	Why        string    // it was archived; may be empty
	Importance memory.Importance
	Active     bool         // its memory is among the active ones
	Phase      memory.Phase // of the active memory
	Restored   bool         // the active memory was brought back from the archive
	Unreadable bool         // the active memory's file cannot be read
	Unsettled  bool         // git left two sides of a merge in the archive or in the active memory
}

// PlanPrune decides what becomes of the archives that are at least that old,
// the oldest first. An archive is kept when it holds the only full text of an
// active memory, when that cannot be known, and when it, or the active memory, is
// critical. Archives
// that are younger, or of unknown age, have no step.
func PlanPrune(archives []Archive, now time.Time, age time.Duration) []memory.PruneStep {
	steps := []memory.PruneStep{}
	for _, a := range archives {
		if a.Since.IsZero() || now.Sub(a.Since) < age {
			continue
		}
		action, reason := pruneAction(a)
		steps = append(steps, memory.PruneStep{ID: a.ID, Topic: a.Topic, Action: action, ArchivedAt: a.Since,
			Reason: fmt.Sprintf("%s %s ago; %s", cmp.Or(a.Why, "archived"), days(now.Sub(a.Since)), reason)})
	}
	slices.SortFunc(steps, func(a, b memory.PruneStep) int {
		return cmp.Or(a.ArchivedAt.Compare(b.ArchivedAt), strings.Compare(string(a.ID), string(b.ID)))
	})
	return steps
}

// PlanPruneNamed decides what becomes of archives that a person named. What is kept
// is what would cost a text that the store serves, or that cannot be known.
func PlanPruneNamed(archives []Archive, now time.Time) []memory.PruneStep {
	steps := []memory.PruneStep{}
	for _, a := range archives {
		step := memory.PruneStep{ID: a.ID, Topic: a.Topic, ArchivedAt: a.Since, Action: memory.PruneRemove, Reason: "it is the last copy in the store"}
		switch {
		case a.Unreadable, a.Unsettled, a.Active && a.Phase != memory.Full:
			step.Action, step.Reason = pruneAction(a)
		case a.Active:
			step.Reason = "the memory is active in full"
		}
		if !a.Since.IsZero() {
			step.Reason = fmt.Sprintf("%s %s ago; %s", cmp.Or(a.Why, "archived"), days(now.Sub(a.Since)), step.Reason)
		}
		steps = append(steps, step)
	}
	slices.SortFunc(steps, func(a, b memory.PruneStep) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return steps
}

func pruneAction(a Archive) (action, reason string) {
	switch {
	case a.Unreadable:
		return memory.PruneKeep, "the active memory's file cannot be read"
	case a.Unsettled:
		return memory.PruneKeep, "a merge in it or in the active memory is not settled"
	case a.Active && a.Phase != memory.Full:
		return memory.PruneKeep, "it has the full text of an active memory that is reduced (" + a.Phase.String() + ")"
	case a.Active && !a.Restored:
		return memory.PruneKeep, "it has a text from before the active memory was written anew"
	case a.Importance == memory.Critical:
		return memory.PruneKeep, "it is critical"
	case a.Active:
		return memory.PruneRemove, "the memory is active in full"
	}
	return memory.PruneRemove, "it is the last copy in the store"
}

// days writes how long something lasted, for people.
func days(d time.Duration) string {
	const day = 24 * time.Hour
	switch n := d / day; {
	case n == 1:
		return "1 day"
	case n > 1:
		return fmt.Sprintf("%d days", n)
	}
	return d.Truncate(time.Second).String()
}
