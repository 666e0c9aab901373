package search

import (
	"unicode"
	"unicode/utf8"
)

// appendFolded appends r in lower case and without its accent, so that naïve
// finds naive.
func appendFolded(b []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return append(b, byte(r))
	}
	if 0x300 <= r && r <= 0x36F { // combining accents
		return b
	}
	r = unicode.ToLower(r)
	switch {
	case r < 0x100:
		return appendLatin1(b, r)
	case r < 0x180:
		return appendLatinA(b, r)
	case 0xFF10 <= r && r <= 0xFF5A: // full-width letters and digits
		return append(b, byte(r-0xFF10+'0'))
	}
	return utf8.AppendRune(b, r)
}

func appendLatin1(b []byte, r rune) []byte {
	switch {
	case 'à' <= r && r <= 'å':
		return append(b, 'a')
	case r == 'æ':
		return append(b, "ae"...)
	case r == 'ç':
		return append(b, 'c')
	case 'è' <= r && r <= 'ë':
		return append(b, 'e')
	case 'ì' <= r && r <= 'ï':
		return append(b, 'i')
	case r == 'ñ':
		return append(b, 'n')
	case 'ò' <= r && r <= 'ö', r == 'ø':
		return append(b, 'o')
	case 'ù' <= r && r <= 'ü':
		return append(b, 'u')
	case r == 'ý', r == 'ÿ':
		return append(b, 'y')
	case r == 'ß':
		return append(b, "ss"...)
	}
	return utf8.AppendRune(b, r)
}

// latinA spells U+0100..U+017F without accents; a space keeps the letter.
const latinA = "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii  jjkk llllllllllnnnnnnn  oooooo  " +
	"rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"

func appendLatinA(b []byte, r rune) []byte {
	if c := latinA[r-0x100]; c != ' ' {
		return append(b, c)
	}
	if r == 'œ' {
		return append(b, "oe"...)
	}
	return utf8.AppendRune(b, r)
}
