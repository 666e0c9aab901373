package threads

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"

	"ltm/server/provider"
)

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
