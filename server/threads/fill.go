package threads

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"ltm/server/provider"
)

const (
	fillPage  = 512              // rows that are looked for at once
	fillEvery = time.Hour        // between passes: what failed as a job is made up for in the next
	fillWait  = 30 * time.Second // after a failure that does not say when to come back
)

// fill gives vectors to rows that have none of the model, until the context ends: after the model was changed to
// another, after an import, and after failures. It goes over all rows, waits, and begins again. It keeps no place: rows
// that have a vector are not found again, so that after a kill it goes on where it was.
//
// The vectors of other models stay until [Service.DropVectors]: while a new model is tried, the old one's are not lost.
// They are never compared with the new one's, and a row without one of the new model is found by its words.
func (s *Service) fill(ctx context.Context) {
	if s.o.Models.Embeddings == nil {
		return
	}
	for after := ""; ; {
		next, wait, err := s.fillPage(ctx, after)
		if err != nil && ctx.Err() == nil {
			s.o.Log.Warn("cannot embed rows that have no vector", "error", err)
		}
		if next == "" && err == nil {
			wait = fillEvery
		}
		if err == nil {
			after = next
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

// fillPage embeds rows that have no vector of the model, from a place on, "" for the beginning, and returns the place
// to go on from, "" after the last row, and how long to wait before that. After an error, the same place may be tried
// again; rows that got their vectors keep them. Rows of an application that used up its tokens are left out, and so are
// texts that the model does not take.
func (s *Service) fillPage(ctx context.Context, after string) (next string, wait time.Duration, err error) {
	texts, next, err := s.o.Storage.WithoutVector(ctx, s.o.Models.Embeddings.Model(), after, fillPage)
	if err != nil {
		return "", fillWait, fmt.Errorf("look for rows without a vector: %w", err)
	}
	// Servers on one database are likely to be at the same page. In another order each, they meet seldom.
	rand.Shuffle(len(texts), func(i, j int) { texts[i], texts[j] = texts[j], texts[i] })
	byApp := map[string][]wanted{}
	for _, text := range texts {
		byApp[text.Subject.App] = append(byApp[text.Subject.App], wanted{Text: text})
	}
	for app, rows := range byApp {
		wait, err := s.fillRows(ctx, app, rows)
		if err != nil {
			return "", wait, err
		}
	}
	return next, 0, nil
}

// fillRows embeds rows of an application, a batch at a time.
func (s *Service) fillRows(ctx context.Context, app string, rows []wanted) (wait time.Duration, err error) {
	for len(rows) > 0 && ctx.Err() == nil {
		var batch []wanted
		n := min(len(rows), EmbedBatch)
		for _, w := range rows[:n] { // another server, or a job, may have been faster
			why, err := s.lookUp(ctx, &w)
			if err != nil {
				return fillWait, err
			}
			if why == "" {
				batch = append(batch, w)
			}
		}
		rows = rows[n:]
		err := s.embedAll(ctx, app, batch)
		failure, known := errors.AsType[*provider.Error](err)
		switch {
		case known && failure.Kind == provider.UsedUp:
			return 0, nil
		case known:
			return max(failure.RetryAfter, fillWait), err
		case err != nil:
			return fillWait, err
		}
	}
	return 0, ctx.Err()
}

// DropVectors removes the vectors of a model that is no longer used, in steps, and returns how many. What was removed
// when the context ends stays removed.
func (s *Service) DropVectors(ctx context.Context, model string) (n int64, err error) {
	if m := s.o.Models.Embeddings; m != nil && m.Model() == model {
		return 0, Refuse(ErrInvalid, "vectors of %q are in use: configure another model first", model)
	}
	for {
		dropped, err := s.o.Storage.DropVectors(ctx, model, 1000)
		if n += dropped; err != nil || dropped == 0 {
			return n, err
		}
	}
}
