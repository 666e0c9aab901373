package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"ltm/api"
)

// column is one column of a table for people.
type column struct {
	title string
	right bool                // numbers
	most  int                 // widest, in columns of the terminal; 0: as wide as there is room
	paint func(string) string // colors a cell that is cut already; nil: as it is
	spare bool                // left out where there is no room for it
}

const (
	// columnGap is the space between two columns.
	columnGap = 2

	// leastColumn is how narrow columns get while others can be left out: as an id.
	leastColumn = 12

	// idTitle is the column of ids, which are never cut.
	idTitle = "ID"
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
		if title == idTitle {
			columns[i].paint = s.dim
		}
		columns[i].spare = slices.Contains([]string{"STATE", "TAGS", "WHY", "FROM", "PRIORITY", "PHASE", "TIME", "HOW", "AUTHOR"}, title)
	}
	return a.println(s.layout(columns, rows)...)
}

// reasons prints rows of which the last field is a text that people read to its end:
// on a screen it is wrapped, under the others.
func (a *app) reasons(rows [][]string) error {
	s := a.screen()
	if !s.rich {
		return a.tabs(rows)
	}
	for _, row := range rows {
		last := len(row) - 1
		head := truncate(strings.Join(row[:last], "  "), s.width)
		if err := a.println(append([]string{s.bold(head)}, s.indented(row[last], func(text string) string { return text })...)...); err != nil {
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

// layout returns the lines of a table, its header first. No line is wider than the
// screen: columns become narrower, down to leastColumn, then the spare ones are left
// out, the last first, and then the others become narrower still, except ids.
func (s screen) layout(columns []column, rows [][]string) []string {
	columns, rows = s.selectColumns(columns, rows)
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
			return s.squeeze(columns, widths, total)
		}
		widths[widest]--
	}
	return widths
}

// squeeze makes columns narrower than leastColumn: the widest that has no ids.
func (s screen) squeeze(columns []column, widths []int, total int) []int {
	for ; total > s.width; total-- {
		widest := -1
		for i := range widths {
			if columns[i].title != idTitle && widths[i] > 1 && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return widths
}

// selectColumns leaves out spare columns until the others have their least widths.
func (s screen) selectColumns(columns []column, rows [][]string) ([]column, [][]string) {
	for {
		need := columnGap * (len(columns) - 1)
		last := -1
		for i, c := range columns {
			width := runewidth.StringWidth(c.title)
			for _, row := range rows {
				width = max(width, runewidth.StringWidth(row[i]))
			}
			need += min(width, leastColumn)
			if c.spare {
				last = i
			}
		}
		if need <= s.width || last < 0 {
			return columns, rows
		}
		columns = slices.Delete(slices.Clone(columns), last, last+1)
		fewer := make([][]string, len(rows))
		for i, row := range rows {
			fewer[i] = slices.Delete(slices.Clone(row), last, last+1)
		}
		rows = fewer
	}
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
func (a *app) printReceipt(r api.Receipt, asJSON bool) error {
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
