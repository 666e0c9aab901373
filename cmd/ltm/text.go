package main

import (
	"fmt"
	"strings"
	"time"

	"ltm/memory"
	"ltm/text/safe"
)

// say returns a note with what to do next.
func say(n memory.Note) string {
	if !n.Advises() {
		return n.String()
	}
	return nextSteps().Say(n)
}

// clean makes text safe for a terminal. It may have several lines.
func clean(s string) string { return safe.Text(s) }

// cell makes text safe for a terminal, on one line.
func cell(s string) string { return safe.Line(s) }

// age returns how long ago something was, in two or three characters.
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
