package safe

import (
	"strings"
	"unicode/utf8"
)

// ellipsis marks where text was cut off.
const ellipsis = "…"

// Text returns s made safe to show on several lines.
func Text(s string) string {
	if isPlain(s) {
		return s
	}
	return escapeTags(visible(s))
}

// Line returns s made safe to show on one line, with single spaces between words.
func Line(s string) string { return strings.Join(strings.Fields(Text(s)), " ") }

// Quote returns s made safe to show between texts of others: every line begins with ">".
func Quote(s string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(Text(s), "\n") {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimRight("> "+line, " \t"))
	}
	return b.String()
}

// Clip cuts s, which must already be safe, to at most that many characters and then an ellipsis.
func Clip(s string, most int) string {
	for mark := ""; ; mark = ellipsis {
		cut, more := first(s, most)
		if !more {
			return s + mark
		}
		s = Text(cut) // a joiner may have lost its neighbor, and what became a tag at the end is longer
	}
}

// first returns the first characters of s, and whether there are more.
func first(s string, most int) (cut string, more bool) {
	count := 0
	for i := range s {
		if count == most {
			return s[:i], true
		}
		count++
	}
	return s, false
}

// ClipLine is [Clip] of [Line] for a text of any length: no more of it is looked at.
func ClipLine(s string, most int) string {
	cut, more := first(s, most)
	line := Clip(Line(cut), most)
	if more && !strings.HasSuffix(line, ellipsis) {
		return line + ellipsis
	}
	return line
}

// isPlain reports whether s is ASCII text that nothing has to be done about.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' && c != '\n' && c != '\t') || c == '<' || c >= 0x7f {
			return false
		}
	}
	return true
}

// visible returns the visible characters of s, and the joiners and selectors that they need.
func visible(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	var near neighbors
	for i, r := range s {
		after := s[i+width(s[i:]):]
		next, _ := utf8.DecodeRuneInString(after)
		switch {
		case r == '\r' && next == '\n':
			continue
		case isJoiner(r) || isSelector(r):
			if !near.need(r, next) {
				continue
			}
		default:
			if r = shown(r); r == dropped {
				continue
			}
		}
		near.add(r)
		b.WriteRune(r)
	}
	return b.String()
}

// width returns the number of bytes of the first character; 1 if it is not UTF-8.
func width(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}
