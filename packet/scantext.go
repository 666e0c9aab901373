package packet

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The possible faults of a text's encoding.
const (
	flawSurrogate = "has half of a surrogate pair (such as \\ud800), which is not a character"
	flawBytes     = "has bytes that are not UTF-8"
)

// text reads a text in quotes. Undecodable parts become U+FFFD, and flaw says why.
func (s *scanner) text() (text, flaw string, ok bool) {
	s.pos++
	from := s.pos
	for s.pos < len(s.data) && s.data[s.pos] != '"' && s.data[s.pos] != '\\' && s.data[s.pos] >= ' ' {
		s.pos++
	}
	if s.next() == '"' { // without escapes, as most texts are
		text = s.data[from:s.pos]
		s.pos++
		text, flaw = validText(text)
		return text, flaw, true
	}
	return s.escapedText(from)
}

// escapedText reads the rest of a text that began at from and has an escape at the current
// position.
func (s *scanner) escapedText(from int) (text, flaw string, ok bool) {
	b := []byte(s.data[from:s.pos])
	half := false
	for {
		switch c := s.next(); {
		case s.pos == len(s.data):
			return "", "", s.unexpected("a closing quote")
		case c == '"':
			s.pos++
			text, flaw = validText(string(b))
			if half {
				flaw = flawSurrogate
			}
			return text, flaw, true
		case c < ' ':
			return "", "", s.unexpected("an escape (a text has line breaks and the like as \\n, \\t, \\u0000)")
		case c != '\\':
			b = append(b, c)
			s.pos++
		default:
			r, ok := s.escape()
			if !ok {
				return "", "", false
			}
			half = half || r < 0
			b = utf8.AppendRune(b, r) // U+FFFD for half of a pair
		}
	}
}

// validText returns a text in UTF-8, and what is wrong with it.
func validText(text string) (valid, flaw string) {
	if utf8.ValidString(text) {
		return text, ""
	}
	return strings.ToValidUTF8(text, "\ufffd"), flawBytes
}

// escape reads an escape. It returns -1 for half of a surrogate pair.
func (s *scanner) escape() (r rune, ok bool) {
	s.pos++
	c := s.next()
	if c == 'u' {
		s.pos++
		return s.unicode()
	}
	const names, values = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	i := strings.IndexByte(names, c)
	if i < 0 {
		return 0, s.unexpected(`one of "\/bfnrtu after the backslash`)
	}
	s.pos++
	return rune(values[i]), true
}

// unicode reads the digits of an escape, and the other half of a surrogate pair.
func (s *scanner) unicode() (r rune, ok bool) {
	if r, ok = s.hex(); !ok || !utf16.IsSurrogate(r) {
		return r, ok
	}
	if strings.HasPrefix(s.data[s.pos:], `\u`) {
		s.pos += 2
		low, ok := s.hex()
		if !ok {
			return 0, false
		}
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, true
		}
	}
	return -1, true
}

// hex reads four hex digits.
func (s *scanner) hex() (r rune, ok bool) {
	for range 4 {
		i := strings.IndexByte("0123456789abcdef", s.next()|0x20)
		if c := s.next(); i < 0 || !isDigit(c) && i < 10 {
			return 0, s.unexpected("four hex digits")
		}
		r = r<<4 | rune(i)
		s.pos++
	}
	return r, true
}
