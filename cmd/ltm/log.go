package main

import (
	"cmp"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ltm/cmd/internal/past"
	"ltm/cmd/internal/terminal"
	"ltm/memory"
)

func (a *app) logCommand() *cobra.Command {
	var limit int
	c := &cobra.Command{
		Use:   "log [ID]",
		Short: "Show recent changes to memories, or to one, and the reasons",
		Args:  arguments(1),
	}
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
