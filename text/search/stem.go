package search

import (
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// minStem is the minimum length of a word that is stemmed; shorter ones are names.
const minStem = 3

// stem reduces a word to what its inflections have in common. A word with anything but the letters
// a to z is a name, a code or in another language, and stays unchanged.
func stem(word string) string {
	if len(word) < minStem || len(word) > 32 {
		return word
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	if base := irregular(word); base != "" {
		word = base
	}
	return english.Stem(word, true)
}

// irregular returns the base of an inflection that no suffix rule reverses. It lists only verbs and
// nouns that engineers use about their work.
func irregular(word string) string {
	switch word {
	case "began", "begun":
		return "begin"
	case "broke", "broken":
		return "break"
	case "brought":
		return "bring"
	case "built":
		return "build"
	case "bought":
		return "buy"
	case "caught":
		return "catch"
	case "chose", "chosen":
		return "choose"
	case "children":
		return "child"
	case "dealt":
		return "deal"
	case "drew", "drawn":
		return "draw"
	case "drove", "driven":
		return "drive"
	case "fell", "fallen":
		return "fall"
	case "forgot", "forgotten":
		return "forget"
	case "froze", "frozen":
		return "freeze"
	case "grew", "grown":
		return "grow"
	case "held":
		return "hold"
	case "hidden":
		return "hide"
	case "hung":
		return "hang"
	case "indices":
		return "index"
	case "kept":
		return "keep"
	case "knew", "known":
		return "know"
	case "lost":
		return "lose"
	case "matrices":
		return "matrix"
	case "ran":
		return "run"
	case "sent":
		return "send"
	case "shook", "shaken":
		return "shake"
	case "slept":
		return "sleep"
	case "spent":
		return "spend"
	case "stole", "stolen":
		return "steal"
	case "stuck":
		return "stick"
	case "threw", "thrown":
		return "throw"
	case "thought":
		return "think"
	case "vertices":
		return "vertex"
	case "woke", "woken":
		return "wake"
	case "wrote", "written":
		return "write"
	}
	return ""
}

// appendFolded appends r in lower case and without its accent, so that naïve finds naive.
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
