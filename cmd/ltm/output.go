package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/mattn/go-runewidth"
	"golang.org/x/term"

	"ltm/memory"
)

// isTerminal says whether a person sits at that end.
func isTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// defaultWidth is the width of a terminal that does not tell.
const defaultWidth = 100

func terminalWidth(stream any) int {
	if f, ok := stream.(interface{ Fd() uintptr }); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	return defaultWidth
}

// table prints rows: aligned and cut to the terminal's width for people, with
// tabs between for pipes. The last column takes what width is left.
func (a *app) table(header []string, rows [][]string) error {
	if !isTerminal(a.stdout) {
		for _, row := range rows {
			if _, err := fmt.Fprintln(a.stdout, strings.Join(row, "\t")); err != nil {
				return err
			}
		}
		return nil
	}
	width := terminalWidth(a.stdout)
	last := len(header) - 1
	used := 0
	for col := range last {
		widest := runewidth.StringWidth(header[col])
		for _, row := range rows {
			widest = max(widest, runewidth.StringWidth(row[col]))
		}
		used += widest + 2
	}
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(header, "\t"))
	for _, row := range rows {
		cells := append([]string(nil), row...)
		cells[last] = runewidth.Truncate(cells[last], max(20, width-used), "…")
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	return w.Flush()
}

// clean makes stored text safe for a terminal: nothing that moves the cursor.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
}

// cell is text for one cell of a table.
func cell(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }

func score(v float64) string { return fmt.Sprintf("%.2f", v) }

func day(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Format(time.DateOnly)
}

func tagList(tags []string) string {
	if len(tags) == 0 {
		return "-"
	}
	return cell(strings.Join(tags, ","))
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
