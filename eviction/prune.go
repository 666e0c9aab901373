package eviction

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ltm/memory"
)

// Archive is what [PlanPrune] needs to know about an archive.
type Archive struct {
	ID         memory.ID
	Topic      string
	Since      time.Time // when it was archived; zero if unknown
	Why        string    // why it was archived; may be empty
	Importance memory.Importance
	Superseded string       // the active memory that names it as superseded, and so points to it; empty: none
	Active     bool         // its memory is active
	Phase      memory.Phase // of the active memory
	Restored   bool         // the active memory was restored from the archive
	Unreadable bool         // the active memory's file cannot be read
	Unresolved bool         // the archive or the active memory has an unresolved merge
}

// became says what became of the memory when it was archived, and how long ago.
func (a Archive) became(now time.Time) string {
	state := "archived"
	if a.Why == memory.ReasonForgotten || a.Why == memory.ReasonSuperseded {
		state = a.Why
	}
	return state + " " + days(now.Sub(a.Since)) + " ago"
}

// PlanPrune decides whether to remove or keep each archive that is at least age old, the oldest first. It keeps an
// archive that holds the only full text of an active memory, or may hold it, one that is critical or whose active
// memory is, and one that an active memory supersedes. Younger archives, and those of unknown age, get no step.
func PlanPrune(archives []Archive, now time.Time, age time.Duration) []memory.PruneStep {
	steps := []memory.PruneStep{}
	for _, a := range archives {
		if a.Since.IsZero() || now.Sub(a.Since) < age {
			continue
		}
		action, reason := pruneAction(a)
		steps = append(steps, memory.PruneStep{ID: a.ID, Topic: a.Topic, Action: action, ArchivedAt: a.Since,
			Reason: a.became(now) + "; " + reason})
	}
	slices.SortFunc(steps, func(a, b memory.PruneStep) int {
		return cmp.Or(a.ArchivedAt.Compare(b.ArchivedAt), strings.Compare(string(a.ID), string(b.ID)))
	})
	return steps
}

// PlanPruneNamed decides about archives that a person named. It keeps those whose removal would, or
// might, lose text that the store serves.
func PlanPruneNamed(archives []Archive, now time.Time) []memory.PruneStep {
	steps := []memory.PruneStep{}
	for _, a := range archives {
		step := memory.PruneStep{ID: a.ID, Topic: a.Topic, ArchivedAt: a.Since, Action: memory.PruneRemove,
			Reason: "it is the last copy in the store"}
		switch {
		case a.Unreadable, a.Unresolved, a.Active && a.Phase != memory.Full:
			step.Action, step.Reason = pruneAction(a)
		case a.Active:
			step.Reason = "the memory is whole"
		}
		if !a.Since.IsZero() {
			step.Reason = a.became(now) + "; " + step.Reason
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
	case a.Unresolved:
		return memory.PruneKeep, "it or the active memory has an unresolved merge"
	case a.Active && a.Phase != memory.Full:
		return memory.PruneKeep, "it has the full text of a fading memory (" + a.Phase.String() + ")"
	case a.Active && !a.Restored:
		return memory.PruneKeep, "it has a text from before the active memory was rewritten"
	case a.Importance == memory.Critical:
		return memory.PruneKeep, "it is critical"
	case a.Active:
		return memory.PruneRemove, "the memory is whole"
	case a.Superseded != "":
		return memory.PruneKeep, "it is what " + a.Superseded + " corrects"
	}
	return memory.PruneRemove, "it is the last copy in the store"
}

// days formats a duration in days, or exactly if it is shorter than one.
func days(d time.Duration) string {
	switch n := d / day; {
	case n == 1:
		return "1 day"
	case n > 1:
		return fmt.Sprintf("%d days", n)
	}
	return d.Truncate(time.Second).String()
}
