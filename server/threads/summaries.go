package threads

import (
	"cmp"
	"context"
	"errors"
	"reflect"
	"slices"
	"time"

	"ltm/server/conversation"
)

// Summary returns the active summary of a thread as far as it holds: without the sentences that a context leaves out
// because they state what is not true now. Its ID is empty before the first summary, and both Lines and Written are if
// nothing of it holds. [ErrNotFound]: no such thread.
func (s *Service) Summary(ctx context.Context, c Caller, thread string) (Summary, error) {
	who, id, err := s.subject(ctx, c, thread)
	if err != nil {
		return Summary{}, err
	}
	var active Summary
	err = s.follow(ctx, who, func(v View) error {
		if _, err := v.Thread(id); err != nil {
			return lacks(err, "thread")
		}
		if active, err = activeSummary(v, id); err == nil {
			active, err = s.told(v, who, active)
		}
		return err
	})
	return active, err
}

// activeSummary returns the active summary of a thread, or the zero value.
func activeSummary(v View, thread string) (Summary, error) {
	active, err := v.ActiveSummary(thread)
	if errors.Is(err, ErrNotFound) {
		return Summary{}, nil
	}
	return active, err
}

// Summaries returns the summaries of a thread as they were written, the oldest first.
func (s *Service) Summaries(ctx context.Context, c Caller, thread string) ([]Summary, error) {
	return inThread(ctx, s, c, thread, func(v View, t Thread) ([]Summary, error) { return v.Summaries(t.ID) })
}

// episodes are the summaries of a thread while they are derived. What they are follows from the thread's events and
// from the moments at which someone asked for a summary: when it was promoted last, and its reactions "brain".
// Nothing else may decide it, because a deletion derives them again.
type episodes struct {
	w      *work
	thread Thread
	before []Summary // stored, from the first one on that may change
	after  []Summary
	forced []time.Time // ascending
	seq    int64       // of the cursor

	first, last int64            // Seq of the first and last event that was deleted, 0 if none was
	places      map[string]int64 // Seq of the events that the stored summaries begin and end with; 0: no event
}

// open returns a thread's summaries as they are, to go on from its cursor.
func (w *work) open(t Thread) (*episodes, error) {
	e := &episodes{w: w, thread: t}
	active, err := activeSummary(w, t.ID)
	if err != nil {
		return nil, err
	}
	if active.ID != "" {
		e.before, e.after = []Summary{active}, []Summary{active}
	}
	if t.Cursor != "" {
		at, err := w.Event(t.Cursor)
		if errors.Is(err, ErrNotFound) { // of a thread that was imported without it
			return w.reopen(t, 0)
		}
		if err != nil {
			return nil, err
		}
		e.seq = at.Seq
	}
	return e, e.readForced()
}

// reopen returns a thread's summaries as they were before an event of this Seq was looked at. It must be called
// before the event is deleted.
func (w *work) reopen(t Thread, seq int64) (*episodes, error) {
	e := &episodes{w: w, thread: t, places: map[string]int64{}}
	if t.Cursor == "" {
		return e, nil
	}
	at, err := w.Event(t.Cursor)
	switch {
	case err == nil && at.Seq < seq: // nothing was derived from it
		return w.open(t)
	case err != nil && !errors.Is(err, ErrNotFound):
		return nil, err
	}
	if e.before, err = w.Tx.Summaries(t.ID); err != nil {
		return nil, err
	}
	e.thread.Cursor = ""
	whole := true
	for _, s := range e.before {
		for _, id := range []string{s.From, s.To} {
			ev, err := w.Event(id)
			if err != nil && !errors.Is(err, ErrNotFound) {
				return nil, err
			}
			e.places[id] = ev.Seq
		}
		to := e.places[s.To]
		if whole = whole && 0 < to && to < seq; whole {
			// an episode ends where a step ends, so that deriving can begin behind it
			e.after, e.seq, e.thread.Cursor = append(e.after, s), to, s.To
		}
	}
	return e, nil
}

// forget notes that an event is deleted, which what models wrote may be about.
func (e *episodes) forget(ev Event) {
	e.first, e.last = cmp.Or(e.first, ev.Seq), ev.Seq
}

