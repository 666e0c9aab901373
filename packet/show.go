package packet

import (
	"strings"
	"unicode"
	"unicode/utf16"
)

// plain is what a block shows of a text when its caller has no rules of its own: without invisible
// characters, and with "<" escaped, so that nothing in it is a tag of a client or a model.
func plain(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= ' ' && r < 0x7f || r == '\n' || r == '\t':
			return r
		case isLineEnd(r):
			return '\n'
		case unicode.Is(unicode.Zs, r):
			return ' '
		case unicode.In(r, unicode.C, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
			return -1
		}
		return r
	}, s)
	return strings.NewReplacer("<", "&lt;", "＜", "&lt;", "﹤", "&lt;").Replace(s)
}

// isLineEnd reports whether a terminal or a reader may start a new line at r.
func isLineEnd(r rune) bool {
	switch r {
	case '\n', '\v', '\f', '\r', 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// shown returns the lines of a text as a block shows them: without blanks at their ends and blank lines around them, at
// least one. Whatever show does, no line contains the end of a line or a tag like the block's own.
func shown(s string, show func(string) string) []string {
	s = show(strings.ReplaceAll(strings.ToValidUTF8(s, "\ufffd"), "\r\n", "\n"))
	s = strings.Map(func(r rune) rune {
		if isLineEnd(r) {
			return '\n'
		}
		return r
	}, noTags(s)) // and what is not UTF-8 becomes U+FFFD
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	for len(lines) > 1 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	for len(lines) > 1 && lines[0] == "" {
		lines = lines[1:]
	}
	return lines
}

// cutLine returns the lines of a shown text on one line, of at most that many UTF-16 units (at least 1).
func cutLine(lines []string, show func(string) string, most int) string {
	line := strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
	for keep := most - 1; units(line) > most; keep /= 2 {
		if keep == 0 {
			return "…"
		}
		// It is drawn again, because what followed its last character is gone.
		line = strings.Join(strings.Fields(strings.Join(shown(clip(line, keep), show), " ")), " ") + "…"
	}
	return line
}

// noTags escapes the "<" of whatever looks like a tag of the block itself.
func noTags(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		name := strings.TrimLeft(s[i+1:], " \t/")
		if len(name) >= 3 && strings.EqualFold(name[:3], "ltm") {
			b.WriteString(s[:i] + "&lt;")
		} else {
			b.WriteString(s[:i+1])
		}
		s = s[i+1:]
	}
}

// units returns the length of a text as the client counts it, in UTF-16 units.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// clip returns the longest beginning of s with at most that many UTF-16 units.
func clip(s string, most int) string {
	for i, r := range s {
		if most -= max(1, utf16.RuneLen(r)); most < 0 {
			return s[:i]
		}
	}
	return s
}
