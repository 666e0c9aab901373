package conversation

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Act is a decision about a claim. Fields that a verb does not use are ignored.
type Act struct {
	ID   string
	At   time.Time // when it was recorded
	Verb Verb
	// Bucket and Text state the claim of Suggests and Adds. Acts of all other verbs name it in Claim, see [ClaimID].
	Bucket Bucket
	Text   string
	Claim  string
	// Other is the claim that supersedes Claim, or that Claim is in dispute with. Of Suggests and Adds, it is a claim
	// whose place the stated one is to take; that proposes it, and changes nothing.
	Other string
	// Undone is the act that Undoes takes back.
	Undone string
	// Event is the event that the act's claim was taken from. An act whose event is gone is void. Without an event,
	// the act itself is the evidence.
	Event string
	// Session is the occasion of an act without an event. All acts that leave it empty are one occasion.
	Session string
	// Since is when what Adds, Confirms or Supersedes says became true, if that is known. Zero: by the evidence.
	Since      time.Time `json:",omitzero"`
	Confidence float64   // of Suggests and Adds; it is clamped to 0..1, and NaN is 0
}

// About returns the id of the claim that the act is about.
func (a Act) About() string {
	if a.Verb == Suggests || a.Verb == Adds {
		return ClaimID(a.Bucket, a.Text)
	}
	return a.Claim
}

// History is everything that is known about one user.
type History struct {
	Events []Event
	Acts   []Act
}

// Derive returns the claims that follow from a history, ordered by id. It suggests claims from the events and then
// applies the acts, all in the order in which they were recorded, whatever their order in the history. An act that is
// not allowed, or names a claim that no longer follows from anything, has no effect.
func Derive(h History) []Claim { return derive(h, Suggest) }

// step is an act in its place of the history, with the evidence that it brings.
type step struct {
	Act
	id       string // of the claim
	evidence Evidence
	fromText bool // by the word rules
}

// derive is Derive with the rules of words as an argument.
func derive(h History, suggest func(text, lang string) []Suggestion) []Claim {
	f := fold{claims: map[string]*Claim{}}
	for _, s := range standing(steps(h, suggest)) {
		f.apply(s)
		if s.Verb != Suggests && s.Verb != Adds { // which take nothing from other claims
			f.settle()
		}
	}
	var claims []Claim
	for _, id := range slices.Sorted(maps.Keys(f.claims)) {
		if c := f.claims[id]; len(c.Evidence) > 0 { // a rejection alone is no claim
			claims = append(claims, *c)
		}
	}
	return claims
}

// steps returns the suggestions and acts of a history in the order of recording. At the same moment events come
// first, because an act answers what was said; then ids decide.
func steps(h History, suggest func(text, lang string) []Suggestion) []step {
	events := map[string]Event{}
	var all []step
	for _, e := range h.Events {
		events[e.ID] = e
		if e.Role != User {
			continue
		}
		for _, s := range suggest(e.Text, e.Lang) {
			a := Act{At: e.Recorded, Verb: Suggests, Bucket: s.Bucket, Text: s.Text, Event: e.ID,
				Confidence: s.Confidence}
			all = append(all, step{Act: a, id: a.About(), evidence: of(e), fromText: true})
		}
	}
	for _, a := range h.Acts {
		evidence := Evidence{Act: a.ID, Session: a.Session, At: a.At}
		if a.Event != "" {
			e, ok := events[a.Event]
			if !ok {
				continue
			}
			evidence = of(e)
		}
		all = append(all, step{Act: a, id: a.About(), evidence: evidence})
	}
	slices.SortStableFunc(all, func(a, b step) int {
		return cmp.Or(a.At.Compare(b.At), compareBool(b.fromText, a.fromText), strings.Compare(a.Event, b.Event),
			strings.Compare(a.ID, b.ID), strings.Compare(a.id, b.id), strings.Compare(a.Text, b.Text))
	})
	return all
}

