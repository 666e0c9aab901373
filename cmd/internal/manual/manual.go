// Package manual writes the manual pages of a program from its commands.
//
// It does not use cobra's generator, which compiles regular expressions whenever the program
// starts: hooks start at every tool call.
package manual

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// Date returns the date of the pages from the value of SOURCE_DATE_EPOCH, so that the same source
// gives the same bytes, or "".
func Date(epoch string) string {
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return ""
	}
	return time.Unix(seconds, 0).UTC().Format(time.DateOnly)
}

// Pages returns a page in section 1 for the program and for each command, by file name. The release
// is the program's name and version.
func Pages(root *cobra.Command, release, date string) map[string]string {
	pages := map[string]string{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c == root || (c.IsAvailableCommand() && c.Name() != "help") {
			pages[name(c)+".1"] = page(c, release, date)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	return pages
}

// name returns the name of a command's page, such as ltm-recall.
func name(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

func page(c *cobra.Command, release, date string) string {
	var b strings.Builder
	name := name(c)
	fmt.Fprintf(&b, ".TH %s 1 %q %q\n", roff(strings.ToUpper(name)), date, release)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(c.UseLine()))
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, ".br\n.B %s\n", roff(c.CommandPath()+" COMMAND"))
	}
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", description(c))
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
		fmt.Fprintf(&b, ".SH SEE ALSO\n.BR %s (1)\n", roff(strings.ReplaceAll(c.Parent().CommandPath(), " ", "-")))
	}
	return b.String()
}

// description returns a command's description, with its paragraphs marked.
func description(c *cobra.Command) string {
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
