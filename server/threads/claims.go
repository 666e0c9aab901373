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
	all := found
	if len(q.Buckets)+len(q.IDs) > 0 || q.Filter != nil {
		if all, err = view(ctx, s, who, func(v View) ([]Claim, error) { return v.Claims(ClaimQuery{}) }); err != nil {
			return nil, err
		}
	}
	noticed(found, proposals(all, now))
	return q.Page(slices.DeleteFunc(found, func(c Claim) bool {
		return len(q.States) > 0 && !slices.Contains(q.States, c.State) ||
			!q.AsOf.IsZero() && !c.TrueAt(q.AsOf)
	})), nil
}

// Claim returns a claim. [ErrNotFound].
func (s *Service) Claim(ctx context.Context, who Subject, id string) (Claim, error) {
	return view(ctx, s, who, func(v View) (Claim, error) {
		c, err := claimOf(v, id)
		if err != nil {
			return Claim{}, err
		}
		all, err := v.Claims(ClaimQuery{})
		one := []Claim{c.seenAt(s.now())}
		noticed(one, proposals(all, s.now()))
		return one[0], err
	})
}

// proposals returns what claims contradict at a time.
func proposals(claims []Claim, now time.Time) []conversation.Proposal {
	return conversation.Proposals(policies(claims, now))
}

// policies returns claims as the policies know them, at a time.
func policies(claims []Claim, now time.Time) []conversation.Claim {
	all := make([]conversation.Claim, len(claims))
	for i, c := range claims {
		all[i] = c.seenAt(now).Claim
	}
	return all
}

// noticed adds to each claim what contradicts it.
func noticed(claims []Claim, found []conversation.Proposal) {
	against := map[string][]string{}
	for _, p := range found {
		against[p.Claim] = append(against[p.Claim], p.Other)
	}
	for i, c := range claims {
		claims[i].Against = append(slices.Clone(c.Against), against[c.Claim.ID]...)
		slices.Sort(claims[i].Against)
	}
}

func claimOf(v View, id string) (Claim, error) {
	id, err := checkID("a claim", id)
	if err != nil {
		return Claim{}, err
	}
	c, err := v.Claim(id)
	return c, lacks(err, "claim")
}

// Profile is what holds of a user: Static what they are, by slots and by what must not be overlooked, Dynamic what they
// are about, the newest first.
type Profile struct{ Static, Dynamic []Claim }

// Profile returns the profile of a user at a time; zero: now. A user of whom nothing is kept has an empty one.
func (s *Service) Profile(ctx context.Context, who Subject, at time.Time) (Profile, error) {
	at = cmp.Or(at, s.now())
	all, err := s.ListClaims(ctx, who, ClaimQuery{})
	var p Profile
	for _, c := range all {
		switch {
		case !until(c).Shown(at):
		case slices.Contains(headBuckets(), c.Bucket), c.Bucket == conversation.Preferences:
			p.Static = append(p.Static, c)
		default:
			p.Dynamic = append(p.Dynamic, c)
		}
	}
	slices.SortFunc(p.Static, heads)
	slices.SortFunc(p.Dynamic, func(x, y Claim) int {
		return cmp.Or(y.Since().Compare(x.Since()), cmp.Compare(x.Claim.ID, y.Claim.ID))
	})
	return p, err
}

