package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ltm/cmd/internal/completion"
	"ltm/memory"
)

// helpCommand is cobra's help, except that it fails for commands that do not exist.
func helpCommand() *cobra.Command {
	var all bool
	help := &cobra.Command{
		Use: "help [COMMAND]",
		ValidArgsFunction: func(c *cobra.Command, given []string, start string) ([]string, cobra.ShellCompDirective) {
			at, _, err := c.Root().Find(given)
			if err != nil || at == nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return commandNames(at, start), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, given []string) error {
			at, rest, err := c.Root().Find(given)
			if err != nil || at == nil || len(rest) > 0 {
				return noCommand(unknownWord(c.Root(), given))
			}
			if !at.HasParent() && !all {
				return dailyScreen(at)
			}
			at.InitDefaultHelpFlag()
			return at.Help()
		},
	}
	help.Flags().BoolVar(&all, "all", false, "list all commands, in groups")
	return help
}

// dailyScreen prints the commands for every day.
func dailyScreen(root *cobra.Command) error {
	text := root.Short + ".\n\n"
	for _, name := range daily() {
		c, _, err := root.Find([]string{name})
		if err != nil {
			return err
		}
		text += fmt.Sprintf("  ltm %-9s %s\n", name, c.Short)
	}
	_, err := fmt.Fprint(root.OutOrStdout(), text+`
"ltm help COMMAND" shows the flags of a command, with examples; "ltm help --all" lists the other commands.
`)
	return err
}

// unknownWord returns the command that the first words name, and the first word that does
// not name one.
func unknownWord(c *cobra.Command, words []string) (*cobra.Command, string) {
	for _, word := range words {
		next, _, err := c.Find([]string{word})
		if err != nil || next == c {
			return c, word
		}
		c = next
	}
	return c, ""
}

// noCommand returns the error about a word that is not a command of c.
func noCommand(c *cobra.Command, word string) error {
	hint := `"ltm help" lists the commands`
	if c.HasParent() {
		hint = fmt.Sprintf("%q has no commands", c.CommandPath())
		if names := commandNames(c, ""); len(names) > 0 {
			hint = fmt.Sprintf("allowed after %q: %s", c.CommandPath(), strings.Join(names, ", "))
		}
	}
	if near := nearCommands(c, word); len(near) > 0 {
		hint = fmt.Sprintf("did you mean %s? ", alternatives(c.CommandPath()+" ", near)) + hint
	}
	return invalid(hint, "there is no command %q", strings.TrimPrefix(c.CommandPath()+" "+word, "ltm "))
}

// commandNames lists the commands of c that begin with start.
func commandNames(c *cobra.Command, start string) []string {
	var names []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), start) {
			names = append(names, sub.Name())
		}
	}
	return names
}

// strict makes the commands that cobra adds refuse words that they do not know. All other
// commands have to be registered before.
func strict(root *cobra.Command) {
	root.SetHelpCommand(helpCommand())
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	completion.HardenFish(root)
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args = onlyCommands
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
	}
}

// badValue says what a flag takes, if that is what err is about.
func badValue(err error) (what, allowed string, ok bool) {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return "", "", false
	}
	flag := "--" + bad.GetFlag().Name
	var known *memory.Error
	if errors.As(err, &known) {
		return known.Message, nextSteps().Step(err), true
	}
	takes := map[string]string{"int": "a whole number", "float64": "a number", "bool": "true or false",
		"duration": "a time such as 30s"}[bad.GetFlag().Value.Type()]
	if takes != "" {
		takes = flag + " takes " + takes
	}
	return fmt.Sprintf("%q is not a value of %s", bad.GetValue(), flag), takes, true
}

// resembles returns the command of c that a word was probably meant for, or "".
func resembles(c *cobra.Command, word string) string {
	c.SuggestionsMinimumDistance = 1
	if found := c.SuggestionsFor(word); len(found) > 0 {
		return found[0]
	}
	return ""
}
