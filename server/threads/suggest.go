package threads

import (
	"context"
	"errors"

	"ltm/server/conversation"
)

// rules is the actor of an act that follows from the word rules.
const rules = "rules"

// suggest does jobs of the word rules, those of one subject in one transaction.
func (s *Service) suggest(ctx context.Context, jobs []Job) {
	bySubject := map[Subject][]Job{}
	for _, j := range jobs {
		bySubject[j.Subject] = append(bySubject[j.Subject], j)
	}
	for who, some := range bySubject {
		s.guard(ctx, some, func() (bool, error) {
			err := s.suggestAll(ctx, who, some)
			if !errors.Is(err, ErrLost) || len(some) == 1 {
				return true, err
			}
			for _, j := range some { // one of them is another's now, or gone
				if err := s.suggestAll(ctx, who, []Job{j}); err != nil && !errors.Is(err, ErrLost) {
					return false, err
				}
			}
			return true, nil
		})
	}
}

// suggestAll does the jobs of one subject and ends them.
func (s *Service) suggestAll(ctx context.Context, who Subject, jobs []Job) error {
	return s.change(ctx, who, func(w *work) error {
		l, err := w.openLedger()
		if err != nil {
			return err
		}
		known := l.known()
		var acts []Act
		for _, j := range jobs {
			e, err := w.Event(j.Of.ID)
			if err != nil && !errors.Is(err, ErrNotFound) {
				return err
			}
			var some []Act
			if err == nil {
				some = l.fresh(known, rules, suggestions(e))
			}
			acts = append(acts, some...)
			end := done("%d suggested", len(some))
			if len(some) == 0 {
				end = skipped("no rule finds a claim that is new")
			}
			if err := w.FinishJob(j.ended(end, w.now)); err != nil {
				return err
			}
		}
		return w.addDerived(l, acts)
	})
}

// suggestions returns what the word rules find in an event.
func suggestions(e Event) []conversation.Act {
	if e.Role != conversation.User {
		return nil
	}
	var acts []conversation.Act
	for _, s := range conversation.Suggest(e.Text, e.Lang) {
		acts = append(acts, conversation.Act{Verb: conversation.Suggests, Bucket: s.Bucket, Text: s.Text,
			Event: e.ID, Session: e.Session, Confidence: s.Confidence, At: e.Recorded})
	}
	return acts
}

// known returns the acts that there are, by id, and marks claims that were forgotten, which are not suggested again:
// not even their texts are kept.
func (l *ledger) known() map[string]bool {
	known := map[string]bool{}
	for _, a := range l.acts {
		known[a.ID] = true
	}
	for _, a := range standing(l.acts, l.events) {
		if a.Verb == conversation.Forgets {
			known[a.Claim] = true
		}
	}
	return known
}

// fresh returns those suggestions that are neither there nor of a claim that was forgotten, with ids that are made of
// who suggests, the event and the claim: made again, they are the same.
func (l *ledger) fresh(known map[string]bool, by string, found []conversation.Act) []Act {
	var acts []Act
	for _, a := range found {
		a.Claim = about(a)
		a.ID = l.who.idOf("derived", by, string(a.Verb), a.Event, a.Claim)
		if known[a.ID] || known[a.Claim] {
			continue
		}
		known[a.ID] = true
		acts = append(acts, Act{Act: a, By: by})
	}
	return acts
}

// addDerived stores what follows from events, which counts from when their events were recorded: what a person decided
// since then is later.
func (w *work) addDerived(l *ledger, acts []Act) error {
	if len(acts) == 0 {
		return nil
	}
	for _, a := range acts {
		if err := w.AddAct(a); err != nil {
			return err
		}
	}
	_, err := w.refold(l)
	return err
}

// extract asks a model what an event says about the user, and stores it together with the end of the job.
func (s *Service) extract(ctx context.Context, j Job) (ended bool, err error) {
	acts, why, err := s.askExtraction(ctx, j)
	if err != nil {
		return false, err
	}
	if why != "" {
		s.end(ctx, j.ended(skipped(why), s.now()))
		return true, nil
	}
	return true, s.changePaid(ctx, j.Subject, func(w *work) error { return w.keepExtracted(j, acts) })
}

// keepExtracted stores what a model found, unless its events were deleted meanwhile.
func (w *work) keepExtracted(j Job, acts []conversation.Act) error {
	l, err := w.openLedger()
	if err != nil {
		return err
	}
	var there []conversation.Act
	for _, a := range acts {
		switch e, err := w.Event(a.Event); {
		case errors.Is(err, ErrNotFound):
		case err != nil:
			return err
		default:
			a.At, a.Session = e.Recorded, e.Session
			there = append(there, a)
		}
	}
	fresh := l.fresh(l.known(), w.s.o.Models.Extraction.Model(), there)
	end := done("%d new claims or new evidence", len(fresh))
	if err := w.FinishJob(j.ended(end, w.now)); err != nil {
		return err
	}
	return w.addDerived(l, fresh)
}
