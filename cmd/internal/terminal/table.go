package terminal

import (
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
)

// Column is one column of a table.
type Column struct {
	Title string
	Right bool                // aligned on the right, as numbers are
	Most  int                 // maximum width in columns of the screen; 0: no maximum
	Style func(string) string // styles a cell that is already cut; nil: none
	Spare bool                // left out if there is no room for it
	Whole bool                // narrowed last, and never to less than leastColumn
}

const (
	// columnGap is the space between two columns.
	columnGap = 2

	// leastColumn is how narrow columns get before others are left out: the width of an id.
	leastColumn = 12
)

// Table returns the lines of a table, its header first. No line is wider than the screen:
// columns are narrowed down to leastColumn, then the spare ones are left out, the last one
// first, and then the others, except whole ones, are narrowed further.
func (s Screen) Table(columns []Column, rows [][]string) []string {
	columns, rows = s.selectColumns(columns, rows)
	titles := make([]string, len(columns))
	plain := make([]Column, len(columns))
	for i, c := range columns {
		titles[i], plain[i] = c.Title, Column{Right: c.Right}
	}
	widths := s.fit(columns, append([][]string{titles}, rows...))
	lines := []string{s.Dim(line(plain, widths, titles))}
	for _, row := range rows {
		lines = append(lines, line(columns, widths, row))
	}
	return lines
}

// fit returns the widths of the columns. The widest ones that need not stay whole give up what does not fit.
func (s Screen) fit(columns []Column, rows [][]string) []int {
	widths := make([]int, len(columns))
	total := columnGap * (len(columns) - 1)
	for i, c := range columns {
		widths[i] = widest(rows, i)
		if c.Most > 0 {
			widths[i] = min(widths[i], c.Most)
		}
		total += widths[i]
	}
	for ; total > s.Width; total-- {
		at := widestOf(columns, widths, false)
		if at < 0 || widths[at] <= leastColumn {
			return s.squeeze(columns, widths, total)
		}
		widths[at]--
	}
	return widths
}

// widestOf returns the index of the widest column that is to stay whole or need not, or -1.
func widestOf(columns []Column, widths []int, whole bool) int {
	at := -1
	for i := range widths {
		if columns[i].Whole == whole && (at < 0 || widths[i] > widths[at]) {
			at = i
		}
	}
	return at
}

// squeeze makes columns narrower than leastColumn: the widest that need not stay whole. If that is
// not enough, the others are narrowed to leastColumn.
func (s Screen) squeeze(columns []Column, widths []int, total int) []int {
	for ; total > s.Width; total-- {
		at, least := widestOf(columns, widths, false), 1
		if at < 0 || widths[at] <= least {
			at, least = widestOf(columns, widths, true), leastColumn
		}
		if at < 0 || widths[at] <= least {
			break
		}
		widths[at]--
	}
	return widths
}

// selectColumns leaves out spare columns until the others have room for their minimum widths.
func (s Screen) selectColumns(columns []Column, rows [][]string) ([]Column, [][]string) {
	for {
		need := columnGap * (len(columns) - 1)
		last := -1
		for i, c := range columns {
			width := max(runewidth.StringWidth(c.Title), widest(rows, i))
			if c.Most > 0 {
				width = min(width, c.Most)
			}
			if !c.Whole {
				width = min(width, leastColumn)
			}
			need += width
			if c.Spare {
				last = i
			}
		}
		if need <= s.Width || last < 0 {
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

// widest returns the width of the widest cell in a column.
func widest(rows [][]string, column int) int {
	width := 0
	for _, row := range rows {
		width = max(width, runewidth.StringWidth(row[column]))
	}
	return width
}

// line returns one line of a table.
func line(columns []Column, widths []int, row []string) string {
	var b strings.Builder
	for i, text := range row {
		text = Truncate(text, widths[i])
		space := strings.Repeat(" ", max(0, widths[i]-runewidth.StringWidth(text)))
		if style := columns[i].Style; style != nil {
			text = style(text)
		}
		switch {
		case columns[i].Right:
			text = space + text
		case i < len(row)-1:
			text += space
		}
		if i < len(row)-1 {
			text += strings.Repeat(" ", columnGap)
		}
		b.WriteString(text)
	}
	return b.String()
}

// Bar returns a bar of at most width columns for n of most, in steps of an eighth of a column. What
// is more than nothing is seen.
func Bar(n, most, width int) string {
	if n <= 0 || most <= 0 || width <= 0 {
		return ""
	}
	eighths := max(1, min(n, most)*width*8/most)
	bar := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		bar += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return bar
}
