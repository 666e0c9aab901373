package threads

import (
	"cmp"
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"ltm/server/conversation"
	"ltm/text/secrets"
)

// ledger is what the claims of a subject are derived from.
type ledger struct {
	who    Subject
	now    time.Time
	events []conversation.Event // that acts name, without text
	acts   []Act
	claims []Claim // that follow
	// pending are claims that will, with only a bucket and a text
	pending []Claim
}

// readLedger reads what claims are derived from, and derives them.
func readLedger(v View, who Subject, now time.Time) (*ledger, error) {
	l := &ledger{who: who, now: now}
	h, err := v.History()
	if err != nil {
		return nil, err
	}
	l.events = h.Events
	if l.acts, err = v.Acts(""); err != nil {
		return nil, err
	}
	l.claims = deriveClaims(who, l.events, l.acts, now)
	return l, nil
}

func (w *work) openLedger() (*ledger, error) { return readLedger(w, w.who, w.now) }

// claim returns a claim by its UUID.
func (l *ledger) claim(id string) (Claim, bool) {
	return firstWhere(l.claims, func(c Claim) bool { return c.ID == id })
}

// firstWhere returns the first of some values that is so.
func firstWhere[T any](all []T, is func(T) bool) (found T, ok bool) {
	if at := slices.IndexFunc(all, is); at >= 0 {
		return all[at], true
	}
	return found, false
}

// state returns the state of a claim by the policies' id.
func (l *ledger) state(policy string) conversation.State {
	c, _ := l.claim(l.who.ClaimUUID(policy))
	return c.State
}

// act returns an act by its id.
func (l *ledger) act(id string) (Act, bool) {
	return firstWhere(l.acts, func(a Act) bool { return a.ID == id })
}

// refold brings a ledger up to date after acts or events changed, makes the claims those that follow, and returns how
// many of the claims before are gone. Claims that say something new get a vector.
func (w *work) refold(before *ledger) (gone int64, err error) {
	after, err := w.openLedger()
	if err != nil {
		return 0, err
	}
	old := *before
	*before = *after
	if reflect.DeepEqual(old.claims, after.claims) {
		return 0, nil
	}
	if err := w.PutClaims(after.claims); err != nil {
		return 0, err
	}
	for _, c := range old.claims {
		if _, ok := after.claim(c.ID); !ok {
			gone++
		}
	}
	for _, c := range after.claims {
		if was, ok := old.claim(c.ID); !ok || was.Text != c.Text {
			if err := w.queueVector(Ref{KindClaim, c.ID}, "", ""); err != nil {
				return 0, err
			}
		}
	}
	return gone, nil
}

// deriveClaims returns the claims that follow from acts at a time, ordered by the policies' ids. A claim that expired
// is as if it had been deprecated then.
func deriveClaims(who Subject, events []conversation.Event, acts []Act, now time.Time) []Claim {
	holding := standing(acts, events)
	ends, lapses := expiries(holding, now)
	h := conversation.History{Events: events, Acts: lapses}
	for _, a := range acts {
		h.Acts = append(h.Acts, a.Act)
	}
	var claims []Claim
	for _, c := range conversation.Derive(h) {
		claim := Claim{ID: who.ClaimUUID(c.ID), Claim: c, Stability: "med", ExpiresAt: ends[c.ID]}
		if end := claim.ExpiresAt; c.State == conversation.Active && !end.IsZero() {
			last := &claim.Valid[len(claim.Valid)-1]
			last.To = end
			if end.Before(last.From) { // the client's clock was ahead
				last.To = last.From
			}
		}
		claims = append(claims, claim)
	}
	date(claims, holding)
	return claims
}

// standing returns the acts that are not undone, in the order in which policies apply them, with the claim that each
// is about. An act whose event is gone is not among them.
func standing(acts []Act, events []conversation.Event) []Act {
	there, known := map[string]bool{"": true}, map[string]bool{}
	for _, e := range events {
		there[e.ID] = true
	}
	for _, a := range acts {
		known[a.ID] = true
	}
	kept := slices.DeleteFunc(slices.Clone(acts), func(a Act) bool {
		return !there[a.Event] || a.Verb == conversation.Undoes && !known[a.Undone]
	})
	slices.SortStableFunc(kept, func(a, b Act) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Event, b.Event), strings.Compare(a.ID, b.ID))
	})
	undone := map[string]bool{}
	for _, a := range slices.Backward(kept) {
		if a.Verb == conversation.Undoes && !undone[a.ID] {
			undone[a.Undone] = true
		}
	}
	kept = slices.DeleteFunc(kept, func(a Act) bool { return undone[a.ID] })
	for i, a := range kept {
		kept[i].Claim = a.About()
	}
	return kept
}

// expiries returns until when claims hold, by their policies' ids, and the expiries that have passed as acts. A
// statement sets the end; a confirmation after the end takes it away.
func expiries(holding []Act, now time.Time) (ends map[string]time.Time, lapses []conversation.Act) {
	ends = map[string]time.Time{}
	lapsed := func(claim string, at time.Time) bool {
		end := ends[claim]
		return !end.IsZero() && !end.After(at)
	}
	lapse := func(claim string) {
		lapses = append(lapses, conversation.Act{At: ends[claim], Verb: conversation.Deprecates, Claim: claim})
	}
	for _, a := range holding {
		states := a.Verb == conversation.Suggests || a.Verb == conversation.Adds
		switch over := lapsed(a.Claim, a.At); {
		case a.Verb == conversation.Confirms && (over || !a.ExpiresAt.IsZero()):
			if over {
				lapse(a.Claim)
			}
			ends[a.Claim] = a.ExpiresAt
		case states && !over && !a.ExpiresAt.IsZero():
			ends[a.Claim] = a.ExpiresAt
		}
	}
	for claim, end := range ends {
		switch {
		case end.IsZero():
			delete(ends, claim)
		case lapsed(claim, now):
			lapse(claim)
		}
	}
	return ends, lapses
}

