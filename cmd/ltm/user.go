package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"ltm/memory/api"
)

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
	return &cobra.Command{
		Use:  "init",
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
