package threads

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"sync"
	"time"

	"ltm/server/provider"
)

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
		j.State, j.Reason, j.DoneAt = JobFailed, "the model could not be asked", now
		return j
	}
	j.State, j.Reason, j.DoneAt = JobFailed, failure.Error(), now
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
