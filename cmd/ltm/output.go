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

// table prints rows: aligned and cut to the terminal's width for people, separated by tabs
// for pipes.
func (a *app) table(header []string, rows [][]string) error {
	s := a.screen()
	if s.Rich && len(rows) == 0 {
		return nil
	}
	columns := make([]terminal.Column, len(header))
	for i, title := range header {
		columns[i] = terminal.Column{Title: title, Spare: slices.Contains(spareColumns(), title)}
		if title == "ID" {
			columns[i] = idColumn(s)
		}
	}
	return a.rows(s, columns, rows)
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
func (a *app) printReceipt(r api.Receipt, asJSON bool) error {
	if asJSON {
		return a.printJSON(r)
	}
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
