package terminal

import (
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

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

// Indented wraps a text that belongs to the line above it. A style that is not nil styles each line.
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

// Truncate cuts text to a number of columns.
func Truncate(s string, width int) string { return runewidth.Truncate(s, width, "…") }

// Wrap breaks a text into lines of at most width columns: at spaces, and between the characters of scripts that do not
// separate words. A longer word stays whole, so that it can be copied.
func Wrap(text string, width int) []string {
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

// pieces cuts a word where a line may end: around wide characters, but not before
// punctuation and combining marks, and not within an emoji of several code points.
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

// Diff returns the lines of a unified diff, colored as git does.
func (s Screen) Diff(text string) []string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "--- ") && i == 0, strings.HasPrefix(line, "+++ ") && i == 1:
			lines[i] = s.Bold(line)
		case strings.HasPrefix(line, "@@"):
			lines[i] = s.Dim(line)
		case strings.HasPrefix(line, "-"):
			lines[i] = s.style(sgrRed, line)
		case strings.HasPrefix(line, "+"):
			lines[i] = s.style(sgrGreen, line)
		}
	}
	return lines
}

// Signed colors lines of which the first character is "-" or "+".
func (s Screen) Signed(lines []string) []string {
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "-"):
			lines[i] = s.style(sgrRed, line)
		case strings.HasPrefix(line, "+"):
			lines[i] = s.style(sgrGreen, line)
		}
	}
	return lines
}

// Markdown returns the lines of a text in markdown: headings bold, lists and quotes with
// hanging indents, code indented and never wrapped. The writer's line breaks are kept.
func (s Screen) Markdown(text string) []string {
	var lines []string
	fence := ""
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.ReplaceAll(strings.TrimRight(line, " \t"), "\t", "    ")
		bare := strings.TrimLeft(line, " ")
		switch mark := fenceMark(bare); {
		case fence == "" && mark != "":
			fence = mark
		case fence != "" && strings.HasPrefix(mark, fence) && strings.Trim(bare, mark[:1]) == "":
			fence = ""
		case fence != "":
			lines = append(lines, codeIndent+line)
		default:
			lines = append(lines, s.markdownLine(line, bare)...)
		}
	}
	return lines
}

// codeIndent is put before lines of code.
const codeIndent = "    "

// fenceMark returns the marks that begin or end a block of code, or "".
func fenceMark(bare string) string {
	for _, c := range []string{"`", "~"} {
		n := len(bare) - len(strings.TrimLeft(bare, c))
		if n >= 3 && !strings.Contains(bare[n:], "`") {
			return bare[:n]
		}
	}
	return ""
}

// markdownLine returns one line outside of fences; bare is it without indentation.
func (s Screen) markdownLine(line, bare string) []string {
	indent := line[:len(line)-len(bare)]
	switch {
	case bare == "":
		return []string{""}
	case isHeading(bare):
		return s.Heading(strings.TrimSpace(strings.TrimLeft(bare, "#")))
	case bare[0] == '|':
		return []string{line}
	}
	first, rest := "", ""
	if mark, shown := lead(bare); mark != "" {
		first, rest, bare = shown, strings.Repeat(" ", len([]rune(shown))), bare[len(mark):]
		if shown == quoteLead {
			rest = quoteLead
		}
	} else if len(indent) >= len(codeIndent) {
		return []string{line} // code, or the continuation of a list
	}
	indent = indent[:min(len(indent), s.Width/2)]
	lines := Wrap(bare, max(MinWidth/2, s.Width-len(indent)-len(rest)))
	if len(lines) == 0 {
		lines = []string{""}
	}
	for i := range lines {
		lead := rest
		if i == 0 {
			lead = first
		}
		lines[i] = strings.TrimRight(indent+lead+lines[i], " ")
	}
	return lines
}

func isHeading(bare string) bool {
	after := strings.TrimLeft(bare, "#")
	n := len(bare) - len(after)
	return n >= 1 && n <= 6 && (after == "" || after[0] == ' ')
}

const quoteLead = "│ "

// lead returns the mark that a list item or a quote begins with, and how it is shown.
func lead(bare string) (mark, shown string) {
	switch {
	case strings.HasPrefix(bare, "- "), strings.HasPrefix(bare, "* "), strings.HasPrefix(bare, "+ "):
		return bare[:2], "• "
	case strings.HasPrefix(bare, "> "):
		return "> ", quoteLead
	case bare == ">":
		return ">", quoteLead
	}
	digits := len(bare) - len(strings.TrimLeft(bare, "0123456789"))
	after := bare[digits:]
	if digits >= 1 && digits <= 9 && (strings.HasPrefix(after, ". ") || strings.HasPrefix(after, ") ")) {
		return bare[:digits+2], bare[:digits+2]
	}
	return "", ""
}
