package threads

import (
	"cmp"
	"container/list"
	"context"
	"crypto/sha256"
	"errors"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"ltm/server/conversation"
	"ltm/server/provider"
)

const (
	// embedCharacters is how much of a text is embedded. Endpoints refuse texts of more than 512 to 8,192 tokens,
	// depending on the model, or cut them; what a message is about is at its beginning.
	embedCharacters = 6_000

	// EmbedBatch is how many texts one request for embeddings has at most. It is how many jobs a worker should take.
	EmbedBatch = 64
)

// digestOf is what a vector remembers of the text that it was made of.
func digestOf(text string) [32]byte { return sha256.Sum256([]byte(text)) }

// embeddable returns a text as it is embedded, "" if there is nothing in it: without memory that was injected into
// it, which would be found in its place.
func embeddable(text string) string {
	text = strings.TrimSpace(conversation.Said(text))
	if conversation.Normal(text) == "" {
		return ""
	}
	if utf8.RuneCountInString(text) > embedCharacters {
		text = string([]rune(text)[:embedCharacters])
	}
	return text
}

// TextOf returns the text of a row that is embedded and searched. [ErrNotFound].
func TextOf(v View, of Ref) (string, error) {
	switch of.Kind {
	case KindEvent:
		e, err := v.Event(of.ID)
		return e.Text, err
	case KindSummary:
		s, err := v.Summary(of.ID)
		return s.Shown(), err
	case KindClaim:
		c, err := v.Claim(of.ID)
		return c.Text, err
	}
	return "", ErrNotFound
}

// Shown returns the text of the summary that is shown: the model's, if there is one.
func (s Summary) Shown() string {
	return cmp.Or(s.Written, s.Text())
}

// wanted is a row whose vector is wanted, for a job or without one.
type wanted struct {
	Text
	job *Job
}

// done ends the job of a row, if it has one.
func (w wanted) done(state JobState, reason string, at time.Time) *Job {
	if w.job == nil {
		return nil
	}
	j := w.job.ended(state, reason, at)
	return &j
}

// embedJobs does leased jobs of [JobEmbed], of any subjects, with as few requests as it can, and ends each of them. The
// error is of the storage: the jobs that it concerns run again when their leases end.
func (s *Service) embedJobs(ctx context.Context, jobs []Job) error {
	var errs []error
	byApp := map[string][]wanted{}
	for _, job := range jobs {
		w := wanted{Text: Text{Subject: job.Subject, Ref: job.Of}, job: &job}
		why, err := s.lookUp(ctx, &w)
		switch {
		case err != nil:
			errs = append(errs, err)
		case why != "":
			errs = append(errs, s.finish(ctx, w.done(JobSkipped, why, s.o.Now())))
		default:
			byApp[job.Subject.App] = append(byApp[job.Subject.App], w)
		}
	}
	for app, rows := range byApp {
		errs = append(errs, s.embedAll(ctx, app, rows))
	}
	return errors.Join(errs...)
}

// finish ends a job outside of a change. One whose lease has passed to another is the other's.
func (s *Service) finish(ctx context.Context, j *Job) error {
	if j == nil {
		return nil
	}
	if err := s.o.Storage.Finish(context.WithoutCancel(ctx), *j); !errors.Is(err, ErrLost) {
		return err
	}
	return nil
}

// lookUp reads the text of a row, or returns why it is not embedded.
func (s *Service) lookUp(ctx context.Context, w *wanted) (why string, err error) {
	if s.o.Models.Embeddings == nil {
		return "no model for embeddings is configured", nil
	}
	return view(ctx, s, w.Subject, func(v View) (string, error) { return s.missing(v, w) })
}

// missing reads the text of a row, and returns why no vector is missing there.
func (s *Service) missing(v View, w *wanted) (why string, err error) {
	w.Text.Text, err = TextOf(v, w.Ref)
	switch {
	case errors.Is(err, ErrNotFound):
		return "the text was deleted", nil
	case err != nil:
		return "", err
	case embeddable(w.Text.Text) == "":
		return "the text has no words", nil
	}
	has, err := v.VectorOf(s.o.Models.Embeddings.Model(), w.Ref)
	switch {
	case errors.Is(err, ErrNotFound):
		return "", nil
	case err == nil && has.Of == digestOf(w.Text.Text):
		return "the text has a vector", nil
	}
	return "", err
}

