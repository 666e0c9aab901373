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

// lookAlike returns the lower-case ASCII letters that r looks like, anyLetter, or "" if r is not a letter or digit.
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
	const groups = "aаɑᴀαАΑ bʙВΒЬ cсϲᴄС dԁɗᴅđ eеεҽєᴇɛə℮ЕΕ fƒꜰϝ gɡɢցԍ hһнհʜНΗ iіιıɪӏІΙӀ jјϳᴊȷЈ kкκᴋĸКΚ lʟłǀ mмᴍМΜ " +
		"nпոɴηΝ oоοσօᴏøОΟ pрρᴘРΡ rгʀɾ sѕꜱʂЅ tтτᴛŧТΤ uυᴜս vνᴠѵ wωᴡѡԝ xхχХΧ yуγʏүУΥҮ zᴢΖ"
	for group := range strings.FieldsSeq(groups) {
		if strings.ContainsRune(group[1:], r) {
			return rune(group[0])
		}
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
