package terminal

import "strings"

// MinWidth is the fewest columns that tables and texts need.
const MinWidth = 20

// Screen says how output looks.
type Screen struct {
	Rich  bool // for people: tables and wrapped text; else for programs: tabs
	Color bool
	Width int // in columns; for people only
}

// The escape sequences that style text.
const (
	sgrBold  = "\x1b[1m"
	sgrDim   = "\x1b[2m"
	sgrRed   = "\x1b[31m"
	sgrGreen = "\x1b[32m"
	sgrOff   = "\x1b[0m"
)

// Bold returns text in bold, on a screen with colors.
func (s Screen) Bold(text string) string { return s.style(sgrBold, text) }

// Dim returns text in faint type, on a screen with colors.
func (s Screen) Dim(text string) string { return s.style(sgrDim, text) }

func (s Screen) style(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return code + text + sgrOff
}

// Highlight makes parts of a text bold. Each part is the offset of its first byte and of
// the byte after its last; parts are in order and do not overlap.
func (s Screen) Highlight(text string, parts [][2]int) string {
	var b strings.Builder
	at := 0
	for _, p := range parts {
		b.WriteString(text[at:p[0]] + s.Bold(text[p[0]:p[1]]))
		at = p[1]
	}
	return b.String() + text[at:]
}

// Heading wraps a text to the screen's width, in bold.
func (s Screen) Heading(text string) []string { return s.wrapped(text, s.Bold) }

// Faint wraps a text to the screen's width, in faint type.
func (s Screen) Faint(text string) []string { return s.wrapped(text, s.Dim) }

func (s Screen) wrapped(text string, style func(string) string) []string {
	lines := Wrap(text, s.Width)
	for i := range lines {
		lines[i] = style(lines[i])
	}
	return lines
}

// Indented wraps a text that belongs to the line above it. A style that is not nil styles
// each line.
func (s Screen) Indented(text string, style func(string) string) []string {
	const indent = "    "
	lines := Wrap(text, s.Width-len(indent))
	for i, line := range lines {
		if style != nil {
			line = style(line)
		}
		lines[i] = indent + line
	}
	return lines
}
