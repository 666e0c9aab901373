package threads

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// AuthenticateKey returns the application that a key of this hash lets in. [ErrNotFound].
func (s *Service) AuthenticateKey(ctx context.Context, hash [32]byte) (Key, App, error) {
	return s.o.Storage.AuthenticateKey(ctx, hash, s.now())
}

// subject returns whose thread it is, and the thread's id in lower case. A user is not looked up: what is not theirs
// is not in their view.
func (s *Service) subject(ctx context.Context, c Caller, thread string) (Subject, string, error) {
	id, err := checkID("a thread", thread)
	if err != nil {
		return Subject{}, "", err
	}
	who := Subject(c)
	if who.User == "" {
		if who.User, err = s.o.Storage.OwnerOf(ctx, c.App, id); err != nil {
			return Subject{}, "", lacks(err, "thread")
		}
	}
	return who, id, checkWho(who)
}

// lacks names what was not found.
func lacks(err error, what string) error {
	if errors.Is(err, ErrNotFound) {
		return Refuse(ErrNotFound, "no such %s", what)
	}
	return err
}

// view returns the answer to a question that sees one state of a subject.
func view[T any](ctx context.Context, s *Service, who Subject, look func(View) (T, error)) (seen T, err error) {
	if err = checkWho(who); err == nil {
		err = s.o.Storage.View(ctx, who, func(v View) error {
			seen, err = look(v)
			return err
		})
	}
	return seen, err
}

// inThread is view for a question about a thread that exists.
func inThread[T any](ctx context.Context, s *Service, c Caller, thread string, look func(View, Thread) (T, error)) (
	seen T, err error) {
	who, id, err := s.subject(ctx, c, thread)
	if err != nil {
		return seen, err
	}
	return view(ctx, s, who, func(v View) (seen T, err error) {
		t, err := v.Thread(id)
		if err != nil {
			return seen, lacks(err, "thread")
		}
		return look(v, t)
	})
}

// change runs a change of a subject, and returns what it returns.
func change[T any](ctx context.Context, s *Service, who Subject, do func(*work) (T, error)) (made T, err error) {
	err = s.change(ctx, who, func(w *work) error {
		made, err = do(w)
		return err
	})
	return made, err
}

// changeThread is change for a thread that exists.
func changeThread[T any](ctx context.Context, s *Service, c Caller, thread string, do func(*work, Thread) (T, error)) (
	made T, err error) {
	who, id, err := s.subject(ctx, c, thread)
	if err != nil {
		return made, err
	}
	return change(ctx, s, who, func(w *work) (made T, err error) {
		t, err := w.Thread(id)
		if err != nil {
			return made, lacks(err, "thread")
		}
		return do(w, t)
	})
}

// work is a change of a subject under way.
type work struct {
	Tx
	s   *Service
	who Subject
	now time.Time
}

func (s *Service) change(ctx context.Context, who Subject, change func(*work) error) error {
	if err := checkWho(who); err != nil {
		return err
	}
	err := s.o.Storage.Change(ctx, who, func(tx Tx) error {
		return change(&work{Tx: tx, s: s, who: who, now: s.now()})
	})
	if err == nil {
		s.wake()
	}
	return err
}

// CreateThread makes a thread of the caller, or of the user that an application names. [ErrInvalid]; [ErrTaken]: the
// id.
func (s *Service) CreateThread(ctx context.Context, c Caller, n NewThread) (Thread, error) {
	who := Subject{App: c.App, User: cmp.Or(c.User, n.User)}
	err := cmp.Or(checkWho(who), checkLine("agent", n.Agent, maxName), checkProse("the title", n.Title, MaxTitle),
		checkMeta(n.Meta))
	if err != nil {
		return Thread{}, err
	}
	id := n.ID
	if id == "" {
		id, err = s.newID()
	} else {
		id, err = checkID("a thread", id)
	}
	if err != nil {
		return Thread{}, err
	}
	return change(ctx, s, who, func(w *work) (Thread, error) {
		switch _, err := w.Thread(id); {
		case err == nil:
			return Thread{}, Refuse(ErrTaken, "there is a thread with this id")
		case !errors.Is(err, ErrNotFound):
			return Thread{}, err
		}
		t := Thread{ID: id, Agent: n.Agent, Title: strings.TrimSpace(n.Title), Meta: n.Meta, CreatedAt: w.now,
			UpdatedAt: w.now}
		return t, taken(w.PutThread(t), "there is a thread with this id")
	})
}

