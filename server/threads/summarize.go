package threads

import (
	"context"
	"errors"

	"ltm/server/conversation"
	"ltm/server/provider"
	"ltm/text/secrets"
)

const (
	stepsAtOnce = 20 // steps of a thread's summaries in one transaction: 2,400 events

	// writtenTurns is how many of the last messages of an episode a model is shown beside what was written before. A
	// batch of turns has fewer; more are only there after a deletion or a failure.
	writtenTurns = 60
)

// summarize takes the next steps of a thread's summaries, and then has a model write them, if there is one. The lines
// are stored first: what a model cannot do does not hold them up.
func (s *Service) summarize(ctx context.Context, j Job) (ended bool, err error) {
	prior := map[string]string{} // what was written of a summary before this job went on with it
	some, more := false, true
	for more {
		err = s.change(ctx, j.Subject, func(w *work) error {
			var moved bool
			moved, more, err = w.nextSteps(j, prior)
			some = some || moved
			if err != nil || more || s.o.Models.Summaries != nil {
				return err
			}
			end := done("summarized by sentences of the events; no model for summaries is configured")
			if !some {
				end = skipped("too little was said since the last summary")
			}
			return w.FinishJob(j.ended(end, w.now))
		})
		if err != nil {
			return false, err
		}
	}
	if s.o.Models.Summaries == nil {
		return true, nil
	}
	return s.write(ctx, j, prior)
}

// nextSteps takes some steps, and reports whether it took any and whether there may be more.
func (w *work) nextSteps(j Job, prior map[string]string) (moved, more bool, err error) {
	t, err := w.Thread(j.Thread)
	if err != nil {
		return false, false, err
	}
	e, err := w.open(t)
	if err != nil {
		return false, false, err
	}
	for _, old := range e.before {
		if old.Written != "" {
			prior[old.ID] = old.Written
		}
	}
	finished, err := e.steps(stepsAtOnce)
	if err != nil {
		return false, false, err
	}
	_, err = e.store()
	return e.thread.Cursor != t.Cursor, !finished, err
}

// write has a model write the active summary, if what it wrote is not of these turns, and ends the job.
func (s *Service) write(ctx context.Context, j Job, prior map[string]string) (ended bool, err error) {
	var active Summary
	var turns []provider.Turn
	err = s.o.Storage.View(ctx, j.Subject, func(v View) error {
		active, turns = Summary{}, nil
		var err error
		if active, err = activeSummary(v, j.Thread); err != nil || active.ID == "" || active.Written != "" {
			return err
		}
		turns, err = turnsOf(v, active)
		return err
	})
	if err != nil {
		return false, err
	}
	if len(turns) == 0 {
		s.end(ctx, j.ended(skipped("nothing is new since the last summary"), s.now()))
		return true, nil
	}
	before := prior[active.ID]
	if before == "" && active.Turns > conversation.Batch {
		before = active.Text() // of the turns that the model is not shown
	}
	var written provider.Summary
	err = s.asking.ask(JobSummarize, s.o.Now, func() (err error) {
		written, err = s.o.Models.Summaries.Summarize(ctx, j.Subject.App, before, turns)
		return err
	})
	if err != nil {
		return false, err
	}
	return true, s.changePaid(ctx, j.Subject, func(w *work) error { return w.putWritten(j, active, written) })
}

// turnsOf returns the last messages of an episode as a model is shown them.
func turnsOf(v View, sum Summary) ([]provider.Turn, error) {
	first, err := v.Event(sum.From)
	if err != nil {
		return nil, err
	}
	last, err := v.Event(sum.To)
	if err != nil {
		return nil, err
	}
	events, err := v.Events(EventQuery{Thread: sum.Thread, After: first.Seq - 1, Before: last.Seq + 1, Newest: true,
		Limit: writtenTurns})
	if err != nil {
		return nil, err
	}
	var turns []provider.Turn
	for _, e := range events {
		text := conversation.Said(e.Text)
		if e.Role != conversation.User && e.Role != conversation.Assistant || conversation.Normal(text) == "" {
			continue
		}
		turns = append(turns, provider.Turn{User: e.Role == conversation.User, Text: text})
	}
	return turns, nil
}

// putWritten stores what a model wrote beside the lines, unless the summary has changed since.
func (w *work) putWritten(j Job, asked Summary, written provider.Summary) error {
	now, err := w.Tx.Summary(asked.ID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	if err != nil || now.To != asked.To || now.Turns != asked.Turns || !now.UpdatedAt.Equal(asked.UpdatedAt) {
		return w.FinishJob(j.ended(skipped("the summary changed meanwhile; another job writes it"), w.now))
	}
	now.Written, _ = secrets.RedactTalk(written.Text)
	now.Model, now.UpdatedAt = written.Model, w.now
	if err := w.PutSummary(now); err != nil {
		return err
	}
	if err := w.queueVector(Ref{KindSummary, now.ID}, now.Thread, ""); err != nil {
		return err
	}
	return w.FinishJob(j.ended(done("written by %s", written.Model), w.now))
}