// of returns an event as evidence.
func of(e Event) Evidence {
	return Evidence{Event: e.ID, Thread: e.Thread, Session: e.session(), At: e.Occurred}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// standing returns the steps that hold: neither undone nor about a claim that was forgotten later. An undo can be
// undone, so they are decided from the last one back.
func standing(all []step) []step {
	undone := map[string]bool{}
	forgotten := map[string]bool{} // later than the step that is looked at
	ever := map[string]bool{}
	var kept []step
	for _, s := range slices.Backward(all) {
		switch {
		case s.ID != "" && undone[s.ID]:
			continue
		case s.Verb == Undoes:
			undone[s.Undone] = true
			continue
		case s.Verb == Forgets:
			forgotten[s.id], ever[s.id] = true, true
			continue
		case forgotten[s.id], (s.Verb == Supersedes || s.Verb == Disputes) && forgotten[s.Other]:
			continue
		}
		kept = append(kept, s)
	}
	slices.Reverse(kept)
	return slices.DeleteFunc(kept, func(s step) bool { return s.Verb == Suggests && ever[s.id] })
}

// fold is the state while a history is applied.
type fold struct{ claims map[string]*Claim }

// apply applies one act.
func (f fold) apply(s step) {
	c := f.claims[s.id]
	if c == nil {
		c = &Claim{ID: s.id}
	}
	next, ok := Next(c.State, s.Verb)
	if !ok || !f.allowed(s) {
		return
	}
	if s.Verb == Confirms && len(c.Evidence) == 0 { // all that is left of the claim is its rejection
		delete(f.claims, s.id)
		return
	}
	f.claims[s.id] = c
	rivals, until := c.Against, s.At
	if c.State == Conflicted && next != Conflicted {
		c.Against = nil
	}
	switch s.Verb {
	case Suggests, Adds:
		c.state(s)
	case Supersedes:
		other := f.claims[s.Other]
		c.SupersededBy, until = s.Other, other.tookPlace(c, s.At)
		if !s.Since.IsZero() {
			other.Valid[len(other.Valid)-1].From, until = s.Since, s.Since
		}
	case Disputes:
		other := f.claims[s.Other]
		other.move(Conflicted, s.At)
		c.Against, other.Against = with(c.Against, other.ID), with(other.Against, c.ID)
	case Confirms: // of two claims that contradict each other, the one that is confirmed takes the other's place
		for _, id := range rivals {
			if rival := f.claims[id]; rival != nil && rival.State == Conflicted {
				rival.Against, rival.SupersededBy = nil, c.ID
				rival.move(Superseded, s.At)
			}
		}
	}
	c.move(next, until)
	if (s.Verb == Confirms || s.Verb == Adds) && !s.Since.IsZero() {
		c.Valid[len(c.Valid)-1].From = s.Since
	}
}

// tookPlace returns when an active claim took the place of another, which was noticed at a time: when it began, unless
// the other began later. So their periods meet.
func (c *Claim) tookPlace(of *Claim, noticed time.Time) time.Time {
	if len(of.Valid) == 0 {
		return noticed
	}
	began := c.Valid[len(c.Valid)-1].From
	if began.After(noticed) || !began.After(of.Valid[len(of.Valid)-1].From) {
		return noticed
	}
	return began
}

// allowed reports whether the other claim of an act, if it needs one, is in a state for it, and that a statement
// states something.
func (f fold) allowed(s step) bool {
	switch s.Verb {
	case Suggests, Adds:
		return slices.Contains(Buckets(), s.Bucket) && Normal(s.Text) != ""
	case Supersedes, Disputes:
		other := f.claims[s.Other]
		return other != nil && s.Other != s.id &&
			(other.State == Active || other.State == Conflicted && s.Verb == Disputes)
	}
	return true
}

// state adds the evidence of a statement. The same event is evidence once, an occasion reinforces once, and a lower
// confidence changes nothing.
func (c *Claim) state(s step) {
	if c.Text == "" {
		c.Bucket, c.Text = s.Bucket, oneLine(s.Text)
	}
	if s.Other != "" {
		c.Updates = with(c.Updates, s.Other)
	}
	if s.Confidence > c.Confidence { // never for NaN
		c.Confidence = min(s.Confidence, 1)
	}
	again := slices.ContainsFunc(c.Evidence, func(e Evidence) bool {
		return e.Event == s.evidence.Event && e.Act == s.evidence.Act
	})
	if again {
		return
	}
	if !slices.ContainsFunc(c.Evidence, func(e Evidence) bool { return e.Session == s.evidence.Session }) {
		c.Reinforced++
	}
	c.Evidence = append(c.Evidence, s.evidence)
}

// move changes the state and the periods in which the claim counts as true. A claim that is accepted for the first
// time is true since it was first said; one that is accepted again, since then.
func (c *Claim) move(next State, at time.Time) {
	if c.State == next {
		return
	}
	switch {
	case next == Active && len(c.Valid) == 0:
		c.Valid = []Period{{From: slices.MinFunc(c.Evidence, func(a, b Evidence) int { return a.At.Compare(b.At) }).At}}
	case next == Active:
		c.Valid = append(c.Valid, Period{From: at})
	case next == Rejected:
		c.Valid = nil
	case c.State == Active:
		last := &c.Valid[len(c.Valid)-1]
		last.To = at
		if at.Before(last.From) { // the client's clock was ahead
			last.To = last.From
		}
	}
	if next != Superseded {
		c.SupersededBy = ""
	}
	c.State = next
}

// settle gives back what an act took from other claims: a claim that was superseded by one which is now rejected,
// and a conflicted claim whose rivals are all decided. Their last period goes on as if it had not ended.
func (f fold) settle() {
	for changed := true; changed; {
		changed = false
		for _, c := range f.claims {
			by := f.claims[c.SupersededBy]
			c.Against = slices.DeleteFunc(c.Against, func(id string) bool { return f.claims[id].State != Conflicted })
			lost := c.State == Superseded && by.State == Rejected || c.State == Conflicted && len(c.Against) == 0
			if !lost {
				continue
			}
			c.State, c.SupersededBy, c.Against, changed = Active, "", nil, true
			c.Valid[len(c.Valid)-1].To = time.Time{}
		}
	}
}

// with returns a sorted set of ids with one more.
func with(ids []string, id string) []string {
	if slices.Contains(ids, id) {
		return ids
	}
	ids = append(slices.Clone(ids), id)
	slices.Sort(ids)
	return ids
}
