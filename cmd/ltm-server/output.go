package main

import (
	"strconv"
	"strings"
	"time"

	"ltm/cmd/internal/terminal"
	"ltm/text/safe"
)

// screen says what standard output can show.
func (a *app) screen() terminal.Screen {
	tty := terminal.Is(a.stdout)
	s := terminal.Screen{Rich: tty}
	s.Color = tty && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb" && terminal.EnableColor(a.stdout)
	if s.Rich {
		s.Width = max(terminal.MinWidth, terminal.Width(a.stdout))
	}
	return s
}

// nobody is the screen of a program: no width, no color.
func nobody() terminal.Screen { return terminal.Screen{} }

// lines returns rows as a table for people, and as values between tabs for programs. Others may have chosen the values.
func lines(s terminal.Screen, header []string, rows [][]string) []string {
	for _, row := range rows {
		for i := range row {
			row[i] = safe.Line(row[i])
		}
	}
	if s.Rich {
		columns := make([]terminal.Column, len(header))
		for i, title := range header {
			columns[i] = terminal.Column{Title: title, Whole: title == "ID"}
		}
		return s.Table(columns, rows)
	}
	return each(rows, func(row []string) string { return strings.Join(row, "\t") })
}

// when shows a time, or "-" for the zero time.
func when(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

// parseAge reads a length of time: that of time.ParseDuration, or days such as 30d.
func parseAge(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.Atoi(days)
		if err == nil && n >= 0 && n <= 36500 {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	} else if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return d, nil
	}
	return 0, invalid("it takes 12h or 30d", "%q is not a length of time", s)
}
