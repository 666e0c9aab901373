package main

import (
	"strconv"

	"ltm/cmd/internal/terminal"
)

// colorMode is the value of --color.
type colorMode string

const (
	colorAuto   colorMode = "auto"   // on a terminal, unless NO_COLOR or TERM=dumb says otherwise
	colorAlways colorMode = "always" // what a terminal gets, in pipes too
	colorNever  colorMode = "never"
)

// String, Set and Type make it the value of a flag.
func (m *colorMode) String() string { return string(*m) }

// Type names the value in help texts.
func (m *colorMode) Type() string { return "when" }

// Set reads a mode.
func (m *colorMode) Set(s string) error {
	switch v := colorMode(s); v {
	case colorAuto, colorAlways, colorNever:
		*m = v
		return nil
	}
	return invalid("allowed: auto, always, never", "%q is no way to color", s)
}

// defaultWidth is used when neither the terminal nor COLUMNS has a width.
const defaultWidth = 100

// screen returns how the standard output is to look.
func (a *app) screen() terminal.Screen {
	tty := terminal.Is(a.stdout)
	s := terminal.Screen{Rich: tty || a.color == colorAlways}
	switch a.color {
	case colorAlways:
		s.Color = true
	case colorNever:
	default:
		s.Color = tty && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb" && terminal.EnableColor(a.stdout)
	}
	if s.Rich {
		s.Width = max(terminal.MinWidth, a.width())
	}
	return s
}

// width returns the columns of the standard output.
func (a *app) width() int {
	if w := terminal.Width(a.stdout); w > 0 {
		return w
	}
	if w, err := strconv.Atoi(a.getenv("COLUMNS")); err == nil && w > 0 {
		return w
	}
	return defaultWidth
}
