package threads

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"ltm/server/conversation"
	"ltm/server/provider"
)

const (
	jobTime = 100 * time.Second // bounds a job

	// leaseTime is how long the jobs of a process that was killed wait for another one. A lease is renewed so often
	// that a job which is under way keeps it.
	leaseTime = 20 * time.Second
	renewTime = leaseTime / 4

	// faultAttempts and faultWait are for the database's faults. Those of models are for [afterFailure].
	faultAttempts = 5
	faultWait     = 5 * time.Second

	// pollTime is how often workers look for what another server has queued, or what is due again.
	pollTime = time.Second

	rulesAtOnce = 64 // jobs of the word rules, which take microseconds, in one transaction a subject

	releaseTime = 5 * time.Second // to end jobs and to give them back when the service stops
)

// ended returns a job with how it ended.
func (j Job) ended(state JobState, reason string, now time.Time) Job {
	j.State, j.Reason, j.DoneAt = state, reason, now
	return j
}

// Work does jobs until the context ends, and returns when none is under way. One worker more than Options.Workers
// does what needs no model, so that it never waits for one. Once an hour it deletes what applications no longer keep.
func (s *Service) Work(ctx context.Context) {
	var wg sync.WaitGroup
	wg.Go(func() { s.worker(ctx, s.wakeRules, s.rulesPass) })
	for range s.o.Workers {
		wg.Go(func() { s.worker(ctx, s.wakeModels, s.modelsPass) })
	}
	wg.Go(func() { s.retainHourly(ctx) })
	wg.Go(func() { s.fill(ctx) })
	wg.Wait()
}

// worker works through the queue until nothing is due, and waits until something may be.
func (s *Service) worker(ctx context.Context, wake <-chan struct{}, pass func(context.Context) (int, error)) {
	for ctx.Err() == nil {
		n, err := pass(ctx)
		if err != nil && ctx.Err() == nil {
			s.o.Log.ErrorContext(ctx, "jobs wait for the database", "err", err)
		}
		if n > 0 && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-wake:
		case <-time.After(pollTime):
		}
	}
}

// RunDue does all jobs that are due, and those that they set off, in this goroutine, and returns how many runs that
// took. [Service.Work] does it all the time.
func (s *Service) RunDue(ctx context.Context) (runs int, err error) {
	for {
		some := 0
		for _, pass := range []func(context.Context) (int, error){s.rulesPass, s.modelsPass} {
			n, err := pass(ctx)
			if err != nil {
				return runs, err
			}
			some += n
		}
		if runs += some; some == 0 {
			return runs, nil
		}
	}
}

// rulesPass does some jobs that need no model.
func (s *Service) rulesPass(ctx context.Context) (int, error) {
	return s.lease(ctx, []JobKind{JobSuggest}, rulesAtOnce, s.suggest)
}

// modelsPass does one job that may ask a model for text, and some that ask for vectors.
func (s *Service) modelsPass(ctx context.Context) (int, error) {
	n, err := s.lease(ctx, []JobKind{JobSummarize, JobExtract}, 1, func(ctx context.Context, jobs []Job) {
		s.guard(ctx, jobs, func() (bool, error) {
			if jobs[0].Kind == JobExtract {
				return s.extract(ctx, jobs[0])
			}
			return s.summarize(ctx, jobs[0])
		})
	})
	if err != nil {
		return n, err
	}
	m, err := s.lease(ctx, []JobKind{JobEmbed}, EmbedBatch, func(ctx context.Context, jobs []Job) {
		if err := s.embedJobs(ctx, jobs); err != nil && ctx.Err() == nil {
			s.o.Log.ErrorContext(ctx, "vectors were not stored", "err", err)
		}
	})
	return n + m, err
}

// lease leases jobs and has them done within their time.
func (s *Service) lease(ctx context.Context, kinds []JobKind, n int, do func(context.Context, []Job)) (int, error) {
	var secret [16]byte
	s.random.Lock()
	_, err := io.ReadFull(s.o.Random, secret[:])
	s.random.Unlock()
	if err != nil {
		return 0, fmt.Errorf("make a lease: %w", err)
	}
	now := s.now()
	jobs, err := s.o.Storage.Lease(ctx, hex.EncodeToString(secret[:]), kinds, n, now, now.Add(leaseTime))
	if err != nil || len(jobs) == 0 {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, jobTime)
	defer cancel()
	defer s.renewing(ctx, jobs)()
	do(ctx, jobs)
	return len(jobs), nil
}

