package threads

import (
	"context"
	"errors"
	"time"
)

const (
	// retainEvery is how often what is too old is deleted.
	retainEvery = time.Hour
	// retainAll is how many of these times pass until all events are looked at, and not only the first ones. Those
	// that were imported are older than others before them.
	retainAll = 24
)

// retainHourly deletes what is too old until the context ends.
func (s *Service) retainHourly(ctx context.Context) {
	timer := time.NewTimer(time.Minute) // not at once: a server that starts has other things to do
	defer timer.Stop()
	for times := 0; ; times++ {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if n, err := s.retain(ctx, times%retainAll == 0); err != nil && ctx.Err() == nil {
			s.o.Log.ErrorContext(ctx, "what is too old could not be deleted", "err", err)
		} else if n > 0 {
			s.o.Log.InfoContext(ctx, "deleted events that were too old", "events", n)
		}
		timer.Reset(retainEvery)
	}
}

// Retain deletes the events that were recorded longer ago than their application keeps them, with what follows from
// them alone, and returns how many. Threads stay, and claims that a client added itself.
func (s *Service) Retain(ctx context.Context) (events int64, err error) { return s.retain(ctx, true) }

// retain does so, or only with the first events of each user.
func (s *Service) retain(ctx context.Context, all bool) (events int64, err error) {
	apps, err := s.o.Storage.ListApps(ctx)
	if err != nil {
		return 0, err
	}
	now := s.now()
	for _, a := range apps {
		if a.Settings.Retention <= 0 {
			continue
		}
		n, err := s.retainApp(ctx, a.ID, now.Add(-a.Settings.Retention), all)
		if events += n; err != nil {
			return events, err
		}
	}
	return events, nil
}

// usersAtOnce is how many users of an application are listed at once.
const usersAtOnce = 200

func (s *Service) retainApp(ctx context.Context, app string, until time.Time, all bool) (events int64, err error) {
	for after := ""; ; {
		users, err := s.o.Storage.Users(ctx, app, after, usersAtOnce)
		if err != nil || len(users) == 0 {
			return events, err
		}
		for _, user := range users {
			for {
				n, err := s.retainSome(ctx, Subject{app, user}, until, all)
				if events += n; err != nil {
					return events, err
				}
				if n == 0 {
					break
				}
			}
		}
		after = users[len(users)-1]
	}
}

// retainSome deletes some of the oldest events of a subject that were recorded before a time, of one thread, and
// returns how many.
func (s *Service) retainSome(ctx context.Context, who Subject, until time.Time, all bool) (n int64, err error) {
	var old []Event
	q := EventQuery{Limit: pageOfEvents}
	if all {
		q.Filter = &Filter{Field: "recorded_at", Type: "time", Op: "range", Values: []any{nil, until}}
	}
	look := func(v View) error {
		events, err := v.Events(q)
		old = nil
		for _, e := range events {
			if e.Recorded.Before(until) && (len(old) == 0 || e.Thread == old[0].Thread) {
				old = append(old, e)
			}
		}
		return err
	}
	// most subjects have nothing so old: to see that needs no change
	if err := s.o.Storage.View(ctx, who, look); err != nil || len(old) == 0 {
		return 0, err
	}
	err = s.change(ctx, who, func(w *work) error {
		if err := look(w); err != nil || len(old) == 0 {
			return err
		}
		t, err := w.Thread(old[0].Thread)
		if err != nil {
			return err
		}
		_, err = w.deleteEvents(t, old)
		return err
	})
	if errors.Is(err, ErrNotFound) { // the application was deleted
		return 0, nil
	}
	return int64(len(old)), err
}
