package threads

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"
)

const (
	// retainEvery is how often what is too old is deleted.
	retainEvery = time.Hour
	// retainAll is how many of these times pass until all events are looked at, and not only the first ones. Those
	// that were imported become too old before others that are before them.
	retainAll = 24
)

// retainHourly deletes what is too old until the context ends.
func (s *Service) retainHourly(ctx context.Context) {
	// not at once: a server that starts has other things to do
	for wait := time.Minute; ; wait = retainEvery {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		if n, err := s.retainDue(ctx); err != nil && ctx.Err() == nil {
			s.o.Log.ErrorContext(ctx, "what is too old could not be deleted", "err", err, "events", n)
		} else if n > 0 {
			s.o.Log.InfoContext(ctx, "deleted events that were too old", "events", n)
		}
	}
}

// retainDue looks at all events if it is time to, and again after such a look failed; and otherwise at the first ones,
// and at those that were imported since the last look.
func (s *Service) retainDue(ctx context.Context) (events int64, err error) {
	all := s.untilAll == 0
	events, err = s.retain(ctx, all)
	switch {
	case !all:
		s.untilAll--
	case err == nil:
		s.untilAll = retainAll - 1
	}
	return events, err
}

// retain deletes the events that were recorded longer ago than their application keeps them, with what follows from
// them alone, and returns how many. Threads stay, and claims that a client added itself. Unless it is to look at all
// events, it looks at the first ones of each user and at those that were imported since the last look.
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
		n, failed := s.retainApp(ctx, a.ID, now.Add(-a.Settings.Retention), all)
		events, err = events+n, errors.Join(err, failed)
	}
	return events, err
}

// usersAtOnce is how many users of an application are listed at once.
const usersAtOnce = 200

// retainApp continues with the next user where one fails, such as in a database that was busy for a moment.
func (s *Service) retainApp(ctx context.Context, app string, until time.Time, all bool) (events int64, err error) {
	for after := ""; ; {
		users, failed := s.o.Storage.Users(ctx, app, after, usersAtOnce)
		if failed != nil || len(users) == 0 {
			return events, errors.Join(err, failed)
		}
		for _, user := range users {
			n, failed := s.retainUser(ctx, Subject{app, user}, until, all)
			if events, err = events+n, errors.Join(err, failed); ctx.Err() != nil {
				return events, err
			}
		}
		after = users[len(users)-1]
	}
}

// retainUser deletes the events of a subject that were recorded before a time, and returns how many. It reads each
// event once, page by page, so that no transaction is longer for who has more of them.
func (s *Service) retainUser(ctx context.Context, who Subject, until time.Time, all bool) (n int64, err error) {
	var imported int64 // up to here, a young event does not mean that those behind it are young
	for after := int64(0); ; {
		var page []Event
		err := s.o.Storage.View(ctx, who, func(v View) (err error) {
			if after == 0 {
				if imported, err = v.Imported(); err != nil {
					return err
				}
			}
			page, err = v.Events(EventQuery{After: after, Limit: pageOfEvents})
			return err
		})
		if err != nil {
			return n, err
		}
		old := map[string][]string{} // events by thread
		for _, e := range page {
			after = e.Seq
			if e.Recorded.Before(until) {
				old[e.Thread] = append(old[e.Thread], e.ID)
			}
		}
		for _, thread := range slices.Sorted(maps.Keys(old)) {
			gone, err := s.retainThread(ctx, who, thread, old[thread], until)
			if n += gone; err != nil {
				return n, err
			}
		}
		if len(page) < pageOfEvents || len(old) == 0 && !all && after >= imported {
			return n, s.lookedAt(ctx, who, imported)
		}
	}
}

// lookedAt notes that what was imported up to an event was looked at, unless more was imported since.
func (s *Service) lookedAt(ctx context.Context, who Subject, imported int64) error {
	if imported == 0 {
		return nil
	}
	err := s.o.Storage.Change(ctx, who, func(tx Tx) error {
		if now, err := tx.Imported(); err != nil || now != imported {
			return err
		}
		return tx.SetImported(0)
	})
	if errors.Is(err, ErrNotFound) { // the application was deleted
		return nil
	}
	return err
}

// retainThread deletes those of some events of a thread that are still there and were recorded before a time. It looks
// at no others, because all other changes wait meanwhile.
func (s *Service) retainThread(ctx context.Context, who Subject, thread string, ids []string,
	until time.Time) (n int64, err error) {
	err = s.change(ctx, who, func(w *work) error {
		old, err := w.Events(EventQuery{Thread: thread, IDs: ids})
		old = slices.DeleteFunc(old, func(e Event) bool { return !e.Recorded.Before(until) })
		if n = int64(len(old)); err != nil || n == 0 {
			return err
		}
		t, err := w.Thread(thread)
		if err != nil {
			return err
		}
		_, err = w.deleteEvents(t, old)
		return err
	})
	switch {
	case errors.Is(err, ErrNotFound): // the application was deleted
		return 0, nil
	case err != nil:
		return 0, err
	}
	return n, nil
}
