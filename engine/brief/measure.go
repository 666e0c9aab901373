package brief

import (
	"unicode"
	"unicode/utf16"

	"ltm/engine/transcript"
)

// Measure returns the length of s as the client counts it (UTF-16 units) and an
// estimate of its tokens: outside of ASCII a character is about a token.
func Measure(s string) (chars, tokens float64) {
	ascii := 0
	for _, r := range s {
		if r < unicode.MaxASCII {
			ascii++
		} else {
			tokens++
		}
		chars += float64(max(1, utf16.RuneLen(r)))
	}
	return chars, tokens + float64(ascii)/transcript.CharsPerToken
}
