package main

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ltm/cmd/internal/completion"
	"ltm/cmd/internal/helptext"
	"ltm/engine/transfer"
	"ltm/engine/transfer/forms"
	"ltm/hooks"
	"ltm/internal/didyoumean"
	"ltm/memory"
)

// helpText is what the help says of each command, as [helptext.Set] reads it.
//
//go:embed help.txt
var helpText string

// group is a heading in the help and the commands below it.
type group struct {
	id, title string
	commands  []string
}

// groups lists the commands as the help shows them. Commands that are not listed come last.
func groups() []group {
	return []group{
		{"daily", "Remember and recall:", []string{"remember", "recall", "list", "show", "pick", "review",
			"achievements"}},
		{"change", "Change memories:", []string{"update", "correct", "tidy", "edit", "tag", "alias", "pin", "unpin",
			"forget", "restore", "undo", "resolve"}},
		{"past", "Examine memories and their history:", []string{"archives", "log", "why", "stale", "verify", "graph",
			"history", "diff"}},
		{"store", "Set up and maintain the store:", []string{"init", "doctor", "status", "stats", "context", "ui",
			"check", "fix", "evict", "fade", "trust", "config", "user", "export", "import"}},
		{"signing", "Sign memories:", []string{"key", "sign", "verify-signature"}},
		{"handover", "Hand work over:", []string{"write", "resume", "packet"}},
		{"carry", "Share with other machines and people:", []string{"push", "pull", "save", "auth", "teams", "invite",
			"join", "server"}},
		{"plumbing", "Plumbing, run by Claude Code:", []string{mcpCommandName, hookCommand}},
	}
}

// usually returns the command for a word that other programs have for it, or "".
func usually(word string) string {
	for name, words := range map[string][]string{
		"remember": {"new", "create", "store"}, "recall": {"find", "query"}, "show": {"get", "read", "view"},
		"forget": {"delete", "remove"},
	} {
		if slices.Contains(words, word) {
			return name
		}
	}
	return ""
}

// arrange assigns groups, aliases and the texts of the help to the commands, and the flag --json.
func (a *app) arrange(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, g := range groups() {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, c := range root.Commands() {
			for _, name := range g.commands {
				if c.Name() == name {
					c.GroupID = g.id
				}
			}
		}
	}
	aliases := map[string]string{"list": "ls", "recall": "search", "remember": "add", "forget": "rm", "show": "cat",
		"restore": "unforget"} // under which other programs have them
	for _, c := range root.Commands() {
		if other := aliases[c.Name()]; other != "" {
			c.Aliases = append(c.Aliases, other)
		}
	}
	helptext.Set(root, strings.NewReplacer("{events}", strings.Join(hooks.Events(), ", "),
		"{forms}", strings.Join(each(forms.All(nil), transfer.Form.Name), ", ")).Replace(helpText))
	// What these print, and those below them, is not an answer.
	withoutJSON := []string{"help", "completion", hookCommand, mcpCommandName, "packet schema", "pick", "server", "ui",
		"user init"}
	walk(root, func(c *cobra.Command) {
		name := strings.TrimPrefix(c.CommandPath(), "ltm ")
		if c != root && !slices.ContainsFunc(withoutJSON, func(without string) bool {
			return name == without || strings.HasPrefix(name, without+" ")
		}) {
			c.Flags().BoolVar(&a.asJSON, "json", false, "print JSON")
		}
	})
}

// walk calls fn with a command and all below it.
func walk(c *cobra.Command, fn func(*cobra.Command)) {
	fn(c)
	for _, sub := range c.Commands() {
		walk(sub, fn)
	}
}

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
	for _, name := range []string{"init", "remember", "recall", "list", "show", "correct", "forget", "restore", "undo",
		"status", "ui", "doctor"} {
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

// unknownWord returns the command that the first words name, and the first word that does not name one.
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
	if known, ok := errors.AsType[*memory.Error](err); ok {
		return known.Message, nextSteps().Step(err), true
	}
	takes := map[string]string{"int": "a whole number", "float64": "a number", "bool": "true or false",
		"duration": "a time such as 30s"}[bad.GetFlag().Value.Type()]
	if takes != "" {
		takes = flag + " takes " + takes
	}
	return fmt.Sprintf("%q is not a value of %s", bad.GetValue(), flag), takes, true
}

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

// nearCommands returns the commands below c that a word was probably meant for, each by one name.
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
	quoted := each(names, func(name string) string { return strconv.Quote(prefix + name) })
	last := len(quoted) - 1
	if last == 0 {
		return quoted[0]
	}
	return strings.Join(quoted[:last], ", ") + " or " + quoted[last]
}

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