// readForced reads the moments at which someone asked for a summary.
func (e *episodes) readForced() error {
	e.forced = nil
	if !e.thread.CoreAt.IsZero() {
		e.forced = append(e.forced, e.thread.CoreAt)
	}
	reactions, err := e.w.Reactions(e.thread.ID, allReactions)
	if err != nil {
		return err
	}
	for _, r := range reactions {
		if r.Name == brain {
			e.forced = append(e.forced, r.UpdatedAt)
		}
	}
	slices.SortFunc(e.forced, time.Time.Compare)
	return nil
}

// derive derives summaries again after events were deleted or a moment of force is gone, and returns how many
// summaries are fewer.
func (e *episodes) derive() (gone int64, err error) {
	if err := e.readForced(); err != nil {
		return 0, err
	}
	if _, err := e.steps(0); err != nil {
		return 0, err
	}
	changed, err := e.store()
	if err != nil {
		return 0, err
	}
	// the job that was to write it may have gone with the event
	if changed || len(e.after) > 0 && e.after[len(e.after)-1].Written == "" {
		err = e.rewrite()
	}
	return int64(max(0, len(e.before)-len(e.after))), err
}

// steps takes steps until there is nothing to do, or most of them unless it is 0, and reports whether it stopped
// because there is nothing to do.
func (e *episodes) steps(most int) (finished bool, err error) {
	for n := 0; most == 0 || n < most; n++ {
		more, err := e.step()
		if err != nil || !more {
			return !more, err
		}
	}
	return false, nil
}

// step plans one step and takes it, if there is one.
func (e *episodes) step() (bool, error) {
	stored, err := e.w.Events(EventQuery{Thread: e.thread.ID, After: e.seq, Limit: conversation.Window})
	if err != nil || len(stored) == 0 {
		return false, err
	}
	events := make([]conversation.Event, len(stored))
	for i, ev := range stored {
		events[i] = ev.Event
	}
	plan, ok := e.plan(events)
	if !ok {
		return false, nil
	}
	at := slices.IndexFunc(stored, func(ev Event) bool { return ev.ID == plan.Cursor })
	return true, e.take(plan, stored[at])
}

// plan plans a step over the events behind the cursor. Before each moment of force, all events up to it are
// summarized, however few they are.
func (e *episodes) plan(events []conversation.Event) (conversation.Plan, bool) {
	t := conversation.Thread{Cursor: e.thread.Cursor}
	if n := len(e.after); n > 0 {
		t.Episodes = []conversation.Summary{e.after[n-1].Summary}
	}
	for _, at := range e.forced {
		n := 0
		for n < len(events) && !events[n].Recorded.After(at) {
			n++
		}
		if n == 0 {
			continue
		}
		if plan, ok := t.Next(events[:n]); ok {
			return plan, true
		}
		if plan, ok := t.Force(events[:n]); ok {
			return plan, true
		}
	}
	return t.Next(events)
}

// take carries out a plan, whose last event is given. The times of a summary are those of its events, so that they do
// not depend on when it was derived.
func (e *episodes) take(p conversation.Plan, last Event) error {
	if p.Base != e.thread.Cursor {
		return conversation.ErrMoved
	}
	e.thread.Cursor, e.seq = p.Cursor, last.Seq
	if p.Summary == nil {
		return nil
	}
	next := Summary{Thread: e.thread.ID, Summary: *p.Summary, CreatedAt: last.Recorded, UpdatedAt: last.Recorded}
	if n := len(e.after); p.Summary.Reason == conversation.Roll && n > 0 {
		next.ID, next.CreatedAt = e.after[n-1].ID, e.after[n-1].CreatedAt
		e.after = slices.Clone(e.after)
		e.after[n-1] = next
		return nil
	}
	next.ID = e.w.who.idOf("summary", e.thread.ID, next.From)
	e.after = append(e.after, next)
	return nil
}

