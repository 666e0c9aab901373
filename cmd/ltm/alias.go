package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/memory/api"
)

// aliasFlag adds --alias to a command. A comma is part of an alias.
func aliasFlag(c *cobra.Command, aliases *[]string, help string) {
	c.Flags().StringArrayVar(aliases, "alias", nil, help)
}

// patchAliases adds --alias to a command that changes a memory, and returns what gives its value, or nil.
func patchAliases(c *cobra.Command) func() *[]string {
	var aliases []string
	aliasFlag(c, &aliases, `replace the aliases; "" removes them all`)
	return func() *[]string {
		if !c.Flags().Changed("alias") {
			return nil
		}
		return &aliases
	}
}

func (a *app) aliasCommand() *cobra.Command {
	c := &cobra.Command{Use: "alias ID [add|rm ALIAS...]", Args: arguments(anyNumber, anID)}
	c.RunE = func(c *cobra.Command, given []string) error {
		add, remove, err := aliasChange(given[1:])
		if err != nil {
			return err
		}
		e, id, err := a.oneID(c.Context(), given[0])
		if err != nil {
			return err
		}
		var all api.Aliases
		if len(add)+len(remove) == 0 {
			all, err = e.Aliases(c.Context(), id)
		} else {
			all, err = e.Realias(c.Context(), id, add, remove)
		}
		return answer(a, all, err, a.printAliases)
	}
	return c
}

// aliasChange returns the aliases to add or to remove.
func aliasChange(given []string) (add, remove []string, err error) {
	switch {
	case len(given) == 0:
		return nil, nil, nil
	case !slices.Contains([]string{"add", "rm", "remove"}, given[0]):
		return nil, nil, invalid(`say "add" or "rm", and then the aliases`, "%q is neither add nor rm", given[0])
	case len(given) == 1:
		return nil, nil, invalid("", "ltm alias %s needs an alias", given[0])
	case slices.ContainsFunc(given[1:], func(alias string) bool { return strings.TrimSpace(alias) == "" }):
		return nil, nil, invalid("name it, or leave it out", "an alias cannot be empty")
	case given[0] == "add":
		return given[1:], nil, nil
	}
	return nil, given[1:], nil
}

// completeAlias offers ids first, and then what to do.
func completeAlias(ids completer) completer {
	return func(given []string, begun string) []string {
		switch len(given) {
		case 0:
			return ids(given, begun)
		case 1:
			return fixed("add", "rm")(given, begun)
		}
		return nil
	}
}

func (a *app) printAliases(all api.Aliases) error {
	rows := rowsOf(all.Aliases, func(alias string) []string {
		return a.markedRow([]string{"written", cell(alias)}, 1, all.Foreign)
	})
	learned := rowsOf(all.Learned, func(alias string) []string { return []string{"learned", cell(alias)} })
	return a.tableOr("no aliases", "FROM|ALIAS", append(rows, learned...))
}
