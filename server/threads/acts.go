package threads

import (
	"context"
	"slices"
	"strings"

	"ltm/server/conversation"
	"ltm/text/secrets"
)

// Act does something with a claim, and returns the claim as it is then, and the act, which can be undone. What is
// forgotten is deleted with its texts; it is returned as it was, and undoing only allows that it is suggested again.
// A claim of which nothing is left has only its ID. [ErrNotFound]: the claim or the act; [ErrState]; [ErrInvalid].
func (s *Service) Act(ctx context.Context, who Subject, a ClaimAct) (Claim, Act, error) {
	a.Text, _ = secrets.RedactTalk(a.Text)
	a.Note, _ = secrets.RedactTalk(a.Note)
	if err := checkProse("the note", a.Note, MaxNote); err != nil {
		return Claim{}, Act{}, err
	}
	id, err := s.newID()
	if err != nil {
		return Claim{}, Act{}, err
	}
	var done Act
	claim, err := change(ctx, s, who, func(w *work) (claim Claim, err error) {
		l, err := w.openLedger()
		if err != nil {
			return claim, err
		}
		act := Act{Act: conversation.Act{ID: id, Verb: a.Verb}, By: client, Note: a.Note}
		if a.Verb == conversation.Undoes {
			done, err = w.undo(l, act, a)
			claim.ID = w.who.ClaimUUID(done.Claim)
		} else {
			claim, done, err = w.act(l, act, a)
		}
		if err != nil {
			return claim, err
		}
		if now, ok := l.claim(claim.ID); ok {
			claim = now
		}
		done, _ = l.act(done.ID)
		return claim, nil
	})
	return claim, done, err
}

// act does what is not an undo. It returns the claim as it was.
func (w *work) act(l *ledger, act Act, a ClaimAct) (claim Claim, done Act, err error) {
	claim, err = l.named(a.Claim, "a claim")
	if err != nil {
		return claim, act, err
	}
	act.Claim = claim.Claim.ID
	switch a.Verb {
	case conversation.Confirms, conversation.Rejects, conversation.Deprecates:
		if err = l.allows(act.Claim, a.Verb); err == nil {
			err = w.addActs(l, act)
		}
	case conversation.Supersedes, conversation.Disputes:
		if a.Verb == conversation.Supersedes && a.Other == "" {
			return w.correct(l, act, claim, a)
		}
		err = w.oppose(l, act, a)
	case conversation.Forgets:
		err = w.forget(l, act)
	default:
		err = Refuse(ErrInvalid, "the act must be confirm, reject, supersede, deprecate, dispute, forget or undo")
	}
	return claim, act, err
}

// named returns a claim by its UUID.
func (l *ledger) named(id, what string) (Claim, error) {
	id, err := checkID(what, id)
	if err != nil {
		return Claim{}, err
	}
	c, ok := l.claim(id)
	if !ok {
		return Claim{}, Refuse(ErrNotFound, "no such claim")
	}
	return c, nil
}

// oppose supersedes a claim by another one, or disputes it with one.
func (w *work) oppose(l *ledger, act Act, a ClaimAct) error {
	other, err := l.named(a.Other, "the other claim")
	if err != nil {
		return err
	}
	act.Other = other.Claim.ID
	if err := l.allows(act.Claim, a.Verb); err != nil {
		return err
	}
	disputed := a.Verb == conversation.Disputes && other.State == conversation.Conflicted
	switch {
	case other.Claim.ID == act.Claim:
		return Refuse(ErrInvalid, "a claim cannot be opposed to itself")
	case other.State != conversation.Active && !disputed:
		return Refuse(ErrState, "the other claim is %s; it must be active", other.State)
	}
	return w.addActs(l, act)
}

// correct supersedes a claim by a text, which becomes an active claim of the same bucket. Undoing the act takes back
// both.
func (w *work) correct(l *ledger, act Act, claim Claim, a ClaimAct) (Claim, Act, error) {
	n := NewClaim{Bucket: claim.Bucket, Text: a.Text}
	if err := checkClaim(n, w.now); err != nil {
		return claim, act, err
	}
	policy := conversation.ClaimID(n.Bucket, n.Text)
	if policy == act.Claim {
		return claim, act, Refuse(ErrInvalid, "the correction says the same")
	}
	if err := l.allows(act.Claim, act.Verb); err != nil {
		return claim, act, err
	}
	states := Act{Act: conversation.Act{ID: w.who.with(act.ID), Verb: conversation.Adds, Bucket: n.Bucket, Text: n.Text,
		Claim: policy, Confidence: claim.Confidence}, By: client, Stability: claim.Stability}
	if _, ok := conversation.Next(l.state(policy), conversation.Adds); !ok {
		// the text was said before, and is not held to be true; the correction says that it is
		states.Act = conversation.Act{ID: states.ID, Verb: conversation.Confirms, Claim: policy}
		states.Stability = ""
	}
	if err := w.addActs(l, states); err != nil {
		return claim, act, err
	}
	if l.state(act.Claim) == conversation.Superseded { // by the confirmation of its rival
		return claim, states, nil
	}
	act.Other = policy
	return claim, act, w.addActs(l, act)
}

// with returns the id of the act that goes with another one, and is undone with it.
func (who Subject) with(act string) string { return who.idOf("with", act) }

// undo takes back an act as if it had never been, together with the act that goes with it.
func (w *work) undo(l *ledger, act Act, a ClaimAct) (Act, error) {
	id, err := checkID("an act", a.Act)
	if err != nil {
		return act, err
	}
	old, ok := l.act(id)
	if !ok {
		return act, Refuse(ErrNotFound, "no such act")
	}
	if !slices.ContainsFunc(standing(l.acts, l.events), func(a Act) bool { return a.ID == id }) {
		return act, Refuse(ErrState, "the act has been undone, or its event is deleted")
	}
	claim := strings.ToLower(a.Claim)
	if claim != "" && w.who.ClaimUUID(about(old.Act)) != claim && w.who.ClaimUUID(old.Other) != claim {
		return act, Refuse(ErrNotFound, "no such act of this claim")
	}
	act.Undone, act.Claim = old.ID, about(old.Act)
	acts := []Act{act}
	if other, ok := l.act(w.who.with(old.ID)); ok {
		acts = append(acts, Act{Act: conversation.Act{ID: w.who.with(act.ID), Verb: conversation.Undoes,
			Undone: other.ID, Claim: about(other.Act)}, By: client})
	}
	return act, w.addActs(l, acts...)
}

// forget deletes a claim with all acts about it, because they have its text and notes, and notes that it is not to be
// suggested again.
func (w *work) forget(l *ledger, act Act) error {
	if err := w.drop(l, act.Claim); err != nil {
		return err
	}
	return w.addActs(l, act)
}

// drop deletes the acts about a claim, and those that undo them.
func (w *work) drop(l *ledger, policy string) error {
	var ids []string
	gone := map[string]bool{}
	for grown := true; grown; {
		grown = false
		for _, a := range l.acts {
			if !gone[a.ID] && (about(a.Act) == policy || a.Other == policy || gone[a.Undone]) {
				gone[a.ID], grown = true, true
				ids = append(ids, a.ID)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return w.DeleteActs(ids, w.now)
}
