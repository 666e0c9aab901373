package main

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ltm/internal/plural"
	"ltm/memory"
	"ltm/server/shelf"
	"ltm/server/threads"
)

// maxStores bounds what a question of an application has to search.
const maxStores = 8

// applyStores gives an application directories of memories, and takes some away.
func (f *settingFlags) applyStores(a *app, s *threads.Settings) error {
	stores := maps.Clone(s.Stores)
	if stores == nil {
		stores = map[string]string{}
	}
	for _, name := range f.droppedStores {
		if _, ok := stores[name]; !ok {
			return invalid(`"ltm-server app show" lists them`, "--drop-store: there is no store %q", name)
		}
		delete(stores, name)
	}
	for _, given := range f.stores {
		name, dir, ok := strings.Cut(given, "=")
		if !ok || dir == "" || !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`).MatchString(name) {
			return invalid("it takes NAME=DIR, and a name of up to 64 letters, digits, hyphens and underscores",
				"--store cannot be %q", given)
		}
		dir, err := filepath.Abs(dir)
		if err != nil {
			return failed("cannot find the directory", err)
		}
		found, n, err := shelf.Find(dir, a.personDir(), a.now)
		if err != nil {
			return badStore(err)
		}
		stores[name] = found
		a.notice("the store %s has %s, which all users of the application can see", name,
			plural.Of(n, "memory", "memories"))
	}
	if len(stores) > maxStores {
		return invalid("--drop-store removes some", "%d stores are more than %d", len(stores), maxStores)
	}
	s.Stores = stores
	if len(stores) == 0 {
		s.Stores = nil
	}
	return nil
}

// badStore returns the fault of a directory that cannot be a store.
func badStore(err error) error {
	next := "it takes a project with .claude/ltm, that directory, or a person's own directory of memories"
	var known *memory.Error
	if errors.As(err, &known) && known.Code == memory.CodeStorage {
		return &fault{status: exitStorage, message: "cannot use --store", cause: err}
	}
	return &fault{status: exitInvalid, message: "cannot use --store", cause: err, next: next}
}

// library returns what reads the stores of applications. It says which of them cannot be read now; the server starts
// without them, because they are not all applications'.
func (a *app) library(ctx context.Context, s threads.Storage, log *slog.Logger) (*shelf.Shelves, error) {
	apps, err := s.ListApps(ctx)
	if err != nil {
		return nil, failed("cannot list applications", err)
	}
	for _, app := range apps {
		for _, name := range slices.Sorted(maps.Keys(app.Settings.Stores)) {
			dir := app.Settings.Stores[name]
			if _, _, err := shelf.Find(dir, a.personDir(), a.now); err != nil {
				log.Error("a store of an application cannot be read; contexts are without it", "app", app.Name,
					"store", name, "directory", dir, "error", err)
			}
		}
	}
	return shelf.New(shelf.Options{Person: a.personDir(), Now: a.now, Log: log}), nil
}