// embedAll embeds rows of an application and stores the vectors. Jobs of rows that the endpoint has no vectors for end
// with the reason.
func (s *Service) embedAll(ctx context.Context, app string, rows []wanted) error {
	var errs []error
	for len(rows) > 0 {
		refusals := maxRefusals
		n, failure, err := s.embedSome(ctx, app, rows[:min(len(rows), EmbedBatch)], &refusals)
		errs = append(errs, err)
		rows = rows[n:]
		if failure == nil {
			continue
		}
		for _, w := range rows {
			if w.job != nil {
				left := afterFailure(*w.job, failure, s.o.Now())
				errs = append(errs, s.finish(ctx, &left))
			}
		}
		if rows[0].job == nil {
			return errors.Join(append(errs, failure)...)
		}
		break
	}
	return errors.Join(errs...)
}

// maxRefusals is how many refused requests one batch may take to find the texts that the endpoint does not take: one
// among 64 takes 7. Beyond that the endpoint refuses everything.
const maxRefusals = 14

// embedSome embeds rows with one request, if the endpoint takes it, and otherwise by halves. It returns how many from
// the first have been dealt with, and the failure of the others.
func (s *Service) embedSome(ctx context.Context, app string, rows []wanted, refusals *int) (n int, failure,
	err error) {
	texts := make([]string, len(rows))
	for i, w := range rows {
		texts[i] = embeddable(w.Text.Text)
	}
	var vectors []provider.Vector
	failure = s.asking.ask(JobEmbed, s.o.Now, func() (err error) {
		vectors, err = s.o.Models.Embeddings.Embed(ctx, app, texts)
		return err
	})
	n = min(len(vectors), len(rows))
	if failure == nil && n < len(rows) {
		failure = errors.New("the model has fewer vectors than texts")
	}
	err = s.putVectors(ctx, rows[:n], vectors)
	if failure == nil || !itsText(failure) {
		return n, failure, err
	}
	if *refusals--; *refusals < 0 {
		return n, failure, err
	}
	if len(rows)-n == 1 { // the text that the endpoint does not take
		return len(rows), nil, errors.Join(err, s.finish(ctx, rows[n].done(JobFailed, failure.Error(), s.o.Now())))
	}
	half := n + (len(rows)-n)/2
	for _, part := range [][]wanted{rows[n:half], rows[half:]} {
		done, why, wrong := s.embedSome(ctx, app, part, refusals)
		n, err = n+done, errors.Join(err, wrong)
		if why != nil {
			return n, why, err
		}
	}
	return n, nil, err
}

// itsText reports whether an endpoint may have refused a request because of one of its texts, which is too long for the
// model, say.
func itsText(failure error) bool {
	e, ok := errors.AsType[*provider.Error](failure)
	if !ok || e.Kind != provider.Refused && e.Kind != provider.BadInput {
		return false
	}
	return e.Status == 0 || e.Status == 400 || e.Status == 413 || e.Status == 422
}

