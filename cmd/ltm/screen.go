package main

import (
	"strconv"
	"strings"

	"golang.org/x/term"

	"ltm/memory"
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

// Set takes what a person gave.
func (m *colorMode) Set(s string) error {
	switch v := colorMode(s); v {
	case colorAuto, colorAlways, colorNever:
		*m = v
		return nil
	}
	return memory.Errorf(memory.CodeInvalid, "allowed: auto, always, never", "%q is no way to color", s)
}

// screen is how output is to look.
type screen struct {
	rich  bool // for people: tables and wrapped text; else for programs: tabs
	color bool
	width int // columns; for people only
}

const (
	// defaultWidth is the width of a terminal that does not tell.
	defaultWidth = 100

	// minWidth is what tables and texts need at least.
	minWidth = 20
)

// screen returns how the standard output is to look.
func (a *app) screen() screen {
	terminal := isTerminal(a.stdout)
	s := screen{rich: terminal || a.color == colorAlways}
	switch a.color {
	case colorAlways:
		s.color = true
	case colorNever:
	default:
		s.color = terminal && a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb" && enableColor(a.stdout)
	}
	if s.rich {
		s.width = max(minWidth, a.width())
	}
	return s
}

// width returns the columns of the standard output.
func (a *app) width() int {
	if f, ok := a.stdout.(interface{ Fd() uintptr }); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			return w
		}
	}
	if w, err := strconv.Atoi(a.getenv("COLUMNS")); err == nil && w > 0 {
		return w
	}
	return defaultWidth
}

// isTerminal says whether a person sits at that end.
func isTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(f.Fd()))
}

// The escape sequences that are used.
const (
	sgrBold = "\x1b[1m"
	sgrDim  = "\x1b[2m"
	sgrOff  = "\x1b[0m"
)

func (s screen) bold(text string) string { return s.paint(sgrBold, text) }
func (s screen) dim(text string) string  { return s.paint(sgrDim, text) }

func (s screen) paint(code, text string) string {
	if !s.color || text == "" {
		return text
	}
	return code + text + sgrOff
}

// highlight makes parts of a text, from and to a byte, bold.
func (s screen) highlight(text string, parts [][2]int) string {
	var b strings.Builder
	at := 0
	for _, p := range parts {
		b.WriteString(text[at:p[0]] + s.bold(text[p[0]:p[1]]))
		at = p[1]
	}
	return b.String() + text[at:]
}
