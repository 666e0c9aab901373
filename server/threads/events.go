package threads

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ltm/server/conversation"
)

// AddEvents adds events to a thread in their order, in one transaction with the jobs that they set off, and returns
// what became of each: one that is refused, with [ErrInvalid] or [ErrTaken], says so in its row and does not cost the
// others. An event whose id or key the thread has is not added again if it says the same.
//
// The error is that of all of them: [ErrNotFound] without the thread, [ErrInvalid] for more than [MaxBatch].
func (s *Service) AddEvents(ctx context.Context, c Caller, thread string, events []NewEvent) ([]Added, error) {
	if len(events) == 0 || len(events) > MaxBatch {
		return nil, Refuse(ErrInvalid, "a batch has 1 to %d events, not %d", MaxBatch, len(events))
	}
	turns, err := s.extractionTurns(ctx, c.App)
	if err != nil {
		return nil, err
	}
	fresh := make([]fresh, len(events))
	for i, e := range events {
		if fresh[i], err = s.prepare(e); err != nil {
			return nil, err
		}
	}
	return changeThread(ctx, s, c, thread, func(w *work, t Thread) ([]Added, error) {
		return w.addAll(t, fresh, turns)
	})
}

// fresh is an event that is ready to be added, or refused.
type fresh struct {
	Event
	named    bool // by the client: its id
	suggests bool // the word rules find a claim in it, or the end of one
	refused  error
}

// prepare does what needs no transaction.
func (s *Service) prepare(n NewEvent) (f fresh, err error) {
	if f.refused = checkNew(n, s.now()); f.refused != nil {
		return f, nil
	}
	f.Agent, f.Meta, f.Key, f.Unembedded = n.Agent, n.Meta, n.Key, n.Unembedded
	f.Event.Event = conversation.Event{Session: n.Session, Role: n.Role, Text: n.Text, Lang: n.Lang,
		Occurred: n.OccurredAt.UTC().Truncate(time.Microsecond)}
	if f.named = n.ID != ""; f.named {
		f.ID, f.refused = checkID("an event", n.ID)
	} else if f.ID, err = s.newID(); err != nil {
		return f, err
	}
	f.Importance = cmp.Or(n.Importance, conversation.Importance(f.Event.Event))
	f.suggests = n.Role == conversation.User &&
		len(conversation.Suggest(n.Text, n.Lang))+len(conversation.Endings(n.Text, n.Lang)) > 0
	return f, nil
}

// addAll adds events to a thread and returns what became of them.
func (w *work) addAll(t Thread, all []fresh, turns int) ([]Added, error) {
	recorded, err := w.lastRecorded()
	if err != nil {
		return nil, err
	}
	added, any := make([]Added, len(all)), false
	for i, f := range all {
		if f.refused != nil {
			added[i].Err = f.refused
			continue
		}
		f.Thread = t.ID
		// no two events of a subject have the same time, because policies order by it
		f.Recorded = latest(recorded.Add(time.Microsecond), w.now)
		f.Occurred = cmp.Or(f.Occurred, f.Recorded)
		added[i], err = w.add(f)
		if err != nil {
			return nil, err
		}
		if added[i].New {
			any, recorded = true, f.Recorded
		}
	}
	if !any {
		return added, nil
	}
	t.UpdatedAt = w.now
	if err := w.PutThread(t); err != nil {
		return nil, err
	}
	return added, w.queue(t, all, added, turns)
}

// add adds one event. The row has what is wrong with the event, the error what is wrong with the storage.
func (w *work) add(f fresh) (Added, error) {
	old, err := Event{}, error(ErrNotFound)
	if f.Key != "" {
		old, err = w.EventByKey(f.Thread, f.Key)
	}
	if f.named && errors.Is(err, ErrNotFound) {
		old, err = w.Event(f.ID)
	}
	switch {
	case err == nil && old.Thread == f.Thread && old.Role == f.Role && old.Text == f.Text:
		return Added{Event: old}, nil
	case err == nil:
		return Added{Err: Refuse(ErrTaken, "another event has this id or key")}, nil
	case !errors.Is(err, ErrNotFound):
		return Added{}, err
	}
	f.Seq, err = w.AddEvent(f.Event)
	if errors.Is(err, ErrTaken) {
		return Added{Err: Refuse(ErrTaken, "another event has this id or key")}, nil
	}
	return Added{Event: f.Event, New: err == nil}, err
}

// lastRecorded returns when the newest event of the subject was recorded; the zero time without events.
func (w *work) lastRecorded() (time.Time, error) {
	last, err := w.Events(EventQuery{Newest: true, Limit: 1})
	if err != nil || len(last) == 0 {
		return time.Time{}, err
	}
	return last[0].Recorded, nil
}

// ListEvents returns events of a thread, or of all threads of a user if the caller is one.
func (s *Service) ListEvents(ctx context.Context, c Caller, q EventQuery) ([]Event, error) {
	if q.Thread == "" {
		return view(ctx, s, Subject(c), func(v View) ([]Event, error) { return v.Events(q) })
	}
	return inThread(ctx, s, c, q.Thread, func(v View, t Thread) ([]Event, error) {
		q.Thread = t.ID
		return v.Events(q)
	})
}

