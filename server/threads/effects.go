package threads

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"ltm/server/conversation"
)

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
	for _, j := range jobs {
		effects = append(effects, j.effect())
	}
	add := func(kind JobKind, state JobState, reason string) {
		if !slices.ContainsFunc(effects, func(x Effect) bool { return x.Kind == kind }) {
			effects = append(effects, Effect{Kind: kind, State: state, Reason: reason, Since: e.Recorded,
				DoneAt: e.Recorded})
		}
	}
	if e.Role == conversation.User {
		add(JobSuggest, JobSkipped, "no word rule finds a claim")
		add(JobExtract, JobSkipped, "the event is not important enough to ask a model")
	} else {
		add(JobSuggest, JobSkipped, "claims are taken from what users say")
		add(JobExtract, JobSkipped, "claims are taken from what users say")
	}
	if s.o.Models.Embeddings == nil {
		add(JobEmbed, JobSkipped, "no model for embeddings is configured")
	}
	seen, err := lookedAt(v, t, e)
	if err != nil {
		return nil, err
	}
	if seen {
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

// lookedAt reports whether the summaries of a thread have got to an event.
func lookedAt(v View, t Thread, e Event) (bool, error) {
	seq, err := lastLookedAt(v, t)
	return err == nil && e.Seq <= seq, err
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
