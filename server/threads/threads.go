package threads

import (
	"cmp"
	"context"
	"errors"
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
	return s.o.Storage.Erase(context.WithoutCancel(ctx), who, s.now())
}

// Users returns users of an application that have rows, by name, after one.
func (s *Service) Users(ctx context.Context, app, after string, limit int) ([]string, error) {
	return s.o.Storage.Users(ctx, app, after, limit)
}

// ListJobs returns jobs of an application, or of one user of it, the newest first. [ErrInvalid]: the state.
func (s *Service) ListJobs(ctx context.Context, c Caller, q JobQuery) ([]Job, error) {
	if !slices.Contains(JobStates(), q.State) {
		return nil, Refuse(ErrInvalid, "the state must be one of %v", JobStates())
	}
	q.App, q.User = c.App, c.User
	return s.o.Storage.ListJobs(ctx, q)
}

// JobTotals counts jobs by state and kind, and returns since when the oldest pending one waits.
func (s *Service) JobTotals(ctx context.Context) (map[JobState]map[JobKind]int64, time.Time, error) {
	return s.o.Storage.JobTotals(ctx)
}
