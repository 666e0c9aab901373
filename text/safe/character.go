package safe

import "unicode"

// dropped marks a character that is not shown.
const dropped rune = -1

// unassigned is the first character of the planes without text.
const unassigned = 0x40000

const (
	zwnj = 0x200c // zero-width non-joiner
	zwj  = 0x200d // zero-width joiner
)

// shown returns how a character other than a joiner or a selector is shown: as itself, as a blank
// or a line end, or not at all.
func shown(r rune) rune {
	switch {
	case r == '\n' || r == '\t' || r >= ' ' && r < 0x7f:
		return r
	case isLineEnd(r):
		return '\n'
	case isBlank(r):
		return ' '
	case isHidden(r):
		return dropped
	}
	return r
}

// isLineEnd reports whether a terminal or a reader may start a new line at r.
func isLineEnd(r rune) bool {
	switch r {
	case '\n', '\v', '\f', '\r', 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// isBlank reports whether r is a space of any width. U+2800 is the empty Braille pattern.
func isBlank(r rune) bool { return unicode.Is(unicode.Zs, r) || r == 0x2800 }

// isHidden reports whether r is invisible by itself. The Arabic number signs and a few others have
// the category of formatting characters, but are visible.
func isHidden(r rune) bool {
	switch {
	case r >= 0x3400 && r < 0xd800: // ideographs and Hangul syllables, for speed
		return false
	case r >= unassigned || r == 0x17b4 || r == 0x17b5 || r == 0x16fe4:
		return true
	case unicode.Is(unicode.Cf, r):
		return !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
	}
	return unicode.In(r, unicode.Cc, unicode.Co, unicode.Variation_Selector, unicode.Noncharacter_Code_Point,
		unicode.Other_Default_Ignorable_Code_Point)
}

func isJoiner(r rune) bool { return r == zwj || r == zwnj }

// isSelector reports whether r selects a variant of the character before it.
func isSelector(r rune) bool {
	return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef || r >= 0x180b && r <= 0x180f && r != 0x180e
}