// taken says what is taken, if that is the error.
func taken(err error, text string) error {
	if errors.Is(err, ErrTaken) {
		return Refuse(ErrTaken, "%s", text)
	}
	return err
}

// Thread returns a thread, and the user whose it is. [ErrNotFound].
func (s *Service) Thread(ctx context.Context, c Caller, id string) (Thread, string, error) {
	who, id, err := s.subject(ctx, c, id)
	if err != nil {
		return Thread{}, "", err
	}
	t, err := view(ctx, s, who, func(v View) (Thread, error) { return v.Thread(id) })
	return t, who.User, lacks(err, "thread")
}

// ListThreads returns the threads of a user.
func (s *Service) ListThreads(ctx context.Context, who Subject, q ThreadQuery) ([]Thread, error) {
	return view(ctx, s, who, func(v View) ([]Thread, error) { return v.Threads(q) })
}

// RenameThread gives a thread another title. [ErrInvalid]: it is blank.
func (s *Service) RenameThread(ctx context.Context, c Caller, id, title string) (Thread, error) {
	title = strings.TrimSpace(title)
	if title == "" {
		return Thread{}, Refuse(ErrInvalid, "the title is blank")
	}
	if err := checkProse("the title", title, MaxTitle); err != nil {
		return Thread{}, err
	}
	return changeThread(ctx, s, c, id, func(w *work, t Thread) (Thread, error) {
		if t.Title == title {
			return t, nil
		}
		t.Title, t.UpdatedAt = title, w.now
		return t, w.PutThread(t)
	})
}

// Changes returns what changed in an application, or of the caller if it is a user, and the cursor to go on with. See
// [Storage].
func (s *Service) Changes(ctx context.Context, c Caller, after string, limit int) ([]Change, string, error) {
	return s.o.Storage.Changes(ctx, c.App, c.User, after, limit)
}

// EraseUser permanently deletes everything about a user, and returns the number of deleted rows by table. It goes on
// when the request ends.
func (s *Service) EraseUser(ctx context.Context, who Subject) (map[string]int64, error) {
	if err := checkWho(who); err != nil {
		return nil, err
	}
	gone, err := s.o.Storage.Erase(context.WithoutCancel(ctx), who, s.now())
	return s.noted(ctx, gone, err)
}

// noted returns what was deleted once that is noted outside of the storage.
func (s *Service) noted(ctx context.Context, gone map[string]int64, err error) (map[string]int64, error) {
	if err != nil {
		return gone, err
	}
	if err := s.o.Erased(context.WithoutCancel(ctx)); err != nil {
		return nil, fmt.Errorf("it was deleted, but not noted outside of the database: %w", err)
	}
	return gone, nil
}

// Users returns users of an application that have rows, by name, after one.
func (s *Service) Users(ctx context.Context, app, after string, limit int) ([]string, error) {
	return s.o.Storage.Users(ctx, app, after, limit)
}

// Counts counts what is kept of a user.
func (s *Service) Counts(ctx context.Context, who Subject) (Counts, error) {
	return s.o.Storage.Counts(ctx, who)
}

// ListJobs returns jobs of an application, or of one user of it, the newest first.
func (s *Service) ListJobs(ctx context.Context, c Caller, q JobQuery) ([]Job, error) {
	q.App, q.User = c.App, c.User
	return s.o.Storage.ListJobs(ctx, q)
}

// JobTotals counts jobs by state and kind, and returns since when the oldest pending one waits.
func (s *Service) JobTotals(ctx context.Context) (map[JobState]map[JobKind]int64, time.Time, error) {
	return s.o.Storage.JobTotals(ctx)
}

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