// renewing renews the leases of jobs until the function that it returns is called.
func (s *Service) renewing(ctx context.Context, jobs []Job) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var renewer sync.WaitGroup
	renewer.Go(func() {
		ticker := time.NewTicker(renewTime)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			if err := s.o.Storage.Renew(ctx, jobs, s.now().Add(leaseTime)); err != nil && ctx.Err() == nil {
				s.o.Log.ErrorContext(ctx, "jobs may be done again: their leases could not be renewed", "err", err)
			}
		}
	})
	return func() {
		cancel()
		renewer.Wait()
	}
}

// guard does jobs, and ends them here unless that reports that it has ended them itself, together with what they
// changed. A fault of the program ends them as failed, because it would come again.
func (s *Service) guard(ctx context.Context, jobs []Job, do func() (ended bool, err error)) {
	ended, err := false, error(nil)
	func() {
		defer func() {
			if p := recover(); p != nil {
				s.o.Log.ErrorContext(ctx, "a job failed by a fault of the program", "kind", jobs[0].Kind, "fault", p)
				err = errFault
			}
		}()
		ended, err = do()
	}()
	switch {
	case ended && err == nil, errors.Is(err, ErrLost):
		return
	}
	for _, j := range jobs {
		s.end(ctx, s.after(ctx, j, err))
	}
}

var errFault = errors.New("a fault of the program")

// end ends a job outside of a change. If that fails, the lease runs out and the job is done again.
func (s *Service) end(ctx context.Context, j Job) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	end := s.o.Storage.Finish
	if j.Kind == JobExtract && j.State == JobFailed {
		end = func(ctx context.Context, j Job) error {
			return s.change(ctx, j.Subject, func(w *work) error { return w.askAgain(j) })
		}
	}
	if err := end(ctx, j); err != nil && !errors.Is(err, ErrLost) {
		s.o.Log.ErrorContext(ctx, "a job could not be ended", "kind", j.Kind, "err", err)
	}
}

// changePaid stores what a model has answered, also while the service stops: it need not be asked again.
func (s *Service) changePaid(ctx context.Context, who Subject, change func(*work) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	return s.change(ctx, who, change)
}

// after returns a job as an error leaves it. Reasons have nothing of texts: errors of providers are made so, and of
// others only the kind is said.
func (s *Service) after(ctx context.Context, j Job, err error) Job {
	now := s.now()
	_, asked := errors.AsType[*provider.Error](err)
	switch {
	case errors.Is(err, ErrNotFound):
		return j.ended(JobSkipped, "what it was about is deleted", now)
	case errors.Is(err, errFault):
		return j.ended(JobFailed, "a fault of the program, which its log has", now)
	case ctx.Err() != nil && errors.Is(context.Cause(ctx), context.Canceled):
		j.Attempts--
		j.Reason, j.RunAt = "the server stopped", now
		return j
	case asked:
		return afterFailure(j, err, now)
	}
	s.o.Log.ErrorContext(ctx, "a job failed", "kind", j.Kind, "attempt", j.Attempts, "err", err)
	const reason = "the database failed, or the job took too long"
	if j.Attempts >= faultAttempts {
		return j.ended(JobFailed, reason, now)
	}
	j.Reason, j.RunAt = reason, now.Add(faultWait)
	return j
}

// telling is the importance from which, without a model, a job says that there is none to ask.
const telling = 5

// queue adds the jobs that new events set off.
func (w *work) queue(t Thread, all []fresh, added []Added, turns int) error {
	cause := ""
	var waiting *batch
	for i, a := range added {
		if !a.New {
			continue
		}
		e := a.Event
		suggests := all[i].suggests
		if !suggests && conversation.Brief(e.Event) {
			asked, err := w.asked(e)
			if err != nil {
				return err
			}
			suggests = len(suggestions(e, asked, false)) > 0
		}
		if suggests {
			if err := w.queueJob(JobSuggest, Ref{KindEvent, e.ID}, t.ID, e.ID); err != nil {
				return err
			}
		}
		if turns == 0 && e.Role == conversation.User && e.Importance >= telling {
			if err := w.queueJob(JobExtract, Ref{KindEvent, e.ID}, t.ID, e.ID); err != nil {
				return err
			}
		}
		if turns > 0 && conversation.Telling(e.Event) {
			if waiting == nil {
				b, err := waitingBatch(w, t.ID, e.Seq, turns)
				if err != nil {
					return err
				}
				waiting = &b
			}
			if err := w.queueExtraction(waiting, e); err != nil {
				return err
			}
		}
		if !e.Unembedded {
			if err := w.queueVector(Ref{KindEvent, e.ID}, e.Thread, e.ID); err != nil {
				return err
			}
		}
		if due, err := w.summaryDue(t, e); err != nil {
			return err
		} else if due {
			cause = e.ID
		}
	}
	if cause == "" {
		return nil
	}
	return w.queueJob(JobSummarize, Ref{KindThread, t.ID}, t.ID, cause)
}

