package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/wiring"
	"ltm/engine"
	"ltm/engine/locate"
	"ltm/engine/person"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// scopeFlags are the flags that say whose memories a command is about.
type scopeFlags struct {
	user, project bool
	scope         string
}

// unscoped lists the commands that are about neither store alone, by the reason.
func unscoped() map[string][]string {
	return map[string][]string{
		"it sets up a project; ltm user init makes your own memories a repository": {"ltm init"},
		"a server has both; its tools have a parameter for it":                     {"ltm mcp"},
		"a session gets both":             {"ltm hook", "ltm context"},
		"it is about the program":         {"ltm version", "ltm completion"},
		"it is about your own memories":   {"ltm user"},
		"it is about a server of packets": {"ltm auth", "ltm teams", "ltm invite", "ltm join"},
		"packets are the project's": {"ltm write", "ltm resume", "ltm packet", "ltm push", "ltm pull",
			"ltm save"},
		"candidates are the project's": {"ltm review"},
		"a page shows both":            {"ltm ui"},
	}
}

// setScope reads the flags, once a command is known.
func (a *app) setScope(c *cobra.Command) error {
	scope, err := a.whose.parse()
	if err != nil || scope == "" {
		return err
	}
	for why, paths := range unscoped() {
		for _, path := range paths {
			if c.CommandPath() == path || strings.HasPrefix(c.CommandPath(), path+" ") {
				return invalid("leave out --user, --project and --scope", "%s takes no scope: %s", path, why)
			}
		}
	}
	if scope == api.ScopeAll && !slices.Contains([]string{"ltm recall", "ltm list", "ltm archives list", "ltm pick",
		"ltm export", "ltm stats"}, c.CommandPath()) {
		return invalid("give --user or --project", "%s is about one store at a time", c.CommandPath())
	}
	a.scope = scope
	if scope == api.ScopeProject {
		return nil
	}
	return a.shelfError()
}

func (f scopeFlags) parse() (api.Scope, error) {
	scope, err := api.ParseScope(f.scope)
	if err != nil {
		return "", err
	}
	given := []api.Scope{scope}
	if f.user {
		given = append(given, api.ScopeUser)
	}
	if f.project {
		given = append(given, api.ScopeProject)
	}
	given = slices.Compact(slices.DeleteFunc(given, func(s api.Scope) bool { return s == "" }))
	if len(given) > 1 {
		return "", invalid("give one of them; --scope all is both",
			"--user, --project and --scope contradict each other")
	}
	if len(given) == 0 {
		return "", nil
	}
	return given[0], nil
}

// shelf returns where the person's own store is, or why none is used here. It is located once.
func (a *app) shelf() locate.Shelf {
	if a.foundShelf == nil {
		shelf := a.env().Shelf(a.projectsPlace())
		a.foundShelf = &shelf
	}
	return *a.foundShelf
}

// shelfError is the error that there is no place for the person's own store, or nil.
func (a *app) shelfError() error { return wiring.ShelfError(a.shelf()) }

// projectsPlace returns where the project's store is, whatever the scope is.
func (a *app) projectsPlace() locate.Place {
	if a.scope != api.ScopeUser {
		return a.place()
	}
	return locate.Store(a.env().Where())
}

// shelves opens the project's store, and the person's beside it.
func (a *app) shelves(wait time.Duration) *person.Shelves {
	return a.env().Shelves(a.projectsPlace(), a.shelf(), wait)
}

// storeAt opens a store.
func (a *app) storeAt(place locate.Place) *store.Store { return wiring.Open(place) }

// person opens the person's own store, or returns nil if there is no place for it.
func (a *app) person(wait time.Duration) *engine.Engine { return a.env().Person(a.shelf(), wait) }

