package picker

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
)

const (
	// besideWidth is the minimum width of a screen that shows the preview beside the list.
	besideWidth = 100

	// between separates the list from the preview.
	between = " │ "

	// leastWidth is the minimum width to show anything.
	leastWidth = 4

	// headLines is the number of lines for the query and the counts.
	headLines = 2
)

// PreviewSize returns the size of the preview on a screen of this size.
func PreviewSize(width, height int) (columns, lines int) {
	if width >= besideWidth {
		return width - width/2 - runewidth.StringWidth(between), height - headLines
	}
	return width, max(0, (height-headLines)/2-1)
}

// View returns the lines of a screen of that size, at most height lines of at most width columns,
// and the column of the query's end. preview describes the item at the cursor.
func (m *Model) View(width, height int, preview []string) (lines []string, column int) {
	if width < leastWidth {
		return nil, 0
	}
	prompt := "> " + runewidth.TruncateLeft(string(m.query), max(0, runewidth.StringWidth(string(m.query))-width+4), "")
	counts := fmt.Sprintf("  %d/%d", len(m.found), len(m.items))
	if len(m.marked) > 0 {
		counts += fmt.Sprintf(", %d marked", len(m.marked))
	}
	lines = []string{cut(prompt, width), cut(counts+"   Tab marks, Enter picks, Esc leaves", width)}
	columns, rows := PreviewSize(width, height)
	if width >= besideWidth {
		left := m.rows(width/2, height-headLines)
		for i := range height - headLines {
			text := ""
			if i < len(preview) {
				text = cut(preview[i], columns)
			}
			row := line(left, i)
			lines = append(lines, row+strings.Repeat(" ", max(0, width/2-runewidth.StringWidth(row)))+between+text)
		}
	} else {
		list := height - headLines - rows - 1
		above := m.rows(width, list)
		for i := range list {
			lines = append(lines, line(above, i))
		}
		lines = append(lines, strings.Repeat("─", width))
		for i := range rows {
			lines = append(lines, cut(line(preview, i), width))
		}
	}
	return lines[:min(len(lines), max(0, height))], min(width, runewidth.StringWidth(prompt))
}

// rows returns the lines of the list that fit, including the one at the cursor.
func (m *Model) rows(width, height int) []string {
	m.page = max(1, height)
	first := max(0, m.cursor-m.page+1)
	var rows []string
	for i := first; i < min(len(m.found), first+m.page); i++ {
		point, mark := " ", " "
		if i == m.cursor {
			point = ">"
		}
		if slices.Contains(m.marked, m.found[i]) {
			mark = "*"
		}
		rows = append(rows, cut(point+mark+m.items[m.found[i]].Text, width))
	}
	return rows
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

func cut(text string, width int) string { return runewidth.Truncate(text, width, "…") }
