package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// anyNumber as a maximum means no maximum.
const anyNumber = -1

// The names of arguments in messages about missing ones.
const (
	anID    = "the id of a memory"
	aTopic  = "a topic"
	aTag    = "a tag"
	newName = "the new name of the tag"
)

// noArguments refuses any argument.
func noArguments() cobra.PositionalArgs { return arguments(0) }

// arguments requires one argument for each of the texts that say what they are, and allows
// at most so many, or any number.
func arguments(most int, required ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, given []string) error {
		switch name := c.CommandPath(); {
		case len(given) < len(required):
			return usageError(c, fmt.Errorf("%s needs %s", name, strings.Join(required[len(given):], " and ")))
		case most == 0 && len(given) > 0:
			return usageError(c, fmt.Errorf("%s takes no arguments, and %q is one", name, given[0]))
		case most == 1 && len(given) > 1:
			return usageError(c, fmt.Errorf("%s takes one argument, and %q is a second one", name, given[1]))
		case most > 1 && len(given) > most:
			return usageError(c, fmt.Errorf("%s takes at most %d arguments, and %q is one too many", name, most,
				given[most]))
		}
		return nil
	}
}