// store writes the summaries that differ from those before, and the cursor, and reports whether a summary did. A
// new episode is there before the one before it is closed, for a transaction shows all of it at once.
func (e *episodes) store() (changed bool, err error) {
	for _, old := range e.before {
		if slices.ContainsFunc(e.after, func(s Summary) bool { return s.ID == old.ID }) {
			continue
		}
		changed = true
		if err := e.w.DeleteSummary(old.ID); err != nil {
			return false, err
		}
	}
	for i, s := range e.after {
		s.Active = i == len(e.after)-1
		old, _ := firstWhere(e.before, func(b Summary) bool { return b.ID == s.ID })
		if e.sameTurns(old, s) {
			s.Written, s.Model, s.UpdatedAt = old.Written, old.Model, old.UpdatedAt
		}
		e.after[i] = s
		if reflect.DeepEqual(old, s) {
			continue
		}
		changed = true
		if err := e.w.PutSummary(s); err != nil {
			return false, err
		}
		if err := e.w.queueVector(Ref{KindSummary, s.ID}, s.Thread, ""); err != nil {
			return false, err
		}
	}
	stored, err := e.w.Thread(e.thread.ID)
	if err != nil || reflect.DeepEqual(stored, e.thread) {
		return changed, err
	}
	return changed, e.w.PutThread(e.thread)
}

// sameTurns reports whether a summary is of the same turns as the stored one, so that what a model wrote of them still
// holds. Where an event was deleted it does not, even if no line came from it.
func (e *episodes) sameTurns(old, s Summary) bool {
	if old.ID == "" || !reflect.DeepEqual(old.Summary, s.Summary) {
		return false
	}
	return e.first == 0 || e.last < e.places[old.From] || e.first > e.places[old.To]
}

// Promote marks a thread as core memory and summarizes what has not been yet, without waiting for a model. It returns
// the active summary as [Service.Summary] does, and reports whether that changed. To promote a thread again where
// nothing was said since changes nothing.
func (s *Service) Promote(ctx context.Context, c Caller, id string) (Summary, bool, error) {
	var who Subject
	var changed bool
	active, err := changeThread(ctx, s, c, id, func(w *work, t Thread) (_ Summary, err error) {
		who = w.who
		if changed, err = w.promote(t); err != nil {
			return Summary{}, err
		}
		return activeSummary(w, t.ID)
	})
	if err != nil {
		return Summary{}, false, err
	}
	err = s.follow(ctx, who, func(v View) error { // other changes need not wait for it
		told, err := s.told(v, who, active)
		if err == nil {
			active = told
		}
		return err
	})
	return active, changed, err
}

// promote marks a thread as core memory, and reports whether its summaries changed.
func (w *work) promote(t Thread) (changed bool, err error) {
	at, last, err := w.moment(t.ID)
	if err != nil {
		return false, err
	}
	var e *episodes
	switch {
	case t.CoreAt.IsZero():
		t.CoreAt, t.UpdatedAt = at, w.now
		e, err = w.open(t)
	case last.After(t.CoreAt): // the moment moves, and what it forced with it
		t.CoreAt, t.UpdatedAt = at, w.now
		e, err = w.reopen(t, 0)
	default:
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return e.force()
}

// moment returns a time that is not before any event of a thread, and when its last event was recorded.
func (w *work) moment(thread string) (at, last time.Time, err error) {
	events, err := w.Events(EventQuery{Thread: thread, Newest: true, Limit: 1})
	if err == nil && len(events) > 0 {
		last = events[0].Recorded
	}
	return latest(w.now, last), last, err
}

// force takes all steps up to the moments of force, and stores what they give.
func (e *episodes) force() (changed bool, err error) {
	if err := e.readForced(); err != nil {
		return false, err
	}
	if _, err = e.steps(0); err != nil {
		return false, err
	}
	if changed, err = e.store(); err == nil && changed {
		err = e.rewrite()
	}
	return changed, err
}

// rewrite has a model write the summaries that changed, if there is one.
func (e *episodes) rewrite() error {
	if e.w.s.o.Models.Summaries == nil {
		return nil
	}
	return e.w.queueJob(JobSummarize, Ref{KindThread, e.thread.ID}, e.thread.ID, "")
}
