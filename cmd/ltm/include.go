package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/terminal"
	"ltm/memory/api"
)

// includeFlags adds --archives and --all to a command, and returns what says which
// of them was given.
func includeFlags(c *cobra.Command) func() (api.Include, error) {
	archives := c.Flags().Bool("archives", false, "memories that are out of sight, forgotten or superseded")
	all := c.Flags().Bool("all", false, "those in sight, and those too")
	return func() (api.Include, error) {
		switch {
		case *archives && *all:
			return "", invalid("give one of them", "--archives and --all were both given")
		case *archives:
			return api.IncludeArchives, nil
		case *all:
			return api.IncludeAll, nil
		}
		return api.IncludeActive, nil
	}
}

// archivesListCommand is list --archives under another name.
func (a *app) archivesListCommand() *cobra.Command {
	c := a.listCommand()
	c.Short = `List memories that are out of sight, forgotten or superseded: "ltm list --archives"`
	archives := c.Flags().Lookup("archives")
	archives.Hidden = true
	c.PreRunE = func(*cobra.Command, []string) error {
		if c.Flags().Changed("all") {
			return nil // as list --all, which has the archives too
		}
		return archives.Value.Set("true")
	}
	return c
}

// printIncluded prints a listing that has archives in it: a row says which ones,
// and since when.
func (a *app) printIncluded(list api.Listing) error {
	if len(list.Memories) == 0 {
		a.sayNone("archives", list)
		return nil
	}
	screen, now := a.screen(), time.Now()
	rows := make([][]string, 0, len(list.Memories))
	for _, m := range list.Memories {
		when := "-"
		switch {
		case m.ArchivedAt != nil && screen.Rich:
			when = age(now, *m.ArchivedAt)
		case m.ArchivedAt != nil:
			when = day(*m.ArchivedAt)
		}
		row := []string{string(m.ID), m.State(), score(m.Priority), when}
		if screen.Rich {
			row = append(row, m.Category.Short())
		} else {
			row = append(row, tagList(m.Tags))
		}
		row = append(row, topicCell(screen, m))
		if !screen.Rich {
			row = withScope(row, m.Whose)
		}
		rows = append(rows, row)
	}
	if err := a.printIncludedRows(screen, rows); err != nil {
		return err
	}
	if list.HasMore {
		fmt.Fprintf(a.stderr, "%d of %d; --offset shows the next\n", len(list.Memories), list.Total)
	}
	return nil
}

func (a *app) printIncludedRows(s terminal.Screen, rows [][]string) error {
	if !s.Rich {
		return a.tabs(rows)
	}
	return a.println(s.Table(withMarks([]terminal.Column{
		idColumn(s), {Title: "STATE"}, {Title: "PRIO", Spare: true, Right: true},
		{Title: "SINCE", Spare: true, Right: true, Style: s.Dim},
		{Title: kindTitle, Spare: true}, {Title: "TOPIC"},
	}, rows))...)
}

// since says since when a memory is in the archives, as far as that is known.
func since(at *time.Time) string {
	if at == nil {
		return ""
	}
	return day(*at)
}
