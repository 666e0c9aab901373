package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"ltm/engine/settings"
	"ltm/tests/golden"
)

// TestSurface compares what scripts and clients rely on with the checked-in lists: the commands with their flags, the
// tools with their parameters, and the settings.
func TestSurface(t *testing.T) {
	surface := golden.FindSurface(t)
	t.Chdir(t.TempDir())
	var keys []string
	for _, k := range settings.Keys() {
		keys = append(keys, k.Name+" "+k.Default.String())
	}
	for name, lines := range map[string][]string{
		"ltm": commandLines(commandTree()), "tools": toolLines(t), "settings": keys,
	} {
		t.Run(name, func(t *testing.T) { surface.Require(t, name, lines) })
	}
}

// commandLines lists the commands with their aliases, and the flags of each.
func commandLines(root *cobra.Command) []string {
	var lines []string
	walk(root, func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		lines = append(lines, strings.TrimSpace(c.CommandPath()+"  "+strings.Join(c.Aliases, " ")))
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			lines = append(lines, fmt.Sprintf("%s --%s -%s %s %q", c.CommandPath(), f.Name, f.Shorthand, f.Value.Type(),
				f.DefValue))
		})
	})
	return lines
}

// toolLines lists the tools of the server, each with its parameters.
func toolLines(t *testing.T) []string {
	t.Helper()
	var out, complaints bytes.Buffer
	list := `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	home := t.TempDir()
	status := run(context.Background(), []string{"mcp"}, strings.NewReader(initialize+"\n"+list+"\n"),
		&out, &complaints, func(name string) string { return map[string]string{"HOME": home}[name] })
	require.Zero(t, status, complaints.String())
	_, last, _ := strings.Cut(strings.TrimSpace(out.String()), "\n")
	var answer struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema struct{ Properties map[string]json.RawMessage }
				Annotations struct{ ReadOnlyHint bool }
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(last), &answer), out.String())
	var lines []string
	for _, tool := range answer.Result.Tools {
		reads := ""
		if tool.Annotations.ReadOnlyHint {
			reads = " (reads)"
		}
		lines = append(lines, tool.Name+reads)
		for name := range tool.InputSchema.Properties {
			lines = append(lines, tool.Name+" "+name)
		}
	}
	return lines
}
