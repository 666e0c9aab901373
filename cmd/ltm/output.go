package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aymanbagabas/go-osc52/v2"
	"github.com/spf13/cobra"

	"ltm/cmd/internal/companion"
	"ltm/cmd/internal/terminal"
	"ltm/internal/git/gitdir"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/text/safe"
)

// idColumn is the column of ids, which are never cut.
func idColumn(s terminal.Screen) terminal.Column {
	return terminal.Column{Title: "ID", Style: s.Dim, Whole: true}
}

// each returns what a function makes of each entry of a list.
func each[T, R any](list []T, of func(T) R) []R {
	all := make([]R, 0, len(list))
	for _, entry := range list {
		all = append(all, of(entry))
	}
	return all
}

// table prints rows: aligned and cut to the terminal's width for people, separated by tabs
// for pipes. The titles in the header have | between. The lines below follow, even if there are no rows.
func (a *app) table(header string, rows [][]string, below ...string) error {
	s := a.screen()
	var columns []terminal.Column
	for title := range strings.SplitSeq(header, "|") {
		column := terminal.Column{Title: title, Spare: slices.Contains([]string{"STATE", "TAGS", "WHY",
			"SOURCE", "PRIORITY", "PHASE", "TIME", "STATUS", "AUTHOR"}, title)}
		if title == "ID" {
			column = idColumn(s)
		}
		columns = append(columns, column)
	}
	if len(rows) > 0 {
		if err := a.rows(s, columns, rows); err != nil {
			return err
		}
	}
	if len(below) == 0 {
		return nil
	}
	return a.println(below...)
}

// tableOr is table, with what to tell a person if there are no rows.
func (a *app) tableOr(none, header string, rows [][]string) error {
	if len(rows) == 0 {
		fmt.Fprintln(a.stderr, none)
		return nil
	}
	return a.table(header, rows)
}

// rows prints a table for people, and for programs the rows alone, separated by tabs.
func (a *app) rows(s terminal.Screen, columns []terminal.Column, rows [][]string) error {
	if !s.Rich {
		return a.tabs(rows)
	}
	return a.println(s.Table(columns, rows)...)
}

// reasons prints rows of which the last field is a sentence: for people it is wrapped, below the others.
func (a *app) reasons(rows [][]string) error {
	s := a.screen()
	if !s.Rich {
		return a.tabs(rows)
	}
	for _, row := range rows {
		last := len(row) - 1
		head := terminal.Truncate(strings.Join(row[:last], "  "), s.Width)
		if err := a.println(append([]string{s.Bold(head)}, s.Indented(row[last], nil)...)...); err != nil {
			return err
		}
	}
	return nil
}

// tabs prints rows for programs.
func (a *app) tabs(rows [][]string) error {
	for _, row := range rows {
		if _, err := fmt.Fprintln(a.stdout, strings.Join(row, "\t")); err != nil {
			return err
		}
	}
	return nil
}

// printReceipt prints what a change did.
func (a *app) printReceipt(r api.Receipt) error {
	_, err := fmt.Fprintf(a.stdout, "%s\n", clean(say(r.Message)))
	return err
}

func (a *app) println(lines ...string) error {
	_, err := io.WriteString(a.stdout, strings.Join(lines, "\n")+"\n")
	return err
}

const (
	progressAfter = time.Second
	progressEvery = time.Second / 4
)

// progress shows on a terminal that something takes more than a second, until the function that it returns is called.
func (a *app) progress(what string) (done func()) {
	if !terminal.Is(a.stderr) {
		return func() {}
	}
	return terminal.Progress(a.stderr, "ltm: "+what, progressAfter, progressEvery)
}

// say returns a note with what to do next.
func say(n memory.Note) string {
	if !n.Advises() {
		return n.String()
	}
	return nextSteps().Say(n)
}

// clean makes text safe for a terminal. It may have several lines.
func clean(s string) string { return safe.Text(s) }

// cell makes text safe for a terminal, on one line.
func cell(s string) string { return safe.Line(s) }

// when says when something was: for people how long ago, in two or three characters.
func when(s terminal.Screen, t time.Time) string {
	if s.Rich {
		return age(time.Now(), t)
	}
	return t.UTC().Format(time.RFC3339)
}

// age returns how long ago something was, in two or three characters.
func age(now, t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	const day = 24 * time.Hour
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d < 14*day:
		return fmt.Sprintf("%dd", d/day)
	case d < 60*day:
		return fmt.Sprintf("%dw", d/(7*day))
	case d < 730*day:
		return fmt.Sprintf("%dmo", d*12/(365*day))
	}
	return fmt.Sprintf("%dy", d/(365*day))
}

func score(v float64) string { return fmt.Sprintf("%.2f", v) }

func day(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format(time.DateOnly)
}

func tagList(tags []string) string {
	if len(tags) == 0 {
		return "-"
	}
	return cell(strings.Join(tags, ","))
}

// colorMode is the value of --color.
type colorMode string