// holding returns the store that has these ids, as people type them, and the whole ids: the project's or, if that has
// none of them, the person's. From then on, the command is about that store.
func (a *app) holding(ctx context.Context, texts []string) (*engine.Engine, []memory.ID, error) {
	e := a.engine(lockWait)
	found, err := e.FindIDs(ctx, texts)
	if a.scope != "" || len(texts) == 0 || err == nil && e.Exists() || err != nil && !isUnknown(err) {
		return e, found, err
	}
	person := a.person(lockWait)
	if person == nil || !person.Exists() {
		return e, found, err
	}
	own, ownErr := person.FindIDs(ctx, texts)
	switch {
	case ownErr == nil && !slices.ContainsFunc(own, func(id memory.ID) bool { return !person.Holds(ctx, string(id)) }):
		a.scope, a.found = api.ScopeUser, nil
		return person, own, nil
	case ownErr != nil && isUnknown(ownErr) && len(texts) > 1:
		for _, text := range texts {
			if _, err := person.FindIDs(ctx, []string{text}); err == nil {
				return nil, nil, invalid("give them in two commands", "%s is one of your own, and others are not",
					memory.Quote(text, 40))
			}
		}
	}
	return e, found, err
}

// isUnknown reports whether an id was not found.
func isUnknown(err error) bool {
	e, ok := errors.AsType[*memory.Error](err)
	return ok && slices.Contains([]memory.Kind{memory.KindMemoryUnknown, memory.KindMemoryMisspelt}, e.Kind)
}

// withScope adds the scope to a row, if it is the person's.
func withScope(row []string, w api.Whose) []string {
	if mark := w.String(); mark != "" {
		return append(row, mark)
	}
	return row
}

// scopedTopic is a topic in a table, with the scope if it is the person's.
func scopedTopic(topic string, w api.Whose) string {
	if mark := w.String(); mark != "" {
		return "(" + mark + ") " + cell(topic)
	}
	return cell(topic)
}

// markedRow is a row with the topic of a memory in it, or another text of it, and a mark if that comes from elsewhere:
// for people before the text, for programs as one more field.
func (a *app) markedRow(row []string, text int, foreign bool) []string {
	if !a.screen().Rich {
		return withScope(row, api.Whose{Foreign: foreign})
	}
	row[text] = markedTopic(row[text], foreign)
	return row
}

// markedTopic is a topic with a mark if it comes from elsewhere.
func markedTopic(topic string, foreign bool) string {
	return scopedTopic(topic, api.Whose{Foreign: foreign})
}

// shelfLine describes the person's own store.
func shelfLine(s api.Shelf) string {
	text := fmt.Sprintf("%s: %s, %s", cell(s.StorePath),
		plural.Of(s.TotalMemories, "memory", "memories"), plural.Of(s.TotalArchived, "archive", "archives"))
	if s.FromElsewhere > 0 {
		text += fmt.Sprintf("; %d from elsewhere (ltm trust --user)", s.FromElsewhere)
	}
	return text
}

func (a *app) userCommand() *cobra.Command {
	c := &cobra.Command{Use: "user", Args: onlyCommands}
	c.AddCommand(a.userInitCommand())
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := a.shelfError(); err != nil {
			return err
		}
		return answer(a, a.shelves(lockWait).Shelf(c.Context()), nil, a.printShelf)
	}
	return c
}

func (a *app) printShelf(s *api.Shelf) error {
	if !a.person(0).Exists() {
		return a.println(cell(s.StorePath) + `: none yet; "ltm remember --user" creates it`)
	}
	if s.Unreadable {
		return a.println(cell(s.StorePath)+" cannot be used", clean(say(s.Health)))
	}
	kept := "not a repository (ltm user init makes it one)"
	if !a.shelf().Local {
		kept = "a repository of its own"
	}
	return a.println(shelfLine(*s), kept, fmt.Sprintf("trust is %s", s.Trust), clean(say(s.Health)))
}

func (a *app) userInitCommand() *cobra.Command {
	return &cobra.Command{Use: "init", Args: noArguments(), RunE: func(c *cobra.Command, _ []string) error {
		if err := a.shelfError(); err != nil {
			return err
		}
		shelf := a.shelf()
		if !shelf.Local {
			return a.println(cell(shelf.Store) + " is a repository already")
		}
		if err := a.git(shelf.Place).Create(c.Context(), a.projectDir(), lockWait); err != nil {
			return err
		}
		git := "git -C " + cell(shelf.Store)
		return a.println(cell(shelf.Store)+" is a repository now",
			"commit what is there: "+git+" add -A && "+git+" commit -m 'My memories'",
			`on another machine, clone it to the same place; "ltm trust --user --all" approves what it brings`)
	}}
}
