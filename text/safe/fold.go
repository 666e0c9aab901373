package safe

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// anyLetter represents a letter or digit that does not look like an ASCII one.
const anyLetter = "?"

// lookAlike returns the lower-case ASCII letters that r looks like, anyLetter, or "" if r is not a
// letter or digit.
func lookAlike(r rune) string {
	switch {
	case r < utf8.RuneSelf:
		if r = unicode.ToLower(r); r >= 'a' && r <= 'z' {
			return string(r)
		}
		if r >= '0' && r <= '9' {
			return anyLetter
		}
		return ""
	case r >= 0x1f150 && r < 0x1f16a: // white in black circles
		return string('a' + r - 0x1f150)
	case r >= 0x1f170 && r < 0x1f18a: // white in black squares
		return string('a' + r - 0x1f170)
	case r >= 0x1f1e6 && r < 0x1f200: // the letters that make flags
		return string('a' + r - 0x1f1e6)
	}
	if c := cmp.Or(stranger(r), capital(r)); c != 0 {
		return string(c)
	}
	var letters []byte
	for _, part := range string(norm.NFKD.PropertiesString(string(r)).Decomposition()) {
		if part < utf8.RuneSelf && unicode.IsLetter(part) {
			letters = append(letters, byte(unicode.ToLower(part)))
		}
	}
	if len(letters) == 0 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
		return anyLetter
	}
	return string(letters)
}

// stranger returns the ASCII letter that a letter of another script looks like, or 0. It does not
// list letters that Unicode decomposes to ASCII.
func stranger(r rune) rune {
	switch r {
	case 'а', 'ɑ', 'ᴀ', 'α', 'А', 'Α':
		return 'a'
	case 'ʙ', 'В', 'Β', 'Ь':
		return 'b'
	case 'с', 'ϲ', 'ᴄ', 'С':
		return 'c'
	case 'ԁ', 'ɗ', 'ᴅ', 'đ':
		return 'd'
	case 'е', 'ε', 'ҽ', 'є', 'ᴇ', 'ɛ', 'ə', '℮', 'Е', 'Ε':
		return 'e'
	case 'ƒ', 'ꜰ', 'ϝ':
		return 'f'
	case 'ɡ', 'ɢ', 'ց', 'ԍ':
		return 'g'
	case 'һ', 'н', 'հ', 'ʜ', 'Н', 'Η':
		return 'h'
	case 'і', 'ι', 'ı', 'ɪ', 'ӏ', 'І', 'Ι', 'Ӏ':
		return 'i'
	case 'ј', 'ϳ', 'ᴊ', 'ȷ', 'Ј':
		return 'j'
	case 'к', 'κ', 'ᴋ', 'ĸ', 'К', 'Κ':
		return 'k'
	case 'ʟ', 'ł', 'ǀ':
		return 'l'
	case 'м', 'ᴍ', 'М', 'Μ':
		return 'm'
	case 'п', 'ո', 'ɴ', 'η', 'Ν':
		return 'n'
	case 'о', 'ο', 'σ', 'օ', 'ᴏ', 'ø', 'О', 'Ο':
		return 'o'
	case 'р', 'ρ', 'ᴘ', 'Р', 'Ρ':
		return 'p'
	case 'г', 'ʀ', 'ɾ':
		return 'r'
	case 'ѕ', 'ꜱ', 'ʂ', 'Ѕ':
		return 's'
	case 'т', 'τ', 'ᴛ', 'ŧ', 'Т', 'Τ':
		return 't'
	case 'υ', 'ᴜ', 'ս':
		return 'u'
	case 'ν', 'ᴠ', 'ѵ':
		return 'v'
	case 'ω', 'ᴡ', 'ѡ', 'ԝ':
		return 'w'
	case 'х', 'χ', 'Х', 'Χ':
		return 'x'
	case 'у', 'γ', 'ʏ', 'ү', 'У', 'Υ', 'Ү':
		return 'y'
	case 'ᴢ', 'Ζ':
		return 'z'
	}
	return 0
}

// capital returns the ASCII letter that a letter of Lisu or Cherokee looks like, or 0.
func capital(r rune) rune {
	const lisu, latin = "ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "bpdtgkjczfmnlsrvhwxyaeiou"
	const cherokee, same = "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᎽᏀᏂᏃᏏᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏴᎾᏌ", "drtiyajewmhyghzbrwsvslcpkdbou"
	for _, script := range [][2]string{{lisu, latin}, {cherokee, same}} {
		if i := strings.IndexRune(script[0], unicode.ToUpper(r)); i >= 0 {
			return rune(script[1][i/utf8.RuneLen(r)])
		}
	}
	return 0
}

// isLike reports whether name begins with known, or equals it if whole is set. Up to strange
// letters may be anyLetter, each in place of a letter of known or added to it.
func isLike(name, known string, whole bool, strange int) bool {
	switch {
	case known == "":
		return !whole || strings.Trim(name, anyLetter) == ""
	case name == "":
		return false
	case name[0] == anyLetter[0]:
		return strange > 0 && (isLike(name[1:], known[1:], whole, strange-1) ||
			isLike(name[1:], known, whole, strange-1))
	}
	return asI(name[0]) == asI(known[0]) && isLike(name[1:], known[1:], whole, strange)
}

// asI returns a letter, or "i" for an "l", which a capital "I" looks like.
func asI(letter byte) byte {
	if letter == 'l' {
		return 'i'
	}
	return letter
}
