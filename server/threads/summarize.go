package threads

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"sync"
	"time"

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
			if !some {
				return w.FinishJob(j.ended(JobSkipped, "too little was said since the last summary", w.now))
			}
			return w.FinishJob(j.ended(JobDone,
				"summarized by sentences of the events; no model for summaries is configured", w.now))
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
		s.end(ctx, j.ended(JobSkipped, "nothing is new since the last summary", s.now()))
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
		return w.FinishJob(j.ended(JobSkipped, "the summary changed meanwhile; another job writes it", w.now))
	}
	now.Written, _ = secrets.RedactTalk(written.Text)
	now.Model, now.UpdatedAt = written.Model, w.now
	if err := w.PutSummary(now); err != nil {
		return err
	}
	if err := w.queueVector(Ref{KindSummary, now.ID}, now.Thread, ""); err != nil {
		return err
	}
	return w.FinishJob(j.ended(JobDone, "written by "+written.Model, w.now))
}

// noQuota is an endpoint's code for a limit that takes a person.
const noQuota = "insufficient_quota"

// How often a job asks a model that fails. A job ends within a minute, visibly, unless the endpoint itself says when
// to come back: what is lost is made up for elsewhere. Summaries are written of sentences, vectors are filled in
// later, and the next extraction of a thread is shown the events before it.
const (
	maxAttempts = 4  // of an endpoint that fails or cannot be reached
	badAnswers  = 2  // attempts for an answer that is not of the form asked for: the next is seldom better
	maxWaits    = 12 // times that an endpoint's Retry-After is taken over

	firstWait   = 2 * time.Second // tripled each time: 2, 6 and 18 seconds
	longestWait = 45 * time.Second
	lifetime    = 55 * time.Second // from when the job was made to its last attempt, if it had two
)

// afterFailure returns a job as a failed call of a provider leaves it: to be tried again later, skipped, or failed,
// each with its reason, which has nothing of the texts.
func afterFailure(j Job, err error, now time.Time) Job {
	failure, ok := errors.AsType[*provider.Error](err)
	if !ok {
		return j.ended(JobFailed, "the model could not be asked", now)
	}
	j = j.ended(JobFailed, failure.Error(), now)
	wait := firstWait
	for range j.Attempts - 1 {
		wait = min(3*wait, longestWait)
	}
	most, lasts := maxAttempts, lifetime
	switch {
	case failure.Kind == provider.Canceled:
		wait, most, lasts = 0, maxWaits, math.MaxInt64
	case failure.Kind == provider.UsedUp:
		j.State = JobSkipped
		return j
	case failure.Kind == provider.BadAnswer:
		most = badAnswers
	case !failure.Temporary(), failure.Code == noQuota:
		return j
	case failure.Kind == provider.CircuitOpen:
		if wait = max(wait, failure.RetryAfter); wait > longestWait {
			return j
		}
	case failure.RetryAfter > 0:
		wait, most, lasts = max(wait, failure.RetryAfter), maxWaits, math.MaxInt64
	}
	wait += time.Duration(j.Seq%16) * wait / 64 // jobs that failed at once come back one after another
	if j.Attempts >= most || j.Attempts > 1 && now.Add(wait).Sub(j.CreatedAt) > lasts {
		return j
	}
	j.State, j.DoneAt, j.RunAt = JobPending, time.Time{}, now.Add(wait)
	return j
}

// endpoints is what a service knows of the endpoints that it asks: until when which of them wants to be left alone. Its
// other jobs wait meanwhile without asking: each request would be refused, and many refusals open the circuit.
type endpoints struct {
	mu    sync.Mutex
	held  map[JobKind]held
	calls map[ModelCall]int64
}

// ModelCall is what became of calls of a model.
type ModelCall struct {
	Purpose string // embeddings, summaries, extraction or chat
	Result  string // "ok", a [provider.Kind] or "other"
}

// ModelCalls counts the calls of models since the start. One that the service left out, because the endpoint asked to
// be left alone, is not among them.
func (s *Service) ModelCalls() map[ModelCall]int64 {
	s.asking.mu.Lock()
	defer s.asking.mu.Unlock()
	return maps.Clone(s.asking.calls)
}

// purposeOf returns what the jobs of a kind ask a model for.
func purposeOf(kind JobKind) string {
	switch kind {
	case JobEmbed:
		return "embeddings"
	case JobSummarize:
		return "summaries"
	}
	return "extraction"
}

// count counts a call that ended.
func (a *endpoints) count(purpose string, err error) {
	result := "ok"
	if err != nil {
		result = cmp.Or(string(provider.KindOf(err)), "other")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.calls == nil {
		a.calls = map[ModelCall]int64{}
	}
	a.calls[ModelCall{purpose, result}]++
}

type held struct {
	until time.Time
	why   *provider.Error
}

// ask calls a provider for jobs of a kind, unless it asked to be left alone for now.
func (a *endpoints) ask(kind JobKind, now func() time.Time, call func() error) error {
	if err := a.hold(kind, now()); err != nil {
		return err
	}
	err := call()
	a.count(purposeOf(kind), err)
	failure, ok := errors.AsType[*provider.Error](err)
	if ok && failure.Kind == provider.RateLimited && failure.RetryAfter > 0 && failure.Code != noQuota {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.held == nil {
			a.held = map[JobKind]held{}
		}
		a.held[kind] = held{now().Add(failure.RetryAfter), failure}
	}
	return err
}

// hold returns the error that asking now would, if it is known.
func (a *endpoints) hold(kind JobKind, now time.Time) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	h := a.held[kind]
	if h.why == nil || !now.Before(h.until) {
		return nil
	}
	same := *h.why
	same.RetryAfter = h.until.Sub(now)
	return &same
}
