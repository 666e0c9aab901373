package main

import (
	"context"
	"log/slog"
	"time"

	"ltm/cmd/internal/gitstore"
	"ltm/cmd/internal/past"
	"ltm/cmd/internal/wiring"
	"ltm/engine"
	"ltm/engine/locate"
	"ltm/engine/settings"
	"ltm/hooks"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/memory/memfile"
	"ltm/server/page"
)

// again is what a person types for a new address.
const again = "\"ltm ui\""

// uiLockWait is how long a change waits for other processes.
const uiLockWait = 2 * time.Second

// uiEnv is the process as the wiring of engines sees it. What the page shows of a session has the words that a session
// has.
func (a *app) uiEnv(o uiOptions) wiring.Env {
	steps := hooks.NextSteps()
	return wiring.Env{Getenv: a.getenv, Moved: o.dir != "", From: o.from, Version: version,
		Notice: func(n memory.Note) { a.notice("%s", steps.Say(n)) }, Next: steps.Line}
}

// siteOptions opens the stores of the page.
func (a *app) siteOptions(o uiOptions, place locate.Place, end func()) page.Options {
	env := a.uiEnv(o)
	open := func(p locate.Place) *engine.Engine {
		s := wiring.Open(p)
		s.Serve()
		options := env.Options(s, uiLockWait, p)
		if !p.Own {
			options.Packets = env.Packets(s, p, uiLockWait)
		}
		return engine.New(options)
	}
	shelf := env.Shelf(place)
	both := shelves{project: open(place), none: wiring.ShelfError(shelf), projectGit: env.Git(place)}
	if shelf.None == "" {
		both.person, both.personGit = open(shelf.Place), env.Git(shelf.Place)
	}
	all := engine.NewShelves(both.project, both.person, wiring.ShelfError(shelf))
	top := env.WorkTree(place, false).Place().Top
	stale := func() (uint64, error) { return both.project.StaleStamp(context.Background()) }
	return page.Options{
		Memories: all,
		Past:     both,
		Settings: both,
		Alike:    all,
		Names:    both,
		Files:    files{top: top},
		Links:    all,
		Packets:  env.Packets(wiring.Open(place), place, uiLockWait),
		Keeper:   both.keeper,
		Changer:  both.changer,
		ScopeOf:  both.scopeOf,
		Doctor:   a.doctor(o),
		Person:   both.hasPerson,
		Stamp:    stampAll(stampStores(closeLook, place, shelf.Place), wiring.HeadStamp(top), stale),
		Marker:   engine.Marker,
		Prepare:  func() { _ = all.Warm(context.Background()) }, // an error occurs again, where it is shown

		Project: wiring.ProjectName(place), Store: pageName(place.Store), Version: version, Again: again,
		AllowHosts: o.allowHosts, Stop: end, Now: time.Now, Zone: time.Local,
		Log: slog.New(slog.NewTextHandler(a.stderr, nil)),
	}
}

// shelves finds the store that has a memory.
type shelves struct {
	project, person       *engine.Engine // person may be nil
	none                  error          // why
	projectGit, personGit gitstore.Store
}

func (s shelves) hasPerson() bool { return s.person != nil && s.person.Exists() }

func (s shelves) holding(ctx context.Context, id string) (*engine.Engine, gitstore.Store) {
	if s.hasPerson() && !s.project.Holds(ctx, id) && s.person.Holds(ctx, id) {
		return s.person, s.personGit
	}
	return s.project, s.projectGit
}

// SetConfig implements [page.Settings].
func (s shelves) SetConfig(ctx context.Context, key, value string) error {
	_, err := s.project.SetConfig(ctx, key, value, settings.Clone)
	return err
}

// File implements [page.Past].
func (s shelves) File(ctx context.Context, id string) ([]byte, error) {
	e, _ := s.holding(ctx, id)
	_, data, err := e.File(ctx, id)
	if memory.CodeOf(err) == memory.CodeNotFound {
		if archived, inArchive := e.ArchivedFile(ctx, id); inArchive == nil {
			return archived, nil
		}
	}
	return data, err
}

// Aliases implements [page.Names].
func (s shelves) Aliases(ctx context.Context, id string) (api.Aliases, error) {
	e, _ := s.holding(ctx, id)
	return e.Aliases(ctx, id)
}

// History implements [page.Past].
func (s shelves) History(ctx context.Context, id string, limit int) (api.Past, error) {
	e, git := s.holding(ctx, id)
	return past.Of(ctx, e, git, id, limit)
}

// keeper returns the engine of a scope.
func (s shelves) keeper(scope api.Scope) (page.Keeper, error) {
	if scope != api.ScopeUser {
		return s.project, nil
	}
	if s.person == nil {
		return nil, s.none
	}
	return s.person, nil
}

// changer returns what changes the store of a scope.
func (s shelves) changer(scope api.Scope) (page.Changer, error) {
	if scope != api.ScopeUser {
		return changer{s.project}, nil
	}
	if s.person == nil {
		return nil, s.none
	}
	return changer{s.person}, nil
}

// scopeOf returns in which store a memory is: the project's, unless only the person's has it.
func (s shelves) scopeOf(ctx context.Context, id string) api.Scope {
	if e, _ := s.holding(ctx, id); e == s.person && e != nil {
		return api.ScopeUser
	}
	return api.ScopeProject
}

// changer is an engine as [page.Changer].
type changer struct{ *engine.Engine }

// Draft implements [page.Changer].
func (c changer) Draft(text []byte) api.Draft {
	f, err := memfile.Parse(text)
	if err != nil {
		return api.Draft{Content: string(text)} // a person sorts it out
	}
	m := f.Memory
	return api.Draft{Topic: m.Topic, Content: m.Content, Tags: m.PlainTags(), Importance: m.Importance(),
		Category: m.Category}
}

func (c changer) Sides(ctx context.Context, id string) (topic string, ours, theirs []byte, err error) {
	_, data, err := c.File(ctx, id)
	if err != nil {
		return "", nil, nil, err
	}
	sides := memfile.Sides(data)
	if len(sides) > 0 {
		topic = sides[0].Memory.Topic
	}
	if len(sides) > 1 {
		ours, theirs = sides[0].Bytes(), sides[1].Bytes()
	}
	return topic, ours, theirs, nil
}

func (c changer) ResolveSide(ctx context.Context, id, side string) (api.Receipt, error) {
	return c.Resolve(ctx, id, engine.Resolution(side))
}