// ClaimHistory returns the acts about a claim, the oldest first, and behind them those that the claims suggest: that
// one supersedes another, or disputes it. [ErrNotFound].
func (s *Service) ClaimHistory(ctx context.Context, who Subject, id string) ([]Act, error) {
	return view(ctx, s, who, func(v View) ([]Act, error) {
		c, err := claimOf(v, id)
		if err != nil {
			return nil, err
		}
		l, err := readLedger(v, who, s.now())
		if err != nil {
			return nil, err
		}
		acts := slices.DeleteFunc(l.acts, func(a Act) bool {
			return a.About() != c.Claim.ID && a.Other != c.Claim.ID
		})
		for i, a := range acts {
			acts[i].Proposed = a.Verb == conversation.Ends && c.State == conversation.Active
		}
		for _, p := range proposals(l.claims, s.now()) {
			if p.Claim == c.Claim.ID || p.Other == c.Claim.ID {
				other, _ := l.claim(who.ClaimUUID(p.Other))
				acts = append(acts, Act{Act: conversation.Act{ID: who.idOf("proposed", p.Claim, p.Other),
					At: other.UpdatedAt, Verb: p.Verb, Claim: p.Claim, Other: p.Other}, By: rules, Proposed: true})
			}
		}
		return acts, nil
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
	n.Text = l.same(n.Bucket, n.Text, verb)
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
		at = latest(at, a.At)
	}
	for _, a := range acts {
		at = latest(at.Add(time.Microsecond), w.now)
		a.At = at
		if err := w.AddAct(a); err != nil {
			return taken(err, "there is an act with this id")
		}
	}
	_, err = w.refold(l)
	return err
}

// Act does something with a claim, and returns the claim as it is then, and the act, which can be undone. What is
// forgotten is deleted with its texts; it is returned as it was, and undoing only allows that it is suggested again.
// A claim of which nothing is left has only its ID. [ErrNotFound]: the claim or the act; [ErrState]; [ErrInvalid].
func (s *Service) Act(ctx context.Context, who Subject, a ClaimAct) (Claim, Act, error) {
	a.Text, _ = secrets.RedactTalk(a.Text)
	a.Note, _ = secrets.RedactTalk(a.Note)
	if err := checkProse("the note", a.Note, MaxNote); err != nil {
		return Claim{}, Act{}, err
	}
	if a.Since.After(s.now()) || !a.Since.IsZero() && a.Since.Year() < 1900 {
		return Claim{}, Act{}, Refuse(ErrInvalid, "valid_from must be between 1900 and now")
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
		act := Act{Act: conversation.Act{ID: id, Verb: a.Verb, Since: micro(a.Since)}, By: client, Note: a.Note}
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
			err = w.addActs(l, append([]Act{act}, w.replaced(l, act, claim)...)...)
		}
	case conversation.Supersedes, conversation.Disputes:
		if a.Verb == conversation.Supersedes && a.Other == "" {
			return w.correct(l, act, claim, a)
		}
		err = w.oppose(l, act, a)
	case conversation.Forgets:
		// with all acts about it, which have its text and notes; this one keeps it from being suggested again
		if err = w.drop(l, act.Claim); err == nil {
			err = w.addActs(l, act)
		}
	default:
		err = Refuse(ErrInvalid, "the act must be confirm, reject, supersede, deprecate, dispute, forget or undo")
	}
	return claim, act, err
}

// replaced returns the act by which a suggestion that is confirmed takes the place of the claim that it updates.
func (w *work) replaced(l *ledger, act Act, claim Claim) []Act {
	at := slices.IndexFunc(claim.Updates, func(id string) bool { return l.state(id) == conversation.Active })
	if act.Verb != conversation.Confirms || claim.State != conversation.Suggested || at < 0 {
		return nil
	}
	return []Act{{Act: conversation.Act{ID: w.who.with(act.ID), Verb: conversation.Supersedes, Claim: claim.Updates[at],
		Other: act.Claim}, By: client}}
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
	case other.State == conversation.Suggested: // this says that it is true, too
		confirm := conversation.Act{ID: w.who.with(act.ID), Verb: conversation.Confirms, Claim: act.Other,
			Since: act.Since}
		return w.addActs(l, Act{Act: confirm, By: client}, act)
	case other.State != conversation.Active && !disputed:
		return Refuse(ErrState, "the other claim is %s; it must be active or suggested", other.State)
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
		Claim: policy, Confidence: claim.Confidence, Since: act.Since}, By: client, Stability: claim.Stability}
	if _, ok := conversation.Next(l.state(policy), conversation.Adds); !ok {
		// the text was said before, and is not held to be true; the correction says that it is
		states.Act = conversation.Act{ID: states.ID, Verb: conversation.Confirms, Claim: policy, Since: act.Since}
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
	if claim != "" && w.who.ClaimUUID(old.About()) != claim && w.who.ClaimUUID(old.Other) != claim {
		return act, Refuse(ErrNotFound, "no such act of this claim")
	}
	act.Undone, act.Claim = old.ID, old.About()
	acts := []Act{act}
	if other, ok := l.act(w.who.with(old.ID)); ok {
		acts = append(acts, Act{Act: conversation.Act{ID: w.who.with(act.ID), Verb: conversation.Undoes,
			Undone: other.ID, Claim: other.About()}, By: client})
	}
	return act, w.addActs(l, acts...)
}

// drop deletes the acts about a claim, and those that undo them.
func (w *work) drop(l *ledger, policy string) error {
	var ids []string
	gone := map[string]bool{}
	for grown := true; grown; {
		grown = false
		for _, a := range l.acts {
			states := a.Verb == conversation.Suggests || a.Verb == conversation.Adds // another claim, which stays
			if !gone[a.ID] && (a.About() == policy || a.Other == policy && !states || gone[a.Undone]) {
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
