package shelf

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"ltm/engine"
	"ltm/engine/locate"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/server/threads"
	"ltm/store"
)

// Options wires [Shelves].
type Options struct {
	// Person is the directory of ltm's own files of who runs the server, or "": there is the secret of the trust
	// records of stores that are not in git.
	Person string
	Now    func() time.Time
	Log    *slog.Logger
}

// Shelves are the stores that were asked for. It implements [threads.Library].
type Shelves struct {
	o    Options
	mu   sync.Mutex
	open map[string]*shelf // by directory
	asks map[string]int    // questions under way, by directory
}

// maxAsks bounds the questions to one store that are under way: a disk that does not answer keeps each of them.
const maxAsks = 64

// New returns shelves, none of which is open.
func New(o Options) *Shelves {
	return &Shelves{o: o, open: map[string]*shelf{}, asks: map[string]int{}}
}

// shelf is one store.
type shelf struct {
	places store.Places
	engine *engine.Engine

	mu   sync.Mutex
	said string // what the log says of it
}

// Find returns the directory of the store that a directory is or has, and how many memories it has. Its errors say what
// is wrong with the directory.
func Find(dir, person string, now func() time.Time) (found string, memories int, err error) {
	if !filepath.IsAbs(dir) {
		return "", 0, fmt.Errorf("%s is not an absolute path", dir)
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", 0, fmt.Errorf("there is no directory %s", dir)
	case err != nil:
		return "", 0, fmt.Errorf("%s cannot be read: %w", dir, errors.Unwrap(err))
	case !info.IsDir():
		return "", 0, fmt.Errorf("%s is not a directory", dir)
	}
	s := store.New(locate.Given(dir, person), now)
	s.ReadOnly()
	if !s.Exists() {
		return "", 0, fmt.Errorf("%s has no memories: neither .claude/ltm nor memories is in it", dir)
	}
	err = s.View(func(v *store.View) error {
		all, err := v.Memories()
		if err == nil {
			memories = len(all.Records)
			_, err = v.State()
		}
		return err
	})
	if memory.CodeOf(err) == memory.CodeUnreadable {
		err = nil // a damaged file counts as empty, as everywhere
	}
	return s.Dir(), memories, err
}

// at returns the shelf of a directory. One whose places have changed, such as by a repository that was made around it,
// is opened again.
func (s *Shelves) at(dir string) *shelf {
	places := locate.Given(dir, s.o.Person)
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.open[dir]; known != nil && known.places == places {
		return known
	}
	files := store.New(places, s.o.Now)
	files.ReadOnly()
	files.Serve()
	opened := &shelf{places: places, engine: engine.New(engine.Options{Store: files, Now: s.o.Now, ToModel: true,
		Outside: true})}
	s.open[dir] = opened
	return opened
}

// Consult implements [threads.Library].
func (s *Shelves) Consult(ctx context.Context, dir, words string, limit int, least float64) (threads.Consulted, error) {
	if !s.begin(dir) {
		return threads.Consulted{}, context.DeadlineExceeded
	}
	defer s.end(dir)
	x := s.at(dir)
	if !x.engine.Exists() {
		x.say(s.o.Log, dir, "is not there")
		return threads.Consulted{}, threads.ErrGone
	}
	found, err := x.engine.Consult(ctx, words, limit, least)
	switch {
	case ctx.Err() != nil:
		return threads.Consulted{}, ctx.Err()
	case err != nil:
		x.say(s.o.Log, dir, err.Error())
		return threads.Consulted{}, err
	}
	x.say(s.o.Log, dir, "")
	out := threads.Consulted{Total: found.Total}
	for _, note := range found.Note {
		out.Notes = append(out.Notes, note.Text)
	}
	for _, h := range found.Memories {
		if len(h.SupersededBy) > 0 {
			out.Total--
			continue
		}
		out.Memories = append(out.Memories, memoryOf(h))
	}
	return out, nil
}

func (s *Shelves) begin(dir string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asks[dir] >= maxAsks {
		return false
	}
	s.asks[dir]++
	return true
}

func (s *Shelves) end(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asks[dir]--
}

func memoryOf(h api.Hit) threads.Memory {
	return threads.Memory{ID: string(h.ID), Path: store.MemoryPath(h.ID.File()), Topic: h.Topic, Text: h.Summary,
		CreatedAt: h.CreatedAt, Score: h.Score, Foreign: h.Foreign, Disputed: len(h.Disputes) > 0}
}

// say logs what is wrong with a shelf, and that it is right again, once each.
func (x *shelf) say(log *slog.Logger, dir, problem string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.said == problem {
		return
	}
	x.said = problem
	if problem == "" {
		log.Info("a store of an application can be read again", "directory", dir)
		return
	}
	log.Warn("a store of an application cannot be read; contexts are without it", "directory", dir, "problem", problem)
}
