package threads

import (
	"context"
	"errors"
	"slices"
	"strings"

	"ltm/server/conversation"
)

// brain is the reaction that asks for a summary.
const brain = "brain"

// ReactionNames lists the reactions that there are.
func ReactionNames() []string { return []string{"thumbs_up", "heart", "angry", "sad", brain} }

// React sets the reaction to an event of the assistant, or removes it if name is empty. "brain" summarizes what has
// not been yet, without waiting for a model; to take it off takes that back. It reports whether the active summary
// changed.
func (s *Service) React(ctx context.Context, c Caller, thread, event, name string) (summary bool, err error) {
	if name != "" && !slices.Contains(ReactionNames(), name) {
		return false, Refuse(ErrInvalid, "the reaction must be one of %s, or none",
			strings.Join(ReactionNames(), ", "))
	}
	return changeThread(ctx, s, c, thread, func(w *work, t Thread) (bool, error) {
		e, err := eventOf(w, t.ID, event)
		if err != nil {
			return false, err
		}
		if e.Role != conversation.Assistant {
			return false, Refuse(ErrInvalid, "only an event of the assistant can have a reaction")
		}
		return w.react(t, e, name)
	})
}

func (w *work) react(t Thread, e Event, name string) (bool, error) {
	old, err := w.Reaction(e.ID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return false, err
	}
	if old.Name == name {
		return false, nil
	}
	var again *episodes
	err = nil
	switch brain {
	case old.Name: // what it forced is as if it had never been
		again, err = w.reopen(t, e.Seq)
	case name:
		again, err = w.open(t)
	}
	if err != nil {
		return false, err
	}
	if name == "" {
		err = w.DeleteReaction(e.ID)
	} else {
		err = w.putReaction(t.ID, old, e.ID, name)
	}
	if err != nil || again == nil {
		return false, err
	}
	return again.force()
}

// putReaction sets a reaction in the place of an old one, if there is one.
func (w *work) putReaction(thread string, old Reaction, event, name string) error {
	at, _, err := w.moment(thread)
	if err != nil {
		return err
	}
	if old.CreatedAt.IsZero() {
		old.CreatedAt = at
	}
	return w.PutReaction(Reaction{Event: event, Name: name, CreatedAt: old.CreatedAt, UpdatedAt: at})
}

// Reactions returns the reactions in a thread by event.
func (s *Service) Reactions(ctx context.Context, c Caller, thread string) (map[string]Reaction, error) {
	all, err := inThread(ctx, s, c, thread, func(v View, t Thread) ([]Reaction, error) {
		return v.Reactions(t.ID, allReactions)
	})
	found := map[string]Reaction{}
	for _, r := range all {
		found[r.Event] = r
	}
	return found, err
}
