package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/memory"
	"ltm/memory/api"
)

func (a *app) listCommand() *cobra.Command {
	var f api.ListFilter
	var phase, importance string
	c := &cobra.Command{
		Use:   "list",
		Short: "List memories, highest priority first",
		Args:  noArguments(),
	}
	c.Flags().StringVar(&phase, "phase", "", "only memories in this phase: "+memory.PhaseNames)
	tagFlag(c, &f.Tags, "only memories with this tag; if repeated, with all of them")
	c.Flags().StringVar(&importance, "importance", "",
		"only memories of this importance: critical, important, normal or low")
	kindFlag(c, &f.Category, onlyOfKind)
	agentFlag(c, &f.Agent, onlyOfAgent)
	grouped := groupFlag(c)
	c.Flags().StringVar(&f.Keyword, "keyword", "", "only memories with this text in their topic or tags")
	c.Flags().IntVar(&f.Limit, "limit", 50, "maximum number of memories to show, up to 100000; 0 for all")
	c.Flags().IntVar(&f.Offset, "offset", 0, "number of memories to skip")
	long := c.Flags().Bool("long", false, "also show difficulty, last access and authors")
	include, order := includeFlags(c), orderFlags(c, &f)
	c.RunE = func(c *cobra.Command, _ []string) (err error) {
		if f.Include, err = include(); err != nil {
			return err
		}
		if err := order(); err != nil {
			return err
		}
		if phase != "" {
			p, err := memory.ParsePhase(phase)
			if err != nil {
				return err
			}
			f.Phase = &p
		}
		if importance != "" {
			level, err := memory.ParseImportance(importance)
			if err != nil {
				return err
			}
			f.Importance = level
		}
		inGroups, err := grouped()
		if err != nil {
			return err
		}
		if err := checkRange("--limit", f.Limit, 0, 100000); err != nil {
			return err
		}
		if f.Limit == 0 {
			f.Limit = everything
		}
		if err := checkRange("--offset", f.Offset, 0, 1<<30); err != nil {
			return err
		}
		done := a.progress("reading the memories")
		f.Scope = a.scope
		list, err := a.shelves(lockWait).List(c.Context(), f)
		done()
		if err != nil {
			return err
		}
		if !a.asJSON {
			a.sayLeftOut(f, list)
		}
		print := a.listPrinter(c.Context(), f.Include, *long)
		if inGroups && !a.asJSON {
			return a.byKind(list, print)
		}
		return print(list)
	}
	return c
}

// sayLeftOut says which memories a listing does not have, and how to get them.
func (a *app) sayLeftOut(f api.ListFilter, list api.Listing) {
	if n := list.OfAgents; n > 0 {
		fmt.Fprintf(a.stderr, "not listed, because for sessions of an agent: %d; --agent NAME lists them\n", n)
	}
	if f.Phase != nil && *f.Phase == memory.Removed {
		fmt.Fprintln(a.stderr, "what was forgotten or superseded: ltm list --archives")
	}
}

// listPrinter returns what prints a listing.
func (a *app) listPrinter(ctx context.Context, include api.Include, long bool) func(api.Listing) error {
	switch {
	case long:
		return func(l api.Listing) error { return a.listWithAuthors(ctx, l) }
	case a.asJSON:
		return func(l api.Listing) error { return a.printJSON(l) }
	case include != api.IncludeActive:
		return a.printIncluded
	}
	return a.printList
}

// sayNone says that a listing is empty, and whether that is because of its offset.
func (a *app) sayNone(what string, list api.Listing) {
	if list.Total == 0 {
		fmt.Fprintln(a.stderr, "no "+what)
		return
	}
	fmt.Fprintf(a.stderr, "nothing at this --offset: there are %d\n", list.Total)
}

func (a *app) printList(list api.Listing) error {
	if len(list.Memories) == 0 {
		a.sayNone("memories", list)
		return nil
	}
	rows := make([][]string, 0, len(list.Memories))
	screen, now := a.screen(), time.Now()
	for _, m := range list.Memories {
		row := []string{string(m.ID), m.State(), score(m.Priority)}
		if screen.Rich {
			row = append(row, levelText(m.Importance, m.Marks), m.Category.Short(),
				age(now, m.CreatedAt.Time),
				scopedTopic(m.Topic, m.Whose))
			if screen.Width >= tagsWidth {
				row = append(row, tagList(m.Tags))
			}
		} else {
			row = withScope(append(row, day(m.CreatedAt.Time), tagList(m.Tags), cell(m.Topic)), m.Whose)
		}
		rows = append(rows, row)
	}
	if err := a.printMemories(screen, rows); err != nil {
		return err
	}
	if list.HasMore {
		fmt.Fprintf(a.stderr, "%d of %d; --offset shows more\n", len(list.Memories), list.Total)
	}
	return nil
}

// The topic says more than the tags, so tags are shown on wide terminals only, and narrow.
const (
	tagsWidth = 100
	mostTags  = 24
)

func (a *app) printMemories(s terminal.Screen, rows [][]string) error {
	if !s.Rich {
		return a.tabs(rows)
	}
	columns := []terminal.Column{
		idColumn(s), {Title: "STATE", Spare: true}, {Title: "PRIO", Spare: true, Right: true},
		{Title: levelTitle, Spare: true}, {Title: kindTitle, Spare: true},
		{Title: "AGE", Spare: true, Right: true, Style: s.Dim}, {Title: "TOPIC"},
		{Title: "TAGS", Spare: true, Most: mostTags, Style: s.Dim},
	}
	return a.println(s.Table(withMarks(columns[:len(rows[0])], rows))...)
}

// The titles of the columns of importance and kind, which most memories do not have.
const (
	levelTitle = "LEVEL"
	kindTitle  = "KIND"
)

// withMarks drops each of those columns that is empty in every row, to leave the room to the
// topic.
func withMarks(columns []terminal.Column, rows [][]string) ([]terminal.Column, [][]string) {
	for _, title := range []string{levelTitle, kindTitle} {
		at := slices.IndexFunc(columns, func(c terminal.Column) bool { return c.Title == title })
		if at < 0 || slices.ContainsFunc(rows, func(row []string) bool { return row[at] != "" }) {
			continue
		}
		for i, row := range rows {
			rows[i] = slices.Delete(row, at, at+1)
		}
		columns = slices.Delete(columns, at, at+1)
	}
	return columns, rows
}
