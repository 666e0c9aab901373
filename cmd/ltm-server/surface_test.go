package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ltm/tests/golden"
)

// TestSurface compares the commands and their flags with the checked-in list.
func TestSurface(t *testing.T) {
	a := &app{stdin: strings.NewReader(""), stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{},
		getenv: func(string) string { return "" }, now: time.Now, sources: map[string]string{}}
	var lines []string
	var list func(c *cobra.Command)
	list = func(c *cobra.Command) {
		lines = append(lines, strings.TrimSpace(c.CommandPath()+"  "+strings.Join(c.Aliases, " ")))
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			lines = append(lines, fmt.Sprintf("%s --%s -%s %s %q", c.CommandPath(), f.Name, f.Shorthand, f.Value.Type(),
				f.DefValue))
		})
		for _, sub := range c.Commands() {
			list(sub)
		}
	}
	list(a.rootCommand())
	golden.FindSurface(t).Require(t, "ltm-server", lines)
}
