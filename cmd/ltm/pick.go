package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"ltm/api"
	"ltm/engine"
	"ltm/internal/advice"
	"ltm/internal/gitstore"
	"ltm/internal/picker"
	"ltm/internal/terminal"
)

func (a *app) pickCommand() *cobra.Command {
	f := api.ListFilter{Limit: everything}
	var own bool
	c := &cobra.Command{
		Use:   "pick [QUERY...]",
		Short: "Pick memories from an interactive list, and print their ids",
		Long: `Pick memories from an interactive list, and print their ids. Type parts of a topic, tag or id to
narrow the list. Tab marks a memory, Enter prints the ids of the marked ones, one per line, and Esc
quits. The list is drawn on the terminal, so the ids can go into a pipe.

If fzf is installed outside the project, it shows the list, unless --own is given. A preview does
not count as an access.`,
	}
	tagFlag(c, &f.Tags, "only memories with this tag; if repeated, with all of them")
	c.Flags().BoolVar(&own, "own", false, "use ltm's own list even if fzf is installed")
	include := includeFlags(c)
	c.RunE = func(c *cobra.Command, given []string) (err error) {
		if f.Include, err = include(); err != nil {
			return err
		}
		if !terminal.Is(a.stdin) || !terminal.Is(a.stderr) {
			return invalid("ltm list and ltm recall find memories without one", "picking takes a terminal")
		}
		return a.pick(c.Context(), f, strings.Join(given, " "), own)
	}
	return c
}

func (a *app) pick(ctx context.Context, f api.ListFilter, query string, own bool) error {
	e := a.shelves(lockWait)
	f.Scope, f.AnyAgent = a.scope, true
	list, err := e.List(ctx, f)
	if err != nil {
		return err
	}
	if list.Total == 0 {
		fmt.Fprintln(a.stderr, "no memories")
		return errQuiet
	}
	var ids []string
	if fzf := a.fzf(own); fzf != "" {
		ids, err = a.pickWithFzf(ctx, fzf, list, f.Include, query)
	} else {
		ids, err = a.pickHere(ctx, e, list, query)
	}
	switch {
	case err != nil:
		return err
	case len(ids) == 0:
		return errQuiet
	}
	return a.println(ids...)
}

// pickLine returns the line of a memory in a list to pick from.
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

// pickHere shows ltm's own list on the terminal, and returns the ids that were picked.
func (a *app) pickHere(ctx context.Context, e *engine.Shelves, list api.Listing, query string) ([]string, error) {
	items := make([]picker.Item, 0, len(list.Memories))
	archived := map[string]bool{}
	for _, m := range list.Memories {
		items = append(items, picker.Item{Value: string(m.ID), Text: pickLine(m)})
		archived[string(m.ID)] = m.Archived
	}
	keyboard, ok := terminal.OpenKeyboard(ctx, a.stdin)
	if !ok {
		return nil, invalid("ltm list and ltm recall find memories without one",
			"this terminal does not report single keys")
	}
	defer keyboard.Close()
	return terminal.Pick(keyboard, a.stderr, picker.New(items, query), func(id string, width int) []string {
		return previewOf(ctx, e, id, archived[id], width)
	}), nil
}

// previewOf returns the lines of a memory. A preview does not count as an access.
func previewOf(ctx context.Context, e *engine.Shelves, id string, archived bool, width int) []string {
	read := e.Peek
	if archived {
		read = e.PeekArchive
	}
	d, err := read(ctx, id)
	if err != nil {
		return terminal.Wrap(cell(nextSteps().Tell(err, advice.Reading)), width)
	}
	s := terminal.Screen{Rich: true, Width: max(terminal.MinWidth, width)}
	return richMemory(s, d, gitstore.Authorship{}, time.Now())
}
