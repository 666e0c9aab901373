package main

import (
	"context"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"time"

	"ltm/cmd/internal/gitstore"
	"ltm/cmd/internal/past"
	"ltm/cmd/internal/wiring"
	"ltm/engine"
	"ltm/engine/find"
	"ltm/engine/locate"
	"ltm/engine/person"
	"ltm/hooks"
	"ltm/internal/fs/regular"
	"ltm/memory"
	"ltm/memory/api"
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
	project, git := open(place), map[api.Scope]gitstore.Store{api.ScopeProject: env.Git(place)}
	var own *engine.Engine
	if shelf.None == "" {
		own, git[api.ScopeUser] = open(shelf.Place), env.Git(shelf.Place)
	}
	all := person.NewShelves(project, own, wiring.ShelfError(shelf))
	top := env.WorkTree(place, false).Place().Top
	stale := func() (uint64, error) { return project.StaleStamp(context.Background()) }
	options := page.Options{
		Memories: all,
		History: func(ctx context.Context, id string, limit int) (api.Past, error) {
			e, scope := all.Holding(ctx, id)
			return past.Of(ctx, e, git[scope], id, limit)
		},
		Authors: func(ctx context.Context, scope api.Scope) map[memory.ID][]string {
			names := map[memory.ID][]string{}
			for id, who := range git[scope].Authors(ctx) {
				for _, a := range who.List() {
					names[id] = append(names[id], a.Name)
				}
				names[id] = slices.Compact(names[id]) // one of several addresses
			}
			return names
		},
		Commits: func(ctx context.Context, scope api.Scope, since time.Time) (all []page.Commit) {
			for _, c := range git[scope].Changes(ctx, since) {
				all = append(all, page.Commit{Hash: c.Hash, Author: c.Author.Name, Time: c.Time, Subject: c.Subject,
					Counts: [3]int{c.Added, c.Changed, c.Removed}})
			}
			return all
		},
		Candidates: project,
		Files:      files{top: top},
		Packets:    env.Packets(wiring.Open(place), place, uiLockWait),
		Keeper:     func(scope api.Scope) (page.Keeper, error) { return all.In(scope) },
		Changer:    func(scope api.Scope) (page.Changer, error) { return all.In(scope) },
		ScopeOf: func(ctx context.Context, id string) api.Scope {
			_, scope := all.Holding(ctx, id)
			return scope
		},
		Person:  all.HasPerson,
		Stamp:   stampAll(stampStores(closeLook, place, shelf.Place), wiring.HeadStamp(top), stale),
		Marker:  find.Marker,
		Prepare: func() { _ = all.Warm(context.Background()) }, // an error occurs again, where it is shown

		Project: wiring.ProjectName(place), Store: pageName(place.Store), Version: version, Again: again,
		AllowHosts: o.allowHosts, Stop: end, Now: time.Now, Zone: time.Local,
		Log: slog.New(slog.NewTextHandler(a.stderr, nil)),
	}
	if c := newCLI(o); c != nil && o.export == "" { // files can neither check nor send anything
		options.Doctor, options.Post = c.doctor, c
	}
	return options
}

// maxShownFile is the size limit of a file of the project that the page shows, in bytes.
const maxShownFile = 2 << 20

// files has the files of a project's work tree.
type files struct{ top string } // "": there are none

// ReadFile implements [web.Files]. A path with a link in it is refused: a link may lead out of the project, or into
// git's directory.
func (f files) ReadFile(_ context.Context, path string) ([]byte, error) {
	data, err := f.read(path)
	if err != nil {
		return nil, &memory.Error{Code: memory.CodeNotFound, Subject: path, Message: "that file cannot be shown",
			Err: err}
	}
	return data, nil
}

func (f files) read(path string) ([]byte, error) {
	if f.top == "" {
		return nil, fs.ErrNotExist
	}
	root, err := regular.OpenPath(f.top)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // it was only read
	for {
		dir, rest, deeper := strings.Cut(path, "/")
		if !deeper {
			return regular.Read(root, path, maxShownFile)
		}
		next, err := regular.OpenDir(root, dir)
		if err != nil {
			return nil, err
		}
		_ = root.Close()
		root, path = next, rest
	}
}