// Event returns an event of a thread. [ErrNotFound].
func (s *Service) Event(ctx context.Context, c Caller, thread, id string) (Event, error) {
	return inThread(ctx, s, c, thread, func(v View, t Thread) (Event, error) { return eventOf(v, t.ID, id) })
}

// eventOf returns an event that is in a thread.
func eventOf(v View, thread, id string) (Event, error) {
	id, err := checkID("an event", id)
	if err != nil {
		return Event{}, err
	}
	e, err := v.Event(id)
	if err != nil {
		return Event{}, lacks(err, "event")
	}
	if e.Thread != thread {
		return Event{}, Refuse(ErrNotFound, "no such event")
	}
	return e, nil
}

// DeleteEvent deletes an event with what follows from it alone: claims that nothing else states, and what it has in
// summaries. Claims that it had superseded are true again. It returns the number of deleted rows by kind.
func (s *Service) DeleteEvent(ctx context.Context, c Caller, thread, id string) (map[string]int64, error) {
	gone, err := changeThread(ctx, s, c, thread, func(w *work, t Thread) (map[string]int64, error) {
		e, err := eventOf(w, t.ID, id)
		if err != nil {
			return nil, err
		}
		return w.deleteEvents(t, []Event{e})
	})
	return s.noted(ctx, gone, err)
}

// deleteEvents deletes events of one thread, in the order of their Seq.
func (w *work) deleteEvents(t Thread, events []Event) (map[string]int64, error) {
	gone := map[string]int64{}
	before, err := w.openLedger()
	if err != nil {
		return nil, err
	}
	again, err := w.reopen(t, events[0].Seq)
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		again.forget(e)
		if _, err := w.Reaction(e.ID); err == nil {
			gone[string(KindReaction)]++
		} else if !errors.Is(err, ErrNotFound) {
			return nil, err
		}
		if err := w.DeleteEvent(e.ID, w.now); err != nil {
			return nil, lacks(err, "event")
		}
		gone[string(KindEvent)]++
	}
	if gone[string(KindSummary)], err = again.derive(); err != nil {
		return nil, err
	}
	gone[string(KindClaim)], err = w.refold(before)
	return dropZeros(gone), err
}

// dropZeros removes the kinds without deleted rows.
func dropZeros(n map[string]int64) map[string]int64 {
	for k, v := range n {
		if v == 0 {
			delete(n, k)
		}
	}
	return n
}

// DeleteThread deletes a thread with its events and what follows from them alone, and returns how many rows of which
// kind went.
func (s *Service) DeleteThread(ctx context.Context, c Caller, id string) (map[string]int64, error) {
	gone, err := changeThread(ctx, s, c, id, func(w *work, t Thread) (map[string]int64, error) {
		before, err := w.openLedger()
		if err != nil {
			return nil, err
		}
		events, err := countEvents(w, t.ID)
		if err != nil {
			return nil, err
		}
		summaries, err := w.Summaries(t.ID)
		if err != nil {
			return nil, err
		}
		reactions, err := w.Reactions(t.ID, allReactions)
		if err != nil {
			return nil, err
		}
		if err := w.Tx.DeleteThread(t.ID, w.now); err != nil {
			return nil, lacks(err, "thread")
		}
		claims, err := w.refold(before)
		return dropZeros(map[string]int64{string(KindThread): 1, string(KindEvent): events, string(KindClaim): claims,
			string(KindSummary): int64(len(summaries)), string(KindReaction): int64(len(reactions))}), err
	})
	return s.noted(ctx, gone, err)
}

// countEvents counts the events of a thread, a page at a time.
func countEvents(v View, thread string) (n int64, err error) {
	for after := int64(0); ; {
		page, err := v.Events(EventQuery{Thread: thread, After: after, Limit: pageOfEvents})
		if err != nil || len(page) == 0 {
			return n, err
		}
		n += int64(len(page))
		after = page[len(page)-1].Seq
	}
}

