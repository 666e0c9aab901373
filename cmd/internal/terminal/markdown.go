package terminal

import "strings"

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

// markdownLine returns one line outside of fences; bare is it without
// indentation.
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
