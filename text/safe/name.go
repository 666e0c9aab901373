package safe

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Name returns the name of a file, a key or the like as a message shows it: unchanged if it is one word, otherwise in
// quotes, with escapes for invisible characters. A name longer than most characters is cut.
func Name(s string, most int) string {
	if isWord(s) && utf8.RuneCountInString(s) <= most {
		return s
	}
	out, count := []byte{'"'}, 0
	for i, r := range s {
		before := len(out)
		switch {
		case r == utf8.RuneError && width(s[i:]) == 1:
			out = fmt.Appendf(out, `\x%02x`, s[i])
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case isSeen(r) && r != '\n' && r != '\t':
			out = utf8.AppendRune(out, r)
		default:
			out = escaped(out, r)
		}
		if count += utf8.RuneCount(out[before:]); count > most {
			out = append(out[:before], ellipsis...)
			break
		}
	}
	return escapeTags(string(append(out, '"')))
}

// isWord reports whether s is readable within a sentence without quotes.
func isWord(s string) bool {
	strange := func(r rune) bool {
		return !isSeen(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-/+@~…", r)
	}
	return s != "" && utf8.ValidString(s) && !strings.ContainsFunc(s, strange)
}

// isSeen reports whether r is always shown as itself.
func isSeen(r rune) bool { return !isJoiner(r) && !isSelector(r) && shown(r) == r }

// JSON returns encoded JSON with escapes for characters that must not reach a terminal. It decodes to the same value.
func JSON(data []byte) []byte {
	if bytes.IndexFunc(data, func(r rune) bool { return !isSeen(r) }) < 0 {
		return data
	}
	out := make([]byte, 0, len(data)+64)
	for _, r := range string(data) {
		if isSeen(r) {
			out = utf8.AppendRune(out, r)
		} else {
			out = escaped(out, r)
		}
	}
	return out
}

// escaped appends a character as JSON and Go escape it in quotes.
func escaped(b []byte, r rune) []byte {
	if hi, lo := utf16.EncodeRune(r); hi != unicode.ReplacementChar {
		return fmt.Appendf(b, `\u%04x\u%04x`, hi, lo)
	}
	return fmt.Appendf(b, `\u%04x`, r)
}