// putVectors stores the vectors of rows, and ends their jobs with them.
func (s *Service) putVectors(ctx context.Context, rows []wanted, vectors []provider.Vector) error {
	var errs []error
	bySubject := map[Subject][]int{}
	for i, w := range rows {
		bySubject[w.Subject] = append(bySubject[w.Subject], i)
	}
	for who, places := range bySubject {
		put := func(places []int) error {
			return s.o.Storage.Change(context.WithoutCancel(ctx), who, func(tx Tx) error {
				for _, i := range places {
					if err := s.putVector(tx, rows[i], vectors[i]); err != nil {
						return err
					}
				}
				return nil
			})
		}
		err := put(places)
		if errors.Is(err, ErrLost) { // one of the jobs is another's now
			err = nil
			for _, i := range places {
				if one := put([]int{i}); !errors.Is(one, ErrLost) {
					err = errors.Join(err, one)
				}
			}
		}
		if !errors.Is(err, ErrNotFound) { // the application was deleted
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// putVector stores the vector of a row, unless its text has changed since it was read: a job of its own is about that.
func (s *Service) putVector(tx Tx, w wanted, v provider.Vector) error {
	text, err := TextOf(tx, w.Ref)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	job := w.done(JobDone, "", s.o.Now())
	if err == nil && text == w.Text.Text {
		err = tx.PutVector(Vector{Ref: w.Ref, Model: s.o.Models.Embeddings.Model(), Of: digestOf(text), V: v.Values})
		if err != nil {
			return err
		}
	} else {
		job = w.done(JobSkipped, "the text was deleted or has changed", s.o.Now())
	}
	if job == nil {
		return nil
	}
	return tx.FinishJob(*job)
}

const (
	queryWait   = 400 * time.Millisecond // a query waits so long for its vector; search by words needs a few
	queryLimit  = 10 * time.Second       // a request that no query waits for any more may still end well
	queryCache  = 512                    // vectors of queries that were asked for lately
	queriesOpen = 8                      // requests at once
)

// queries keeps the vectors of queries that were asked for lately, and bounds how many are asked for at once.
type queries struct {
	mu    sync.Mutex
	known map[queryKey]*list.Element // of order
	order list.List                  // of *queryVector, the latest asked first
	open  int
}

type queryKey struct{ app, text string }

// queryVector is the vector of a query, once ready is closed.
type queryVector struct {
	key    queryKey
	ready  chan struct{}
	vector []float32
	why    string // no vector
}

// embedQuery returns the vector of a query by the model that made those of the rows, or why it has none: then the query
// is answered by words alone. It waits for a short time; an answer that comes later serves the next query of the text.
func (s *Service) embedQuery(ctx context.Context, app, text string) (v []float32, model, why string) {
	if s.o.Models.Embeddings == nil {
		return nil, "", "no model for embeddings is configured"
	}
	model = s.o.Models.Embeddings.Model()
	text = embeddable(text)
	if text == "" {
		return nil, "", "the query has no words"
	}
	q, isNew := s.queries.of(queryKey{app, text})
	if q == nil {
		return nil, "", "too many queries wait for the model for embeddings"
	}
	if isNew {
		go s.askQuery(context.WithoutCancel(ctx), q)
	}
	select {
	case <-q.ready:
		return q.vector, model, q.why
	case <-time.After(queryWait):
		return nil, "", "the model for embeddings did not answer in time"
	case <-ctx.Done():
		return nil, "", "the query was given up"
	}
}

// of returns the vector of a query, or one to ask for, which isNew says; nil if too many are asked for.
func (c *queries) of(key queryKey) (q *queryVector, isNew bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil {
		c.known = map[queryKey]*list.Element{}
	}
	if at, ok := c.known[key]; ok {
		c.order.MoveToFront(at)
		return at.Value.(*queryVector), false
	}
	if c.open >= queriesOpen {
		return nil, false
	}
	c.open++
	q = &queryVector{key: key, ready: make(chan struct{})}
	c.known[key] = c.order.PushFront(q)
	if c.order.Len() > queryCache {
		c.forget(c.order.Back())
	}
	return q, true
}

// forget removes a query.
func (c *queries) forget(at *list.Element) {
	c.order.Remove(at)
	delete(c.known, at.Value.(*queryVector).key)
}

// ended notes the end of a request. A failure is not kept.
func (c *queries) ended(q *queryVector) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open--
	if at, ok := c.known[q.key]; ok && at.Value == q && q.vector == nil {
		c.forget(at)
	}
	close(q.ready)
}

// askQuery asks for the vector of a query.
func (s *Service) askQuery(ctx context.Context, q *queryVector) {
	ctx, cancel := context.WithTimeout(ctx, queryLimit)
	defer cancel()
	var vectors []provider.Vector
	err := s.asking.ask(JobEmbed, s.o.Now, func() (err error) {
		vectors, err = s.o.Models.Embeddings.Embed(ctx, q.key.app, []string{q.key.text})
		return err
	})
	failure, known := errors.AsType[*provider.Error](err)
	switch {
	case err == nil && len(vectors) == 1:
		q.vector = vectors[0].Values
	case known:
		q.why = "the model for embeddings was not to be had: " + failure.Error()
	default:
		q.why = "the model for embeddings was not to be had"
	}
	s.queries.ended(q)
}
