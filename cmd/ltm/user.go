package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"ltm/memory/api"
)

func (a *app) userCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "user",
		Short: "Show where your own memories are, which are for every project",
		Long: `Show where your own memories are and how many there are. They are in every session, whatever the
project: preferences, habits, what holds everywhere. "ltm remember --user" stores one, and --user
makes most commands be about them. What a model stores there counts as from elsewhere until you
approve it with "ltm trust --user".`,
		Args: onlyCommands,
	}
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
	return &cobra.Command{
		Use:   "init",
		Short: "Make your own memories a git repository of their own",
		Long: `Make your own memories a git repository of their own, with a history, that you can take to another
machine. Its files for this machine stay out of it. ltm adds and commits nothing: you do.

On another machine, clone it to the same place. Its memories count as from elsewhere there until you
approve them with "ltm trust --user --all".`,
		Args: noArguments(),
		RunE: func(c *cobra.Command, _ []string) error {
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
		},
	}
}