const (
	pageOfEvents = 500     // whose texts are in memory at once
	allReactions = 1 << 20 // more than a thread has
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
	return w.PutReaction(Reaction{Event: event, Name: name, CreatedAt: cmp.Or(old.CreatedAt, at), UpdatedAt: at})
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

// Limits of what is stored. Routes may set lower ones.
const (
	MaxText  = 64 << 10 // bytes of an event
	MaxMeta  = 16 << 10 // bytes of the meta of a thread or an event
	MaxTitle = 1000     // bytes
	MaxUser  = 128      // bytes of a user's name
	MaxClaim = 1000     // bytes of a claim's text
	MaxNote  = 1000     // bytes
	MaxBatch = 1000     // events
	maxName  = 256      // bytes of the names of agents, sessions and keys
	maxLang  = 35       // bytes, as long as a language tag gets

	// maxAhead is how far a client's clock may be ahead of the server's.
	maxAhead = 24 * time.Hour
)

// Roles lists who can write an event. Only what users say is taken as a claim about them.
func Roles() []conversation.Role {
	return []conversation.Role{conversation.User, conversation.Assistant, "system", "tool"}
}

// checkWho refuses a subject that cannot be one.
func checkWho(who Subject) error {
	switch {
	case who.App == "":
		return Refuse(ErrInvalid, "no application is named")
	case who.User == "":
		return Refuse(ErrInvalid, "no user is named")
	}
	return checkLine("user", who.User, MaxUser)
}

// checkLine refuses a name that is longer than most bytes, is not UTF-8 or has characters that do not print. It may
// be empty.
func checkLine(what, text string, most int) error {
	bad := func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }
	switch {
	case len(text) > most:
		return Refuse(ErrInvalid, "%s has %d bytes; at most %d are allowed", what, len(text), most)
	case strings.ContainsFunc(text, bad):
		return Refuse(ErrInvalid, "%s must be UTF-8 of characters that print", what)
	}
	return nil
}

// checkProse refuses a text that is longer than most bytes, is not UTF-8 or has the character NUL, which Postgres does
// not keep. It may be empty.
func checkProse(what, text string, most int) error {
	switch {
	case len(text) > most:
		return Refuse(ErrInvalid, "%s has %d bytes; at most %d are allowed", what, len(text), most)
	case !utf8.ValidString(text):
		return Refuse(ErrInvalid, "%s must be UTF-8", what)
	case strings.ContainsRune(text, 0):
		return Refuse(ErrInvalid, "%s must not have the character U+0000", what)
	}
	return nil
}

// checkID returns a UUID in lower case.
func checkID(what, id string) (string, error) {
	canonical, ok := CanonicalID(id)
	if !ok {
		return "", Refuse(ErrInvalid, "the id of %s must be a UUID", what)
	}
	return canonical, nil
}

func checkMeta(m Meta) error {
	var object map[string]json.RawMessage
	switch {
	case m == nil:
		return nil
	case len(m) > MaxMeta:
		return Refuse(ErrInvalid, "meta has %d bytes; at most %d are allowed", len(m), MaxMeta)
	case !utf8.Valid(m), bytes.HasPrefix(bytes.TrimSpace(m), []byte("null")), json.Unmarshal(m, &object) != nil:
		return Refuse(ErrInvalid, "meta must be an object of JSON")
	}
	return nil
}

// checkNew refuses an event that cannot be stored.
func checkNew(e NewEvent, now time.Time) error {
	if !slices.Contains(Roles(), e.Role) {
		return Refuse(ErrInvalid, "the role must be user, assistant, system or tool")
	}
	if strings.TrimSpace(e.Text) == "" {
		return Refuse(ErrInvalid, "the text is blank")
	}
	if e.Importance < 0 || e.Importance > 5 {
		return Refuse(ErrInvalid, "the importance must be from 1 to 5")
	}
	letters := func(r rune) bool { return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if strings.ContainsFunc(e.Lang, letters) {
		return Refuse(ErrInvalid, "the language must be a tag such as en or de-AT")
	}
	return cmp.Or(checkProse("the text", e.Text, MaxText), checkLine("agent", e.Agent, maxName),
		checkLine("session", e.Session, maxName), checkLine("the language", e.Lang, maxLang),
		checkLine("the key", e.Key, maxName), checkMeta(e.Meta), checkOccurred(e.OccurredAt, now))
}

func checkOccurred(at, now time.Time) error {
	first := time.Date(1900, 1, 1, 0, 0, 0, 0, time.UTC)
	if !at.IsZero() && (at.Before(first) || at.After(now.Add(maxAhead))) {
		return Refuse(ErrInvalid, "occurred_at must be between 1900 and a day from now")
	}
	return nil
}

// checkClaim refuses a claim that cannot be stored.
func checkClaim(c NewClaim, now time.Time) error {
	switch {
	case !slices.Contains(conversation.Buckets(), c.Bucket):
		return Refuse(ErrInvalid, "the bucket must be one of %v", conversation.Buckets())
	case conversation.Normal(c.Text) == "":
		return Refuse(ErrInvalid, "the text has no words")
	case math.IsNaN(c.Confidence) || c.Confidence < 0 || c.Confidence > 1:
		return Refuse(ErrInvalid, "the confidence must be a number from 0 to 1")
	case c.Stability != "" && !slices.Contains(stabilities(), c.Stability):
		return Refuse(ErrInvalid, "the stability must be high, med or low")
	case !c.ExpiresAt.IsZero() && !c.ExpiresAt.After(now):
		return Refuse(ErrInvalid, "the claim would expire in the past")
	case c.ExpiresAt.Year() > 9999:
		return Refuse(ErrInvalid, "the claim would expire after the year 9999")
	}
	return cmp.Or(checkProse("the text", c.Text, MaxClaim), checkLine("session", c.Session, maxName),
		checkProse("the note", c.Note, MaxNote))
}
