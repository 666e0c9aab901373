package main

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/mattn/go-runewidth"

	"ltm/internal/safetext"
	"ltm/memory"
)

// clean is text for several lines of a terminal.
func clean(s string) string { return safetext.Text(memory.Spell(s, typedNames)) }

// cell is text for one cell of a table.
func cell(s string) string { return safetext.Line(memory.Spell(s, typedNames)) }

// truncate cuts text to a number of columns.
func truncate(s string, width int) string { return runewidth.Truncate(s, width, "…") }

// pad fills text up to a number of columns, on the left for numbers.
func pad(s string, width int, left bool) (before, after string) {
	space := strings.Repeat(" ", max(0, width-runewidth.StringWidth(s)))
	if left {
		return space, ""
	}
	return "", space
}

// wrap breaks a text into lines of at most width columns: at spaces, and between
// the characters of scripts that are written without. A longer word stays whole,
// so that it can be copied.
func wrap(text string, width int) []string {
	var lines []string
	var line strings.Builder
	used := 0
	for field := range strings.FieldsSeq(text) {
		gap := 1
		for _, piece := range pieces(field) {
			w := runewidth.StringWidth(piece)
			switch {
			case used == 0:
			case used+gap+w > width:
				lines = append(lines, line.String())
				line.Reset()
				used = 0
			case gap == 1:
				line.WriteByte(' ')
				used++
			}
			line.WriteString(piece)
			used += w
			gap = 0
		}
	}
	if line.Len() > 0 {
		lines = append(lines, line.String())
	}
	return lines
}

// pieces cuts a word where a line may end: around wide characters, but not
// before punctuation and marks, and not within an emoji of several.
func pieces(word string) []string {
	const joiner, firstTone, lastTone = 0x200d, 0x1f3fb, 0x1f3ff
	var out []string
	start, wide, before := 0, false, rune(0)
	for i, r := range word {
		w := runewidth.RuneWidth(r)
		within := before == joiner || r >= firstTone && r <= lastTone
		before = r
		if i > 0 && w > 0 && (wide || w == 2) && !unicode.IsPunct(r) && !within {
			out = append(out, word[start:i])
			start = i
		}
		if w > 0 {
			wide = w == 2
		}
	}
	return append(out, word[start:])
}

// age says how long ago something was, in two or three characters.
func age(now, t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	const day = 24 * time.Hour
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d < 14*day:
		return fmt.Sprintf("%dd", d/day)
	case d < 60*day:
		return fmt.Sprintf("%dw", d/(7*day))
	case d < 730*day:
		return fmt.Sprintf("%dmo", d*12/(365*day))
	}
	return fmt.Sprintf("%dy", d/(365*day))
}

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
