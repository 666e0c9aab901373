package main

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ltm/hooks"
)

// helpText is what the help says of each command: a line with "# " and the command, one with what it does, then perhaps
// a blank line and the whole text, and "Examples:" with the examples.
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
		{"daily", "Remember and recall:", []string{"remember", "recall", "list", "show", "pick", "achievements"}},
		{"change", "Change memories:", []string{"update", "correct", "edit", "tag", "alias", "pin", "unpin", "forget",
			"restore", "undo", "resolve"}},
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

// aliases returns other names for commands, under which other programs have them.
func aliases() map[string]string {
	return map[string]string{"list": "ls", "recall": "search", "remember": "add", "forget": "rm", "show": "cat",
		"restore": "unforget"}
}

// daily lists the commands of the first screen.
func daily() []string {
	return []string{"init", "remember", "recall", "list", "show", "correct", "forget", "restore", "undo", "status",
		"ui", "doctor"}
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

// withoutJSON lists the commands without --json, with those below them: what they print is not an answer.
func withoutJSON() []string {
	return []string{"help", "completion", hookCommand, mcpCommandName, "pick", "server", "ui", "user init"}
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
	for _, c := range root.Commands() {
		if other := aliases()[c.Name()]; other != "" {
			c.Aliases = append(c.Aliases, other)
		}
	}
	texts := strings.NewReplacer("{events}", strings.Join(hooks.Events(), ", "),
		"{forms}", strings.Join(formNames(), ", ")).Replace("\n" + helpText)
	known := map[string]string{}
	for part := range strings.SplitSeq(texts, "\n# ") {
		path, text, _ := strings.Cut(part, "\n")
		known[path] = text
	}
	walk(root, func(c *cobra.Command) {
		text, examples, _ := strings.Cut(known[c.CommandPath()], "Examples:\n")
		short, long, _ := strings.Cut(text, "\n\n")
		c.Example = strings.TrimRight(examples, "\n")
		if short != "" { // cobra has texts of its own commands
			c.Short, c.Long = strings.TrimSpace(short), strings.TrimSpace(long)
		}
		name := strings.TrimPrefix(c.CommandPath(), "ltm ")
		if c != root && !slices.ContainsFunc(withoutJSON(), func(without string) bool {
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