// summaryDue reports whether an event may give a summary something to do: an answer ends a turn, and a window of events
// may be full without one.
func (w *work) summaryDue(t Thread, e Event) (bool, error) {
	if e.Role == conversation.Assistant {
		return true, nil
	}
	if e.Role != conversation.User {
		return false, nil
	}
	seq, err := lastLookedAt(w, t)
	return e.Seq-seq >= conversation.Window, err
}

func (w *work) queueJob(kind JobKind, of Ref, thread, cause string) error {
	return w.AddJob(Job{Subject: w.who, Kind: kind, Thread: thread, Of: of, Cause: cause, State: JobPending,
		CreatedAt: w.now, RunAt: w.now})
}

// queueVector has a row embedded, if there is a model for it. Without one, it is filled in when there is.
func (w *work) queueVector(of Ref, thread, cause string) error {
	if w.s.o.Models.Embeddings == nil {
		return nil
	}
	return w.queueJob(JobEmbed, of, thread, cause)
}

// wake tells workers that there may be something to do.
func (s *Service) wake() {
	for _, c := range []chan struct{}{s.wakeRules, s.wakeModels} {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// Effects returns what an event set off, and what became of it, in the order of [JobKinds]. What was not even begun
// says why. [ErrNotFound].
func (s *Service) Effects(ctx context.Context, c Caller, thread, event string) ([]Effect, error) {
	effects, err := inThread(ctx, s, c, thread, func(v View, t Thread) ([]Effect, error) {
		e, err := eventOf(v, t.ID, event)
		if err != nil {
			return nil, err
		}
		jobs, err := v.Jobs(e.ID)
		if err != nil {
			return nil, err
		}
		return s.effectsOf(v, t, e, jobs)
	})
	slices.SortStableFunc(effects, func(a, b Effect) int {
		return cmp.Compare(slices.Index(JobKinds(), a.Kind), slices.Index(JobKinds(), b.Kind))
	})
	return effects, err
}

// effect returns a job as the effect of its cause.
func (j Job) effect() Effect {
	return Effect{Kind: j.Kind, State: j.State, Reason: j.Reason, Attempts: j.Attempts, Since: j.CreatedAt,
		DoneAt: j.DoneAt}
}

// effectsOf returns the effects of an event that has these jobs, and those for which it has none of its own.
func (s *Service) effectsOf(v View, t Thread, e Event, jobs []Job) (effects []Effect, err error) {
	for i, j := range jobs {
		again := func(later Job) bool { return later.Kind == j.Kind && later.Of == j.Of }
		if !slices.ContainsFunc(jobs[i+1:], again) {
			effects = append(effects, j.effect())
		}
	}
	add := func(kind JobKind, state JobState, reason string) {
		if !slices.ContainsFunc(effects, func(x Effect) bool { return x.Kind == kind }) {
			effects = append(effects, Effect{Kind: kind, State: state, Reason: reason, Since: e.Recorded,
				DoneAt: e.Recorded})
		}
	}
	if e.Role == conversation.User {
		add(JobSuggest, JobSkipped, "no word rule finds a claim")
		if s.o.Models.Extraction == nil {
			add(JobExtract, JobSkipped, "no model for extraction is configured")
		}
		add(JobExtract, JobSkipped, "the event is too short to ask a model")
	} else {
		add(JobSuggest, JobSkipped, "claims are taken from what users say")
		add(JobExtract, JobSkipped, "claims are taken from what users say")
	}
	if e.Unembedded {
		add(JobEmbed, JobSkipped, "the client asked for no vector of the event")
	}
	if s.o.Models.Embeddings == nil {
		add(JobEmbed, JobSkipped, "no model for embeddings is configured")
	}
	seen, err := lastLookedAt(v, t)
	if err != nil {
		return nil, err
	}
	if e.Seq <= seen {
		add(JobSummarize, JobDone, "the summaries have looked at the event")
		return effects, nil
	}
	// what an earlier event has queued will look at this one, too
	pending, err := v.PendingJobs(Ref{KindThread, t.ID})
	if err != nil {
		return nil, err
	}
	own := slices.ContainsFunc(effects, func(x Effect) bool { return x.Kind == JobSummarize })
	if len(pending) > 0 && !own {
		effects = append(effects, pending[0].effect())
	}
	add(JobSummarize, JobSkipped, "a later event of the thread has it summarized")
	return effects, nil
}

// lastLookedAt returns the Seq of the last event that the summaries of a thread have looked at; 0 if there is none.
func lastLookedAt(v View, t Thread) (int64, error) {
	if t.Cursor == "" {
		return 0, nil
	}
	at, err := v.Event(t.Cursor)
	if errors.Is(err, ErrNotFound) {
		return 0, nil
	}
	return at.Seq, err
}
