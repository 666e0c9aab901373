package secrets

import (
	"strings"
	"unicode/utf8"
)

type class uint16

const (
	hexSmall class = 1 << iota // a to f
	otherSmall
	hexCapital // A to F
	otherCapital
	digits
	underscore
	dash
	equals
	period
	dollarSign
	plusSlash

	small    = hexSmall | otherSmall
	capitals = hexCapital | otherCapital
	letters  = small | capitals
	hexLower = digits | hexSmall
	hexAny   = hexLower | hexCapital
	upperNum = capitals | digits
	alnum    = letters | digits
	wordy    = alnum | underscore
	urlSafe  = wordy | dash
	padded   = urlSafe | equals
	dotted   = urlSafe | period
	loose    = dotted | equals
	dollar   = alnum | dollarSign
	encoding = alnum | plusSlash // base64 without its padding
	base64   = encoding | equals
)

// kinds has the kind of every ASCII byte: a is the first one above, and l none of them.
const kinds = "llllllllllllllll" + "llllllllllllllll" + // control characters
	"lllljllllllklgik" + "eeeeeeeeeelllhll" + // signs and digits
	"lccccccddddddddd" + "dddddddddddllllf" +
	"laaaaaabbbbbbbbb" + "bbbbbbbbbbblllll"

func (c class) has(b byte) bool { return b < utf8.RuneSelf && c>>(kinds[b]-'a')&1 != 0 }

func (c class) all(value string) bool {
	for i := range len(value) {
		if !c.has(value[i]) {
			return false
		}
	}
	return true
}

func (c class) in(value string) bool {
	for i := range len(value) {
		if c.has(value[i]) {
			return true
		}
	}
	return false
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }
func isWord(c byte) bool  { return isAlnum(c) || c == '_' }
func isHex(c byte) bool   { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
func isSpace(c byte) bool { return c == ' ' || c == '\t' }
func visible(c byte) bool { return c > ' ' && c < 0x7f }
func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

func allLower(word string) bool   { return !capitals.in(word) }
func allUpper(word string) bool   { return !small.in(word) }
func allLetters(word string) bool { return letters.all(word) }

func classes(value string) (lower, upper, digit, other int) {
	for i := range len(value) {
		switch c := value[i]; {
		case isLower(c):
			lower++
		case isUpper(c):
			upper++
		case isDigit(c):
			digit++
		default:
			other++
		}
	}
	return lower, upper, digit, other
}

// mixed reports whether a value has small letters, capitals and digits.
func mixed(value string) bool { return small.in(value) && capitals.in(value) && digits.in(value) }

// printable reports whether a text has no control characters but line breaks and tabs.
func printable(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return text != ""
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}