const (
	colorAuto   colorMode = "auto"   // on a terminal, unless NO_COLOR or TERM=dumb says otherwise
	colorAlways colorMode = "always" // what a terminal gets, in pipes too
	colorNever  colorMode = "never"
)

// set reads a mode.
func (m *colorMode) set(s string) error {
	switch v := colorMode(s); v {
	case colorAuto, colorAlways, colorNever:
		*m = v
		return nil
	}
	return invalid("allowed: auto, always, never", "%q is no way to color", s)
}

// defaultWidth is used when neither the terminal nor COLUMNS has a width.
const defaultWidth = 100

// screen returns how the standard output is to look.
func (a *app) screen() terminal.Screen {
	tty := terminal.Is(a.stdout)
	s := terminal.Screen{Rich: tty || a.color == colorAlways}
	switch a.color {
	case colorAlways:
		s.Color = true
	case colorNever:
	default:
		s.Color = tty && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb" && terminal.EnableColor(a.stdout)
	}
	if s.Rich {
		s.Width = max(terminal.MinWidth, a.width())
	}
	return s
}

// width returns the columns of the standard output.
func (a *app) width() int {
	if w := terminal.Width(a.stdout); w > 0 {
		return w
	}
	if w, err := strconv.Atoi(a.getenv("COLUMNS")); err == nil && w > 0 {
		return w
	}
	return defaultWidth
}

// defaultPager is used if the environment does not name a pager.
const defaultPager = "less"

// page makes a command write to a pager if its output is text on a terminal. The pager starts at the first output.
func (a *app) page(c *cobra.Command) {
	paged := []string{"ltm recall", "ltm list", "ltm show", "ltm archives", "ltm archives list", "ltm log", "ltm why",
		"ltm history", "ltm diff", "ltm tag", "ltm tag list", "ltm check", "ltm context", "ltm graph", "ltm stats"}
	switch {
	case a.noPager || a.asJSON || !slices.Contains(paged, c.CommandPath()) || !terminal.Is(a.stdout):
		return
	case slices.Contains([]string{"", "dumb"}, a.getenv("TERM")): // its cursor cannot be moved
		return
	}
	argv := a.pagerCommand()
	if len(argv) == 0 {
		return
	}
	stderr := a.stderr
	a.pager = &terminal.Pager{Argv: argv, Env: a.pagerEnvironment(), Terminal: a.stdout, Complain: stderr,
		Failed: func(err error) {
			fmt.Fprintf(stderr,
				"ltm: cannot start the pager: %s; LTM_PAGER names another one, and \"cat\" turns paging off\n",
				cell(err.Error()))
		}}
	a.stdout = a.pager
	if terminal.Is(stderr) {
		a.stderr = a.pager.Beside()
	}
}

// pagerCommand returns the pager and its arguments, or nothing. It is never a program in the repository.
func (a *app) pagerCommand() []string {
	named := cmp.Or(strings.TrimSpace(a.getenv("LTM_PAGER")), strings.TrimSpace(a.getenv("PAGER")))
	argv := splitCommand(cmp.Or(named, defaultPager))
	if len(argv) == 0 || argv[0] == "cat" {
		return nil
	}
	program := a.trustedProgram(argv[0])
	if program == "" {
		if named != "" {
			fmt.Fprintf(a.stderr,
				"ltm: the pager %q was not found outside the project; LTM_PAGER names another one, "+
					"and \"cat\" turns paging off\n", cell(argv[0]))
		}
		return nil
	}
	return append([]string{program}, argv[1:]...)
}

// pagerEnvironment makes less exit if everything fits on the screen, keep colors, and leave
// the text there, as git does.
func (a *app) pagerEnvironment() []string {
	env := os.Environ()
	if a.getenv("LESS") == "" {
		env = append(env, "LESS=FRX")
	}
	if a.getenv("LV") == "" {
		env = append(env, "LV=-c")
	}
	return env
}

// trustedProgram finds a program outside the work tree, by its name on the PATH or by its absolute path, or returns "".
func (a *app) trustedProgram(name string) string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	path := a.getenv("PATH")
	if filepath.Base(name) != name {
		if !filepath.IsAbs(name) {
			return ""
		}
		path, name = filepath.Dir(name), filepath.Base(name)
	}
	return companion.OnPath(name, []string{"PATH=" + path}, cmp.Or(gitdir.Top(dir), a.projectDir()))
}

// copyText asks the terminal to put a text into its clipboard (OSC 52), which also works through ssh. Terminals do not
// say whether they did.
func (a *app) copyText(text string) error {
	for _, w := range []io.Writer{a.stderr, a.stdout} {
		if !terminal.Is(w) || a.getenv("TERM") == "dumb" {
			continue
		}
		sequence := osc52.New(text)
		switch {
		case a.getenv("TMUX") != "":
			sequence = sequence.Tmux()
		case a.getenv("STY") != "":
			sequence = sequence.Screen()
		}
		_, err := sequence.WriteTo(w)
		return err
	}
	return invalid("leave out --copy and copy what is printed", "there is no clipboard here")
}
