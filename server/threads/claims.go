package threads

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"ltm/server/conversation"
	"ltm/text/secrets"
)

// client is the actor of an act that came by a route.
const client = "client"

// ListClaims returns the claims of a user, the surest first. A claim that has expired is deprecated.
func (s *Service) ListClaims(ctx context.Context, who Subject, q ClaimQuery) ([]Claim, error) {
	for _, b := range q.Buckets {
		if !slices.Contains(conversation.Buckets(), b) {
			return nil, Refuse(ErrInvalid, "the bucket must be one of %v", conversation.Buckets())
		}
	}
	for _, st := range q.States {
		if !slices.Contains(conversation.States(), st) {
			return nil, Refuse(ErrInvalid, "the state must be one of %v", conversation.States())
		}
	}
	found, err := view(ctx, s, who, func(v View) ([]Claim, error) {
		// states and times change by the clock alone, and a user has few claims
		return v.Claims(ClaimQuery{Buckets: q.Buckets, IDs: q.IDs, Filter: q.Filter})
	})
	if err != nil {
		return nil, err
	}
	now := s.now()
	for i := range found {
		found[i] = found[i].seenAt(now)
	}
	return q.Page(slices.DeleteFunc(found, func(c Claim) bool {
		return len(q.States) > 0 && !slices.Contains(q.States, c.State) ||
			!q.AsOf.IsZero() && !c.TrueAt(q.AsOf)
	})), nil
}

// Claim returns a claim. [ErrNotFound].
func (s *Service) Claim(ctx context.Context, who Subject, id string) (Claim, error) {
	c, err := view(ctx, s, who, func(v View) (Claim, error) { return claimOf(v, id) })
	return c.seenAt(s.now()), err
}

func claimOf(v View, id string) (Claim, error) {
	id, err := checkID("a claim", id)
	if err != nil {
		return Claim{}, err
	}
	c, err := v.Claim(id)
	return c, lacks(err, "claim")
}

// ClaimHistory returns the acts about a claim, the oldest first. [ErrNotFound].
func (s *Service) ClaimHistory(ctx context.Context, who Subject, id string) ([]Act, error) {
	return view(ctx, s, who, func(v View) ([]Act, error) {
		c, err := claimOf(v, id)
		if err != nil {
			return nil, err
		}
		all, err := v.Acts("")
		return slices.DeleteFunc(all, func(a Act) bool {
			return about(a.Act) != c.Claim.ID && a.Other != c.Claim.ID
		}), err
	})
}

// AddClaim states a claim, which is active, or suggests it. Credentials and card numbers in it are masked. What is
// stated again is the same claim with more evidence. [ErrState]: the claim is there, and a mention cannot revive it;
// [ErrInvalid]; [ErrNotFound]: the event.
func (s *Service) AddClaim(ctx context.Context, who Subject, n NewClaim) (Claim, error) {
	n.Text, _ = secrets.RedactTalk(n.Text)
	n.Note, _ = secrets.RedactTalk(n.Note)
	if err := checkClaim(n, s.now()); err != nil {
		return Claim{}, err
	}
	id, err := s.newID()
	if err == nil && n.Event != "" {
		n.Event, err = checkID("an event", n.Event)
	}
	if err != nil {
		return Claim{}, err
	}
	return change(ctx, s, who, func(w *work) (Claim, error) {
		l, err := w.openLedger()
		if err != nil {
			return Claim{}, err
		}
		return w.addClaim(l, id, n)
	})
}

func (w *work) addClaim(l *ledger, id string, n NewClaim) (Claim, error) {
	if n.Event != "" {
		e, err := w.Event(n.Event)
		if err != nil {
			return Claim{}, lacks(err, "event")
		}
		n.Session = cmp.Or(n.Session, e.Session)
	}
	verb := conversation.Adds
	if n.Suggest {
		verb = conversation.Suggests
	}
	policy := conversation.ClaimID(n.Bucket, n.Text)
	if err := l.allows(policy, verb); err != nil {
		return Claim{}, err
	}
	a := Act{Act: conversation.Act{ID: id, Verb: verb, Bucket: n.Bucket, Text: n.Text, Claim: policy, Event: n.Event,
		Session: n.Session, Confidence: cmp.Or(n.Confidence, saidConfidence)},
		By: client, Note: n.Note, Stability: n.Stability, ExpiresAt: n.ExpiresAt.UTC().Truncate(time.Microsecond)}
	acts := []Act{a}
	if !n.Suggest && l.banned(policy) { // a rejection is all that is left of it; what is said now counts more
		confirm := conversation.Act{ID: w.who.with(id), Verb: conversation.Confirms, Claim: policy}
		acts = []Act{{Act: confirm, By: client}, a}
	}
	if err := w.addActs(l, acts...); err != nil {
		return Claim{}, err
	}
	c, ok := l.claim(w.who.ClaimUUID(policy))
	if !ok {
		return Claim{}, Refuse(ErrState, "the claim was rejected or deleted; it can be added, not suggested")
	}
	return c, nil
}

// banned reports whether there is no claim, but a rejection of it.
func (l *ledger) banned(policy string) bool {
	return l.state(policy) == conversation.Unknown && slices.ContainsFunc(standing(l.acts, l.events), func(a Act) bool {
		return a.Verb == conversation.Rejects && a.Claim == policy
	})
}

// saidConfidence is the confidence of a claim whose client gives none: as much as the reference of such memories.
const saidConfidence = 0.5

// allows refuses an act that the state of a claim does not allow.
func (l *ledger) allows(policy string, verb conversation.Verb) error {
	state := l.state(policy)
	if _, ok := conversation.Next(state, verb); ok {
		return nil
	}
	var can []string
	for _, v := range []conversation.Verb{conversation.Adds, conversation.Confirms, conversation.Rejects,
		conversation.Supersedes, conversation.Deprecates, conversation.Disputes} {
		if _, ok := conversation.Next(state, v); ok {
			can = append(can, string(v))
		}
	}
	return Refuse(ErrState, "a claim that is %s cannot be changed by %q; allowed are %s", state, verb,
		strings.Join(can, ", "))
}

// addActs stores acts, each later than everything before it, and makes the claims those that follow.
func (w *work) addActs(l *ledger, acts ...Act) error {
	at, err := w.lastRecorded()
	if err != nil {
		return err
	}
	for _, a := range l.acts {
		if a.At.After(at) {
			at = a.At
		}
	}
	for _, a := range acts {
		at = at.Add(time.Microsecond)
		if w.now.After(at) {
			at = w.now
		}
		a.At = at
		if err := w.AddAct(a); err != nil {
			return taken(err, "there is an act with this id")
		}
	}
	_, err = w.refold(l)
	return err
}
