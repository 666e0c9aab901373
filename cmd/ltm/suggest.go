package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ltm/internal/didyoumean"
)

// namesBelow returns the names and aliases of the commands below c.
func namesBelow(c *cobra.Command) []string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			names = append(append(names, sub.Name()), sub.Aliases...)
		}
	}
	return names
}

// nearCommands returns the commands below c that a word was probably meant for, each by one
// name.
func nearCommands(c *cobra.Command, word string) []string {
	if name := usually(word); name != "" && !c.HasParent() {
		return []string{name}
	}
	seen := map[*cobra.Command]bool{}
	return slices.DeleteFunc(didyoumean.To(word, namesBelow(c)), func(name string) bool {
		found, _, err := c.Find([]string{name})
		twice := err == nil && seen[found]
		seen[found] = true
		return twice
	})
}

// onlyCommands checks the arguments of a command that takes only the names of commands.
func onlyCommands(c *cobra.Command, given []string) error {
	if len(given) > 0 {
		return noCommand(c, given[0])
	}
	return nil
}

// nearFlag returns a hint for a flag that c does not have, or "".
func nearFlag(c *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return ""
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := didyoumean.To(unknown.GetSpecifiedName(), names)
	if len(near) == 0 {
		return ""
	}
	return fmt.Sprintf("did you mean %s? ", alternatives("--", near))
}

// alternatives joins names, each with a prefix and in quotes: "a", "b" or "c".
func alternatives(prefix string, names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", prefix+name)
	}
	last := len(quoted) - 1
	if last == 0 {
		return quoted[0]
	}
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}