// date fills in what is known from the acts about a claim: its stability and when it was made and changed.
func date(claims []Claim, holding []Act) {
	at := map[string]int{}
	for i, c := range claims {
		at[c.Claim.ID] = i
	}
	for _, a := range holding { // the oldest first
		for _, id := range []string{a.Claim, a.Other} {
			i, ok := at[id]
			if !ok || id == "" {
				continue
			}
			c := &claims[i]
			c.CreatedAt, c.UpdatedAt = cmp.Or(c.CreatedAt, a.At), a.At
			if a.Stability != "" && id == a.Claim {
				c.Stability = a.Stability
			}
		}
	}
}

// seenAt returns a claim as it is at a time: one that has expired since it was derived is deprecated.
func (c Claim) seenAt(now time.Time) Claim {
	if c.State == conversation.Active && !c.ExpiresAt.IsZero() && !c.ExpiresAt.After(now) {
		c.State = conversation.Deprecated
	}
	return c
}

// writtenLines returns the lines of what a model wrote, as a context shows them, and the prefix of each.
func (s Summary) writtenLines() (lines []conversation.Line, bullets []string) {
	for line := range strings.Lines(s.Written) {
		text := strings.TrimLeft(line, " -*\t")
		bullets = append(bullets, line[:len(line)-len(text)])
		lines = append(lines, conversation.Line{Event: s.ID, Text: strings.TrimSpace(text)})
	}
	return lines, bullets
}

// told returns a summary of a subject as it is told now: each of its lines as a context would show it. What is stored
// stays as it was written, because what holds changes. Without an index at hand, one is made only if something does not
// hold, because that takes seconds for a long memory.
func (s *Service) told(v View, who Subject, sum Summary) (Summary, error) {
	if sum.Written == "" && len(sum.Lines) == 0 {
		return sum, nil
	}
	at := s.now()
	later, err := since(v, sum)
	if err != nil {
		return Summary{}, err
	}
	if !s.indexes.holds(who) {
		claims, err := v.Claims(ClaimQuery{})
		if err != nil {
			return Summary{}, err
		}
		if !slices.ContainsFunc(claims, func(c Claim) bool {
			return c.State != conversation.Suggested && !until(c).Shown(at)
		}) {
			return sum.recounted(conversation.Know(nil), later, at), nil
		}
	}
	err = s.indexes.at(v, who, func(e *entry) error {
		sum = sum.recounted(e.known, later, at)
		return nil
	})
	return sum, err
}

// since returns the last events of a thread behind those that a summary covers.
func since(v View, sum Summary) (later []conversation.Event, err error) {
	stored, err := v.Events(EventQuery{Thread: sum.Thread, Newest: true, Limit: conversation.Window})
	covered := slices.IndexFunc(stored, func(e Event) bool { return e.ID == sum.To })
	for _, e := range stored[covered+1:] {
		later = append(later, e.Event)
	}
	return later, err
}

// recounted returns a summary as it is told at a time, given what was said after it.
func (s Summary) recounted(known *conversation.Known, later []conversation.Event, at time.Time) Summary {
	if s.Written == "" {
		s.Lines = conversation.Current(known.Recount(s.Lines, at), later)
		s.Lines = slices.DeleteFunc(s.Lines, func(l conversation.Line) bool { return l.Text == "" })
		return s
	}
	s.Written, _ = secrets.RedactTalk(s.Written) // a key has several lines
	lines, bullets := s.writtenLines()
	told := conversation.Current(known.Recount(lines, at), later)
	if slices.EqualFunc(lines, told, func(a, b conversation.Line) bool { return a.Text == b.Text }) {
		return s
	}
	s.Lines, s.Written = nil, "" // its sentences do not take the place of what a model wrote of them
	for i, l := range told {
		if l.Text != "" {
			s.Written += bullets[i] + l.Text + "\n"
		}
	}
	return s
}

// Rederive derives all claims and summaries of a subject again, as after rows were deleted behind the service's back:
// by repeating what was erased after a backup was restored.
func (s *Service) Rederive(ctx context.Context, who Subject) error {
	all, err := view(ctx, s, who, func(v View) ([]Thread, error) { return v.Threads(ThreadQuery{}) })
	if err != nil {
		return err
	}
	for _, t := range all {
		err := s.change(ctx, who, func(w *work) error {
			t, err := w.Thread(t.ID)
			if errors.Is(err, ErrNotFound) {
				return nil
			}
			if err != nil {
				return err
			}
			e, err := w.reopen(t, 0)
			if err != nil {
				return err
			}
			e.first, e.last = 1, math.MaxInt64 // what models wrote may be about what is gone
			_, err = e.derive()
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.change(ctx, who, func(w *work) error {
		l, err := w.openLedger()
		if err != nil {
			return err
		}
		return w.PutClaims(l.claims)
	})
}
