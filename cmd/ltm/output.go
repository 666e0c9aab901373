package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"ltm/cmd/internal/terminal"
	"ltm/memory/api"
)

// spareColumns are the titles of columns that a narrow terminal does without.
func spareColumns() []string {
	return []string{"STATE", "TAGS", "WHY", "SOURCE", "PRIORITY", "PHASE", "TIME", "STATUS", "AUTHOR"}
}

// idColumn is the column of ids, which are never cut.
func idColumn(s terminal.Screen) terminal.Column {
	return terminal.Column{Title: "ID", Style: s.Dim, Whole: true}
}

// rowsOf returns the row of each entry of a list.
func rowsOf[T any](list []T, row func(T) []string) [][]string {
	rows := make([][]string, 0, len(list))
	for _, entry := range list {
		rows = append(rows, row(entry))
	}
	return rows
}

// table prints rows: aligned and cut to the terminal's width for people, separated by tabs
// for pipes. The titles in the header have | between. The lines below follow, even if there are no rows.
func (a *app) table(header string, rows [][]string, below ...string) error {
	s := a.screen()
	var columns []terminal.Column
	for title := range strings.SplitSeq(header, "|") {
		column := terminal.Column{Title: title, Spare: slices.Contains(spareColumns(), title)}
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

// reasons prints rows of which the last field is a sentence: for people it is wrapped,
// below the others.
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

// progress shows on a terminal that something takes more than a second, until the function
// that it returns is called.
func (a *app) progress(what string) (done func()) {
	if !terminal.Is(a.stderr) {
		return func() {}
	}
	return terminal.Progress(a.stderr, "ltm: "+what, progressAfter, progressEvery)
}
