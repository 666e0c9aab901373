package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"

	"ltm/memory"
)

// column is one column of a table for people.
type column struct {
	title string
	right bool                // numbers
	most  int                 // widest, in columns of the terminal; 0: as wide as there is room
	paint func(string) string // colors a cell that is cut already; nil: as it is
}

const (
	// columnGap is the space between two columns.
	columnGap = 2

	// leastColumn is how narrow columns get: as an id.
	leastColumn = 12
)

// table prints rows: aligned and cut to the terminal's width for people, with
// tabs between for pipes.
func (a *app) table(header []string, rows [][]string) error {
	s := a.screen()
	if !s.rich {
		return a.tabs(rows)
	}
	if len(rows) == 0 {
		return nil
	}
	columns := make([]column, len(header))
	for i, title := range header {
		columns[i].title = title
		if title == "ID" {
			columns[i].paint = s.dim
		}
	}
	return a.println(s.layout(columns, rows)...)
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

// layout returns the lines of a table, its header first.
func (s screen) layout(columns []column, rows [][]string) []string {
	titles := make([]string, len(columns))
	plain := make([]column, len(columns))
	for i, c := range columns {
		titles[i], plain[i] = c.title, column{right: c.right}
	}
	widths := s.fit(columns, append([][]string{titles}, rows...))
	lines := []string{s.dim(s.line(plain, widths, titles))}
	for _, row := range rows {
		lines = append(lines, s.line(columns, widths, row))
	}
	return lines
}

// fit returns the widths of the columns. What does not fit is taken from the
// widest ones.
func (s screen) fit(columns []column, rows [][]string) []int {
	widths := make([]int, len(columns))
	total := columnGap * (len(columns) - 1)
	for i, c := range columns {
		for _, row := range rows {
			widths[i] = max(widths[i], runewidth.StringWidth(row[i]))
		}
		if c.most > 0 {
			widths[i] = min(widths[i], c.most)
		}
		total += widths[i]
	}
	for ; total > s.width; total-- {
		widest := 0
		for i := range widths {
			if widths[i] > widths[widest] {
				widest = i
			}
		}
		if widths[widest] <= leastColumn {
			break
		}
		widths[widest]--
	}
	return widths
}

// line returns one line of a table.
func (s screen) line(columns []column, widths []int, row []string) string {
	var b strings.Builder
	for i, text := range row {
		text = truncate(text, widths[i])
		before, after := pad(text, widths[i], columns[i].right)
		if paint := columns[i].paint; paint != nil {
			text = paint(text)
		}
		if i == len(row)-1 {
			after = ""
		} else {
			after += strings.Repeat(" ", columnGap)
		}
		b.WriteString(before + text + after)
	}
	return b.String()
}

// printReceipt says what a change did.
func (a *app) printReceipt(r memory.Receipt, asJSON bool) error {
	if asJSON {
		return a.printJSON(r)
	}
	_, err := fmt.Fprintf(a.stdout, "%s\n", clean(r.Message))
	return err
}

func (a *app) println(lines ...string) error {
	_, err := io.WriteString(a.stdout, strings.Join(lines, "\n")+"\n")
	return err
}
