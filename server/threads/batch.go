package threads

import (
	"cmp"
	"context"
	"slices"
	"time"

	"ltm/server/conversation"
)

const (
	// ExtractionTurns is how many messages of a user a model is asked about at once, unless the application says
	// otherwise: fewer cost a request for each greeting, and more keep a claim from the next reply.
	ExtractionTurns = 5
	// MaxExtractionTurns bounds what one request holds.
	MaxExtractionTurns = 20
	// extractionWait is how long the first message of a batch waits for others.
	extractionWait = 2 * time.Minute
	// batchWindow is how many events of a thread are looked through for those of a batch.
	batchWindow = 3 * MaxExtractionTurns
	// together is why a job ends that a later one of its batch does.
	together = "the model is asked together with a later message"
)

// extractionTurns returns the size of an application's batches, 0 without a model.
func (s *Service) extractionTurns(ctx context.Context, app string) (int, error) {
	if s.o.Models.Extraction == nil {
		return 0, nil
	}
	a, err := s.o.Storage.AppOf(ctx, app)
	return cmp.Or(a.Settings.ExtractionTurns, ExtractionTurns), err
}

// batch is what waits in a thread for the model that extracts claims.
type batch struct {
	turns   int // that it takes
	waiting int
	due     time.Time
}

// queueExtraction has a model asked about an event: with the last of its batch, or when the first has waited.
func (w *work) queueExtraction(b *batch, e Event) error {
	if b.waiting == 0 {
		b.due = w.now.Add(extractionWait)
	}
	b.waiting++
	due := b.due
	if b.waiting >= b.turns {
		due, b.waiting = w.now, 0
	}
	return w.AddJob(Job{Subject: w.who, Kind: JobExtract, Thread: e.Thread, Of: Ref{KindEvent, e.ID}, Cause: e.ID,
		State: JobPending, CreatedAt: w.now, RunAt: due})
}

// waitingBatch returns the batch of a thread that is not full, as of before an event.
func waitingBatch(v View, thread string, before int64, turns int) (batch, error) {
	b := batch{turns: turns}
	err := jobsBefore(v, thread, before, func(_ Event, j Job) bool {
		if j.State != JobPending || j.RunAt.Equal(j.CreatedAt) { // it ended, or filled a batch
			return false
		}
		b.waiting, b.due = b.waiting+1, j.RunAt
		return b.waiting < turns
	})
	return b, err
}

// backwards calls do with the events of a thread before a place, the last one first, until it returns false.
func backwards(v View, thread string, before int64, do func(Event) (bool, error)) error {
	for {
		events, err := v.Events(EventQuery{Thread: thread, Before: before, Newest: true, Limit: batchWindow})
		if err != nil || len(events) == 0 {
			return err
		}
		for _, e := range slices.Backward(events) {
			if on, err := do(e); err != nil || !on {
				return err
			}
		}
		before = events[0].Seq
	}
}

// jobsBefore calls do with the jobs of the model for messages before a place in a thread, the last one first, until it
// returns false, there is none among [batchWindow] events, or a message was asked about by itself.
func jobsBefore(v View, thread string, before int64, do func(Event, Job) bool) error {
	quiet := 0
	return backwards(v, thread, before, func(e Event) (bool, error) {
		quiet++
		if e.Role == conversation.User {
			j, n, err := extractionOf(v, e)
			if err != nil || n > 1 || n == 1 && !do(e, j) {
				return false, err
			}
			if n == 1 {
				quiet = 0
			}
		}
		return quiet < batchWindow, nil
	})
}

// extractionOf returns the last job of the model for an event, and how many there are: more than one if the first
// failed with its batch.
func extractionOf(v View, e Event) (last Job, n int, err error) {
	jobs, err := v.Jobs(e.ID)
	for _, j := range jobs {
		if j.Kind == JobExtract {
			last, n = j, n+1
		}
	}
	return last, n, err
}

// askAgain ends a job that failed, and has the model asked about each message of its batch by itself: one of them may
// be why. They have the time that the job had.
func (w *work) askAgain(j Job) error {
	if err := w.FinishJob(j); err != nil {
		return err
	}
	last, err := w.Event(j.Of.ID)
	if err != nil {
		return err
	}
	batch := []Event{last}
	err = jobsBefore(w, last.Thread, last.Seq, func(e Event, before Job) bool {
		if before.Reason == together {
			batch = append(batch, e)
		}
		return before.Reason == together && len(batch) < MaxExtractionTurns
	})
	if len(batch) == 1 {
		return err
	}
	for _, e := range slices.Backward(batch) {
		again := Job{Subject: w.who, Kind: JobExtract, Thread: e.Thread, Of: Ref{KindEvent, e.ID}, Cause: e.ID,
			State: JobPending, CreatedAt: j.CreatedAt, RunAt: w.now}
		err = cmp.Or(err, w.AddJob(again))
	}
	return err
}

// batchOf returns the events that the model is shown for a job: those of its batch, and some of those around them, or
// the one that it is asked about again. It is false if a later job does it, which is due or has done it.
func batchOf(v View, last Event, now time.Time) (shown []conversation.Event, ok bool, err error) {
	_, asked, err := extractionOf(v, last)
	if err != nil || asked > 1 {
		return []conversation.Event{last.Event}, true, err
	}
	waiting, first := map[string]bool{last.ID: true}, last.Seq
	err = jobsBefore(v, last.Thread, last.Seq, func(e Event, j Job) bool {
		if j.State != JobPending && j.Reason != together {
			return false
		}
		waiting[e.ID], first = true, e.Seq
		return len(waiting) < MaxExtractionTurns
	})
	if err != nil {
		return nil, false, err
	}
	later, err := laterDoes(v, last, len(waiting), now)
	if err != nil || later {
		return nil, false, err
	}
	others, before := 0, 0 // than those of the batch, and before it
	err = backwards(v, last.Thread, last.Seq+1, func(e Event) (bool, error) {
		if e.Seq < first {
			before++
		}
		if !waiting[e.ID] {
			others++
		}
		if waiting[e.ID] || others <= batchWindow-len(waiting) {
			shown = append(shown, e.Event)
		}
		return e.Seq > first || before < 2 || len(shown) < extractionWindow, nil
	})
	slices.Reverse(shown)
	return shown, true, err
}

// laterDoes reports whether a job of a later message asks about an event and the others of its batch, n in all, or has
// asked.
func laterDoes(v View, last Event, n int, now time.Time) (bool, error) {
	later, err := v.Events(EventQuery{Thread: last.Thread, After: last.Seq, Limit: batchWindow})
	if err != nil {
		return false, err
	}
	for _, e := range later {
		j, asked, err := extractionOf(v, e)
		if err != nil || j.State == JobFailed || asked > 1 || n == MaxExtractionTurns {
			return false, err
		}
		if asked == 1 && !j.RunAt.After(now) {
			return true, nil
		}
		n += asked
	}
	return false, nil
}
