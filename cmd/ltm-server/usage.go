package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ltm/cmd/internal/completion"
)

// invalid is the error about an argument, an option or the input, with the next step.
func invalid(next, format string, args ...any) error {
	return &fault{status: exitInvalid, message: fmt.Sprintf(format, args...), next: next}
}

// usageError returns the error about a wrong flag or argument, with a hint that names the help.
func usageError(c *cobra.Command, err error) error {
	hint := fmt.Sprintf("see %q", typed(c)+" --help")
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return invalid(hint, "%q is not a value of --%s: %s", bad.GetValue(), bad.GetFlag().Name,
			takes(bad.GetFlag(), bad.Unwrap()))
	}
	return invalid(hint, "%v", err)
}

// typed returns a command as people type it: the page is a command of ltm.
func typed(c *cobra.Command) string {
	if c.Name() == "ui" {
		return "ltm ui"
	}
	return c.CommandPath()
}

// takes says which values a flag has.
func takes(f *pflag.Flag, err error) string {
	switch f.Value.Type() {
	case "int", "int64":
		return "a whole number"
	case "bool":
		return "true or false"
	case "duration":
		return "a time such as 30s"
	}
	return err.Error()
}

// arguments requires one argument for each of the texts that say what they are, and allows at most so many.
func arguments(most int, required ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, given []string) error {
		switch name := typed(c); {
		case len(given) < len(required):
			return usageError(c, fmt.Errorf("%s needs %s", name, strings.Join(required[len(given):], " and ")))
		case len(given) > most:
			takes := fmt.Sprintf("%d arguments", most)
			if most < 2 {
				takes = []string{"no arguments", "one argument"}[most]
			}
			return usageError(c, fmt.Errorf("%s takes %s, and %q is one too many", name, takes, given[most]))
		}
		return nil
	}
}

// strict makes commands that only have commands refuse words that they do not know, and cobra's own
// take none. All other commands have to be registered before.
func strict(root *cobra.Command) {
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show help for a command",
		RunE: func(c *cobra.Command, given []string) error {
			at, rest, err := root.Find(given)
			if err != nil || len(rest) > 0 {
				return noCommand(root, strings.Join(given, " "))
			}
			at.InitDefaultHelpFlag()
			return at.Help()
		},
	})
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	completion.HardenFish(root)
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.HasSubCommands() {
			c.Args = func(c *cobra.Command, given []string) error {
				if len(given) > 0 {
					return noCommand(c, given[0])
				}
				return nil
			}
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// noCommand returns the error about a word that is not a command of c.
func noCommand(c *cobra.Command, word string) error {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return invalid(fmt.Sprintf("allowed after %q: %s", c.CommandPath(), strings.Join(names, ", ")),
		"there is no command %q", c.CommandPath()+" "+word)
}
