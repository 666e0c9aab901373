package wiring

import (
	"cmp"
	"crypto/rand"
	"path/filepath"
	"time"

	"ltm/engine"
	"ltm/engine/locate"
	"ltm/engine/records"
	"ltm/memory"
	"ltm/store"
)

// Open opens the store of a place, without reading it.
func Open(place locate.Place) *store.Store { return store.New(place.Places, time.Now) }

// Options returns what an engine is made with. wait is how long a change waits for other processes.
func (e Env) Options(s *store.Store, wait time.Duration, place locate.Place) engine.Options {
	s.KeepNames(e.Git(place).Tracks)
	return engine.Options{
		Store: s, Version: e.Version, Now: time.Now, Random: rand.Reader, LockWait: wait, Client: e.Client,
		Alive: alive, Signer: signer{env: e, place: place, roots: &rootCommits{}},
		Notice: e.Notice, Past: e.Git(place), ByModel: e.ByModel(), Next: e.Next,
		Records: records.Running{Dirs: e.Records(), Project: e.clientDir(), Began: time.Now()},
		Files:   e.WorkTree(place, true),
	}
}

// clientDir returns the directory in which the client was started.
func (e Env) clientDir() string {
	where := e.Where()
	return cmp.Or(where.Project, where.Cwd)
}

// ByModel reports whether Claude Code started this process, in a tool or a hook: then a model may
// have written the arguments.
func (e Env) ByModel() bool {
	return e.Getenv("CLAUDE_CODE_SESSION_ID") != "" || e.Getenv("CLAUDECODE") != ""
}

// Shelf returns where the person's own store is beside a project's, or why none is used.
func (e Env) Shelf(project locate.Place) locate.Shelf {
	shelf := locate.ShelfOf(e.Where(), project)
	if shelf.None == "" {
		shelf.None = e.NamedByProject()
	}
	return shelf
}

// ShelfError is the error that there is no place for the person's own store, or nil.
func ShelfError(shelf locate.Shelf) error {
	if shelf.None == "" {
		return nil
	}
	return memory.NewError(memory.CodeInvalid, memory.KindUserNone, shelf.Store,
		"there is no place for your own memories here: %s", shelf.None)
}

// Shelves opens the project's store, with its packets, and the person's beside it.
func (e Env) Shelves(project locate.Place, shelf locate.Shelf, wait time.Duration) *engine.Shelves {
	o := e.Options(Open(project), wait, project)
	o.Packets = e.Packets(o.Store, project, wait)
	return engine.NewShelves(engine.New(o), e.Person(shelf, wait), ShelfError(shelf))
}

// Person opens the person's own store, or returns nil if there is no place for it.
func (e Env) Person(shelf locate.Shelf, wait time.Duration) *engine.Engine {
	if shelf.None != "" {
		return nil
	}
	return engine.New(e.Options(Open(shelf.Place), wait, shelf.Place))
}

// ProjectName returns what a project's directory is called.
func ProjectName(place locate.Place) string {
	if place.Named {
		return filepath.Base(filepath.Dir(place.Store))
	}
	return filepath.Base(filepath.Dir(filepath.Dir(place.Store)))
}
