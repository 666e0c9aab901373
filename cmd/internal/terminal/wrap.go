package terminal

import (
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

// Truncate cuts text to a number of columns.
func Truncate(s string, width int) string { return runewidth.Truncate(s, width, "…") }

// Wrap breaks a text into lines of at most width columns: at spaces, and between the
// characters of scripts that do not separate words. A longer word stays whole, so that it
// can be copied.
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
