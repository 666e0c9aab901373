package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/internal/advice"
)

// manCommand writes the manual pages. It does not use cobra's generator, which compiles
// regular expressions whenever the program starts: hooks start at every tool call.
func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write the manual pages of all commands to a directory",
		Hidden: true,
		Args:   arguments(1, "a directory"),
		RunE: func(c *cobra.Command, given []string) error {
			pages := manual(c.Root(), a.sourceDate())
			for name, text := range pages {
				if err := os.WriteFile(filepath.Join(given[0], name), []byte(text), 0o644); err != nil {
					return advice.With(copyFailed("cannot write the manual", err), "the directory must exist")
				}
			}
			return nil
		},
	}
}

// sourceDate returns the date of the pages from SOURCE_DATE_EPOCH, so that the same source
// gives the same bytes, or "".
func (a *app) sourceDate() string {
	seconds, err := strconv.ParseInt(a.getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return ""
	}
	return time.Unix(seconds, 0).UTC().Format(time.DateOnly)
}

// manual returns a page for the program and for each command, by file name.
func manual(root *cobra.Command, date string) map[string]string {
	pages := map[string]string{}
	walk(root, func(c *cobra.Command) {
		if c == root || (c.IsAvailableCommand() && c.Name() != "help") {
			pages[manName(c)+".1"] = manPage(c, date)
		}
	})
	return pages
}

// manName returns the name of a command's page, such as ltm-recall.
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

func manPage(c *cobra.Command, date string) string {
	var b strings.Builder
	name := manName(c)
	fmt.Fprintf(&b, ".TH %s 1 %q \"ltm %s\"\n", roff(strings.ToUpper(name)), date, version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(c.UseLine()))
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, ".br\n.B %s\n", roff(c.CommandPath()+" COMMAND"))
	}
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", roffText(c))
	if c.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(sub.Name()), roff(sub.Short))
			}
		}
	}
	for _, part := range []struct{ title, flags string }{
		{"OPTIONS", c.NonInheritedFlags().FlagUsages()}, {"OPTIONS OF ALL COMMANDS", c.InheritedFlags().FlagUsages()},
	} {
		if part.flags != "" {
			fmt.Fprintf(&b, ".SH %s\n.nf\n%s\n.fi\n", part.title, roff(strings.TrimRight(part.flags, "\n")))
		}
	}
	if c.HasExample() {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	if c.HasParent() {
		fmt.Fprintf(&b, ".SH SEE ALSO\n.BR %s (1)\n", roff(manName(c.Parent())))
	}
	return b.String()
}

// roffText returns a command's description, with its paragraphs marked.
func roffText(c *cobra.Command) string {
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	return strings.ReplaceAll(roff(text), "\n\n", "\n.PP\n")
}

// roff escapes characters that are special to troff.
func roff(s string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
