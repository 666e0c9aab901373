package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"ltm/memory/advice"
)

// TestWordsAreCommands looks up every command and flag in the next steps.
func TestWordsAreCommands(t *testing.T) {
	root := (&app{}).rootCommand()
	named := regexp.MustCompile(`\bltm ((?:[a-z]+ )*[a-z]+)`)
	flags := regexp.MustCompile(`--[a-z][a-z-]*`)
	for kind, line := range nextSteps() {
		for _, match := range named.FindAllStringSubmatch(line, -1) {
			first := strings.Fields(match[1])[0]
			if slices.Contains([]string{"leaves"}, first) || strings.HasSuffix(line, "update ltm") {
				continue
			}
			c, _, err := root.Find([]string{first})
			require.NoError(t, err, "%s: %s", kind, line)
			require.NotEqual(t, root, c)
		}
		for _, flag := range flags.FindAllString(line, -1) {
			require.True(t, anyFlag(root, strings.TrimPrefix(flag, "--")), "%s: %s", kind, line)
		}
	}
}

func anyFlag(c *cobra.Command, name string) bool {
	return c.Flags().Lookup(name) != nil || slices.ContainsFunc(c.Commands(),
		func(sub *cobra.Command) bool { return anyFlag(sub, name) })
}

// TestOperations holds the list of commands that write to those that there are, and says
// of the others that they read.
func TestOperations(t *testing.T) {
	var all, reads []string
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		name := strings.TrimPrefix(c.CommandPath(), "ltm ")
		if all = append(all, name); operation(c) == advice.Reading {
			reads = append(reads, name)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk((&app{}).rootCommand())
	for _, name := range writers() {
		require.Contains(t, all, name)
	}
	slices.Sort(reads)
	require.Equal(t, []string{"alias", "archives", "archives list", "auth ls", "auth whoami", "check", "completion",
		"completion bash", "completion fish", "completion powershell", "completion zsh", "config", "context", "diff",
		"doctor", "export", "graph", "help", "history", "hook", "invite ls", "key", "key list", "key show", "list",
		"log", "ltm", "mcp", "packet", "packet chain", "packet diff", "packet fix", "packet ls", "packet schema",
		"packet search", "packet show", "packet validate", "pick", "recall", "resume", "server", "show", "stale",
		"stats", "status", "tag", "tag list", "teams",
		"teams ls", "teams members", "trust", "ui", "user", "verify-signature", "version", "why"}, reads,
		"with neither arguments nor flags")
}
