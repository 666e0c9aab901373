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
	err := backwards(v, thread, before, func(_ Event, j Job, ok bool) bool {
		if !ok {
			return true
		}
		if j.State != JobPending || j.RunAt.Equal(j.CreatedAt) { // it ended, or filled a batch
			return false
		}
		b.waiting, b.due = b.waiting+1, j.RunAt
		return b.waiting < turns
	})
	return b, err
}

// backwards calls do with a thread's messages of the user before a place, the last one first, and with the jobs of the
// model for them, until it returns false.
func backwards(v View, thread string, before int64, do func(e Event, j Job, ok bool) bool) error {
	events, err := v.Events(EventQuery{Thread: thread, Before: before, Newest: true, Limit: batchWindow})
	if err != nil {
		return err
	}
	for _, e := range slices.Backward(events) {
		if e.Role != conversation.User {
			continue
		}
		j, ok, err := extractionOf(v, e)
		if err != nil {
			return err
		}
		if !do(e, j, ok) {
			break
		}
	}
	return nil
}

// extractionOf returns the job of the model for an event.
func extractionOf(v View, e Event) (Job, bool, error) {
	jobs, err := v.Jobs(e.ID)
	if i := slices.IndexFunc(jobs, func(j Job) bool { return j.Kind == JobExtract }); i >= 0 {
		return jobs[i], true, err
	}
	return Job{}, false, err
}

// batchOf returns the events that the model is shown for a job: those of its batch, and some before them. It is false
// if a later job does it, which is due or has done it.
func batchOf(v View, last Event, now time.Time) (shown []conversation.Event, ok bool, err error) {
	later, err := v.Events(EventQuery{Thread: last.Thread, After: last.Seq, Limit: batchWindow})
	if err != nil {
		return nil, false, err
	}
	for _, e := range later {
		j, ok, err := extractionOf(v, e)
		if err != nil || ok && j.State != JobFailed && !j.RunAt.After(now) {
			return nil, false, err
		}
	}
	first := last
	err = backwards(v, last.Thread, last.Seq, func(e Event, j Job, ok bool) bool {
		waits := ok && (j.State == JobPending || j.State == JobSkipped && j.Reason == together)
		if waits {
			first = e
		}
		return waits || !ok
	})
	if err != nil {
		return nil, false, err
	}
	all, err := v.Events(EventQuery{Thread: last.Thread, Before: last.Seq + 1, Newest: true, Limit: batchWindow})
	n := slices.IndexFunc(all, func(e Event) bool { return e.ID == first.ID })
	for _, e := range all[max(0, min(n-2, len(all)-extractionWindow)):] {
		shown = append(shown, e.Event)
	}
	return shown, true, err
}
