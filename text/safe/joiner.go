package safe

import (
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Bounds of the invisible characters that are kept: far above what people write, and far below what
// could carry a message.
const (
	maxInWord  = 6  // joiners; Persian and Sinhala words have up to 4
	maxInEmoji = 4  // joiners; the longest emoji have 3
	maxVariant = 64 // selectors after ideographs in one text
)

// neighbors describes the characters kept before the current one.
type neighbors struct {
	last    rune // the previous character
	base    rune // the last character that is not a mark, joiner or selector
	word    int  // joiners kept in this word
	emoji   int  // joiners kept in this sequence of emoji
	variant int  // selectors kept after ideographs
}

func (n *neighbors) add(r rune) {
	last := n.last
	n.last = r
	switch {
	case isJoiner(r):
		n.word++
		n.emoji++
		return
	case isSelector(r):
		if unicode.Is(unicode.Ideographic, n.base) {
			n.variant++
		}
		return
	case unicode.IsMark(r):
		return
	case !unicode.IsLetter(r):
		n.word = 0
	}
	if last != zwj {
		n.emoji = 0
	}
	n.base = r
}

// need reports whether a joiner or selector has an effect between its neighbors.
func (n *neighbors) need(r, next rune) bool {
	if isSelector(r) {
		return n.needSelector(r, next)
	}
	switch {
	case isJoiner(n.last):
		return false
	case r == zwj && isEmoji(n.base) && isEmoji(next):
		return n.emoji < maxInEmoji
	case n.word >= maxInWord:
		return false
	case r == zwj && n.last == 0x0647: // the Persian abbreviation of "hijri"
		return true
	case isVirama(n.last):
		return true
	}
	return joins(n.base) && (unicode.IsMark(n.last) || n.last == n.base) && joins(next)
}

func (n *neighbors) needSelector(r, next rune) bool {
	switch {
	case r >= 0x180b && r <= 0x180f:
		return unicode.Is(unicode.Mongolian, n.last) && unicode.IsLetter(n.last)
	case unicode.Is(unicode.Ideographic, n.last):
		return n.variant < maxVariant && (r <= 0xfe02 || r >= 0xe0100)
	case r == 0xfe0e || r == 0xfe0f:
		return isEmoji(n.last) || next == 0x20e3 && isKey(n.last)
	}
	return false
}

func isKey(r rune) bool { return r >= '0' && r <= '9' || r == '#' || r == '*' }

// isVirama reports whether r is a sign that removes the vowel of an Indic letter: a joiner after it
// chooses how the letters are drawn.
func isVirama(r rune) bool {
	return unicode.IsMark(r) && norm.NFD.PropertiesString(string(r)).CCC() == 9
}

// joins reports whether r is a letter or mark of a script in which joiners change the shapes of letters.
func joins(r rune) bool {
	switch {
	case r >= 0x0600 && r < 0x0e00, // Arabic to Sinhala
		r >= 0x0f00 && r < 0x10a0,   // Tibetan, Myanmar
		r >= 0x1780 && r < 0x18b0,   // Khmer, Mongolian
		r >= 0x1b00 && r < 0x1c00,   // Balinese, Sundanese, Batak
		r >= 0xa840 && r < 0xaa80,   // Phags-pa to Javanese and Myanmar
		r >= 0xfb50 && r < 0xfe00,   // shapes of Arabic
		r >= 0xfe70 && r < 0xfeff,   // shapes of Arabic
		r >= 0x10a00 && r < 0x11a00, // Kharoshthi to the Brahmic scripts
		r >= 0x1e900 && r < 0x1e960: // Adlam
		return unicode.IsLetter(r) || unicode.IsMark(r)
	}
	return false
}

// isEmoji reports whether r can be part of an emoji. It excludes brackets among the symbols.
func isEmoji(r rune) bool {
	switch {
	case r >= 0x1f000 && r < 0x1fb00, // pictures, flags, skin tones
		r >= 0x2600 && r < 0x2768, r > 0x2775 && r < 0x27c0, // symbols and dingbats
		r >= 0x2190 && r < 0x2200, r == 0x2934, r == 0x2935, r >= 0x2b00 && r < 0x2c00, // arrows
		r >= 0x2300 && r < 0x2329, r > 0x232a && r < 0x2400, // technical
		r >= 0x25a0 && r < 0x2600: // shapes
		return true
	}
	switch r {
	case 0xa9, 0xae, 0x203c, 0x2049, 0x2122, 0x2139, 0x24c2, 0x3030, 0x303d, 0x3297, 0x3299:
		return true
	}
	return false
}
