package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// commandTree is the tree of commands of a program that does nothing.
func commandTree() *cobra.Command {
	a := &app{stdin: strings.NewReader(""), stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{},
		getenv: func(string) string { return "" }, color: colorAuto}
	return a.rootCommand()
}

// available lists a command and all below it that people see.
func available(root *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	walk(root, func(c *cobra.Command) {
		if c == root || c.IsAvailableCommand() || c.Name() == "help" {
			all = append(all, c)
		}
	})
	return all
}

// ltmParts returns the words of each call of ltm in a line for a shell: the parts of a
// pipe, without comments and redirections.
func ltmParts(line string) [][]string {
	line, _, _ = strings.Cut(line, "  # ")
	var parts [][]string
	var words []string
	end := func() {
		if len(words) > 0 && words[0] == "ltm" {
			parts = append(parts, words[1:])
		}
		words = nil
	}
	all := splitCommand(line)
	for i := 0; i < len(all); i++ {
		switch all[i] {
		case "|":
			end()
		case "<", ">", ">>":
			i++
		default:
			words = append(words, all[i])
		}
	}
	end()
	return parts
}

func TestLtmParts(t *testing.T) {
	require.Equal(t, [][]string{{"list", "--tag", "a b"}, {"show", "-"}},
		ltmParts(`ltm list --tag 'a b' | grep x | ltm show - < in > out   # why`))
	require.Nil(t, ltmParts("claude mcp add ltm -- ltm mcp"))
}

// TestEveryCommandHasExamples parses the two or three examples of every command's help, which has no texts for others.
func TestEveryCommandHasExamples(t *testing.T) {
	require.Len(t, available(commandTree()), strings.Count("\n"+helpText, "\n# "))
	for _, c := range available(commandTree()) {
		t.Run(c.CommandPath(), func(t *testing.T) {
			require.NotEmpty(t, c.Short)
			lines := strings.Split(c.Example, "\n")
			require.GreaterOrEqual(t, len(lines), 2, "examples")
			require.LessOrEqual(t, len(lines), 3)
			for _, line := range lines {
				require.True(t, strings.HasPrefix(line, "  ") && strings.TrimSpace(line) != "", "%q", line)
				require.Contains(t, line, "ltm")
				for _, words := range ltmParts(strings.TrimSpace(line)) {
					requireParses(t, words)
				}
			}
			require.Contains(t, c.Example, c.CommandPath())
		})
	}
}

// requireParses looks up the command and the flags of a call, and checks how many
// arguments it has.
func requireParses(t *testing.T, words []string) {
	t.Helper()
	found, rest, err := commandTree().Find(words)
	require.NoError(t, err, "%v", words)
	require.NoError(t, found.ParseFlags(rest), "%v", words)
	require.NoError(t, found.ValidateArgs(found.Flags().Args()), "%v", words)
	require.True(t, found.Runnable(), "%v", words)
}

// TestEveryCommandIsInAGroup looks at the headings of the help.
func TestEveryCommandIsInAGroup(t *testing.T) {
	root := commandTree()
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && !slices.Contains([]string{"help", "completion", "version"}, c.Name()) {
			require.NotEmpty(t, c.GroupID, c.Name())
		}
	}
	var out bytes.Buffer
	root.SetOut(&out)
	require.NoError(t, root.Help())
	_, plumbing, ok := strings.Cut(out.String(), "\nPlumbing, run by Claude Code:\n")
	require.True(t, ok)
	require.Regexp(t, `^  hook .*\n  mcp .*\n\n`, plumbing)
}

// TestNamesAreUnique finds an alias that is another command's name.
func TestNamesAreUnique(t *testing.T) {
	for _, c := range available(commandTree()) {
		names := namesBelow(c)
		slices.Sort(names)
		require.Equal(t, slices.Compact(slices.Clone(names)), names, c.CommandPath())
	}
}
