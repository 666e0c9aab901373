package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/past"
	"ltm/cmd/internal/terminal"
	"ltm/memory/api"
)

// shownHash is how many characters of a commit's hash people see.
const shownHash = 10

func (a *app) historyCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use:   "history ID",
		Short: "Show the history of a memory: its commits, and this clone's log",
		Long: `Show the history of a memory, newest first: the commits on the current branch that changed its file,
with their authors, and its entries in this clone's log. "ltm diff" shows what a commit changed.`,
		Args: arguments(1, anID),
	}
	c.Flags().IntVar(&limit, "limit", 50, "maximum number of entries to show, 1 to 1000")
	c.RunE = func(c *cobra.Command, given []string) error {
		if err := checkRange("--limit", limit, 1, 1000); err != nil {
			return err
		}
		_, id, err := a.undoID(c.Context(), given[0])
		if err != nil {
			return err
		}
		r, err := past.Of(c.Context(), a.engine(lockWait), a.git(a.place()), id, limit)
		return answer(a, r, err, a.printPast)
	}
	return c
}

func (a *app) printPast(r api.Past) error {
	s, now := a.screen(), time.Now()
	rows := make([][]string, 0, len(r.Entries))
	for _, e := range r.Entries {
		when, where, who := "-", e.Source, "-"
		switch {
		case e.Time != nil && s.Rich:
			when = age(now, *e.Time)
		case e.Time != nil:
			when = e.Time.UTC().Format(time.RFC3339)
		}
		if e.Commit != "" {
			where = e.Commit[:min(shownHash, len(e.Commit))]
		}
		if e.Author != nil {
			who = field(e.Author.Name)
		} else if e.Session > 0 {
			who = fmt.Sprintf("session %d", e.Session)
		}
		rows = append(rows, []string{when, where, cell(e.Action), who, field(e.Why)})
	}
	if !s.Rich {
		return a.tabs(rows)
	}
	lines := append(s.Heading(fmt.Sprintf("%s %s", r.ID, markedTopic(r.Topic, r.Foreign))), s.Table([]terminal.Column{
		{Title: "AGE", Right: true, Spare: true, Style: s.Dim}, {Title: "WHERE", Style: s.Dim}, {Title: "ACTION"},
		{Title: "WHO", Most: 24, Spare: true}, {Title: "WHY"},
	}, rows)...)
	return a.println(lines...)
}
