package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/memory/api"
	"ltm/setup"
)

func (a *app) pickCommand() *cobra.Command {
	f := api.ListFilter{Limit: everything}
	var own bool
	c := &cobra.Command{Use: "pick [QUERY...]"}
	tagFlag(c, &f.Tags, "only memories with this tag; if repeated, with all of them")
	c.Flags().BoolVar(&own, "own", false, "number the list even if fzf is installed")
	include := includeFlags(c)
	c.RunE = func(c *cobra.Command, given []string) (err error) {
		if f.Include, err = include(); err != nil {
			return err
		}
		if !a.asks() {
			return invalid("ltm list and ltm recall find memories without one", "picking takes a terminal")
		}
		return a.pick(c.Context(), f, strings.Join(given, " "), own)
	}
	return c
}

func (a *app) pick(ctx context.Context, f api.ListFilter, query string, own bool) error {
	f.Scope, f.AnyAgent = a.scope, true
	list, err := a.shelves(lockWait).List(ctx, f)
	if err != nil {
		return err
	}
	if list.Total == 0 {
		fmt.Fprintln(a.stderr, "no memories")
		return errQuiet
	}
	// On Windows, previews would need commands for another shell.
	fzf := a.trustedProgram("fzf")
	if fzf != "" && !own && runtime.GOOS != "windows" {
		return a.pickWithFzf(ctx, fzf, list, f.Include, query)
	}
	found := slices.DeleteFunc(list.Memories, func(m api.Entry) bool { return !hasWords(pickLine(m), query) })
	if len(found) == 0 {
		fmt.Fprintln(a.stderr, "no memories match")
		return errQuiet
	}
	numbers, err := a.pickByNumber(each(found, pickLine), "Numbers, with spaces between (Enter leaves)")
	if err != nil {
		return err
	}
	return a.printPicked(each(numbers, func(n int) string { return string(found[n].ID) }))
}

// printPicked prints ids. Without any the command fails.
func (a *app) printPicked(ids []string) error {
	if len(ids) == 0 {
		return errQuiet
	}
	return a.println(ids...)
}

// pickLine returns the line of a memory in a list to pick from. It begins with the id.
func pickLine(m api.Entry) string {
	line := string(m.ID) + "  " + scopedTopic(m.Topic, m.Whose)
	if len(m.Tags) > 0 {
		line += "  [" + tagList(m.Tags) + "]"
	}
	if m.Archived {
		line += "  " + m.State()
	}
	return line
}

// hasWords reports whether a line contains every word of a query, in upper or lower case.
func hasWords(line, query string) bool {
	line = strings.ToLower(line)
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(query)),
		func(word string) bool { return !strings.Contains(line, word) })
}

// mostNumbered is how many lines a numbered list has.
const mostNumbered = 50

// pickByNumber shows a numbered list on the terminal, and returns the indexes of the lines whose numbers a person
// types: none for an empty answer.
func (a *app) pickByNumber(lines []string, question string) ([]int, error) {
	shown := lines[:min(len(lines), mostNumbered)]
	width := max(terminal.MinWidth, terminal.Width(a.stderr)-len("  1  "))
	for i, line := range shown {
		fmt.Fprintf(a.stderr, "%3d  %s\n", i+1, terminal.Truncate(line, width))
	}
	if more := len(lines) - len(shown); more > 0 {
		fmt.Fprintf(a.stderr, "and %d more\n", more)
	}
	fmt.Fprintf(a.stderr, "%s: ", question)
	answer, err := a.readLine()
	if err != nil {
		return nil, err
	}
	var picked []int
	for _, text := range strings.Fields(answer) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > len(shown) {
			return nil, invalid(fmt.Sprintf("give numbers from 1 to %d", len(shown)), "%q is not in the list", text)
		}
		picked = append(picked, n-1)
	}
	return picked, nil
}

// fzfFailed is the lowest exit status of fzf that means failure, except for 130: the person
// quit. 1 means that nothing was picked.
const fzfFailed = 2

// pickWithFzf lets fzf show the list, and prints the ids that were picked.
func (a *app) pickWithFzf(ctx context.Context, program string, list api.Listing, include api.Include,
	query string) error {
	argv := []string{"--multi", "--layout=reverse", "--query=" + query}
	if preview := a.previewCommand(include); preview != "" {
		argv = append(argv, "--preview="+preview, "--preview-window=wrap")
	}
	cmd := exec.CommandContext(ctx, program, argv...)
	var out bytes.Buffer
	cmd.Stdin = strings.NewReader(strings.Join(each(list.Memories, pickLine), "\n") + "\n")
	cmd.Stdout, cmd.Stderr = &out, a.stderr
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && (exit.ExitCode() < fzfFailed || exit.ExitCode() == 130) {
		return errQuiet
	}
	if err != nil {
		return unusable("--own does without it", "fzf failed", err)
	}
	return a.printPicked(firstWords(out.String()))
}

// previewCommand returns the command line that fzf has a shell run for the item at its
// cursor, or "". fzf quotes the id.
func (a *app) previewCommand(include api.Include) string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	ltm := setup.ShellWord(self)
	if a.dir != "" {
		ltm += " -C ." // the directory of this process, whatever the environment says
	}
	switch show := ltm + " show --no-pager "; include {
	case api.IncludeArchives:
		return show + "--archives {1}"
	case api.IncludeAll:
		return show + "{1} 2>/dev/null || " + show + "--archives {1}"
	default:
		return show + "{1}"
	}
}
