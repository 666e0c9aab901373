package main

import (
	"cmp"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/past"
	"ltm/cmd/internal/terminal"
	"ltm/memory"
	"ltm/memory/api"
)

func (a *app) logCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{Use: "log [ID]", Args: arguments(1)}
	c.Flags().IntVar(&limit, "limit", 20, "maximum number of changes to show, 1 to 100000")
	c.RunE = func(c *cobra.Command, given []string) error {
		if err := checkRange("--limit", limit, 1, 100000); err != nil {
			return err
		}
		e, id := a.engine(lockWait), ""
		if len(given) > 0 {
			var err error
			if e, id, err = a.undoID(c.Context(), given[0]); err != nil {
				return err
			}
		}
		h, err := e.History(c.Context(), memory.ID(id), limit)
		return answer(a, h, err, a.printHistory)
	}
	return c
}

func (a *app) printHistory(h memory.History) error {
	if len(h.Events) == 0 {
		fmt.Fprintln(a.stderr, "no changes yet")
		return nil
	}
	s, now := a.screen(), time.Now()
	rows := make([][]string, 0, len(h.Events))
	for _, e := range h.Events {
		when := e.Time.Format(time.RFC3339)
		if s.Rich {
			when = age(now, e.Time)
		}
		session := "-"
		if e.Session > 0 {
			session = fmt.Sprint(e.Session)
		}
		rows = append(rows, a.markedRow([]string{when, cell(e.Action), field(cmp.Or(string(e.ID), e.Packet)), session,
			field(e.Topic), field(past.Reason(e))}, 4, e.Foreign))
	}
	return a.rows(s, []terminal.Column{
		{Title: "AGE", Spare: true, Right: true, Style: s.Dim}, {Title: "ACTION"}, idColumn(s),
		{Title: "SESSION", Spare: true, Right: true}, {Title: "TOPIC"}, {Title: "WHY", Spare: true},
	}, rows)
}

// field returns a cell, or a dash if it is empty.
func field(s string) string { return cmp.Or(cell(s), "-") }

// shownHash is how many characters of a commit's hash people see.
const shownHash = 10

func (a *app) historyCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{Use: "history ID", Args: arguments(1, anID)}
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
