package memory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// OutdatedInTopic returns the first number or identifier of a topic that a memory's text had before and does not have
// any more, or "". A topic that has such a word is likely to be false.
func OutdatedInTopic(topic, before, after string) string {
	for i, part := range strings.Split(topic, "`") {
		quoted := i%2 == 1
		for _, word := range wordsOf(part) {
			if n := numberOf(word); n.digits != "" && n.in(before) && !n.in(after) ||
				!quoted && n.digits == "" && isIdentifier(word) && hasWord(before, word) && !hasWord(after, word) {
				return word
			}
		}
		if quoted && numberOf(part).digits == "" && hasWord(before, part) && !hasWord(after, part) {
			return part
		}
	}
	return ""
}

// wordsOf splits a text at everything that is not part of a number or an identifier.
func wordsOf(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.,/-%", r)
	})
	for i, word := range words {
		words[i] = strings.TrimLeft(strings.TrimRight(word, ".,/-"), ".,")
	}
	return words
}

// number is a number or a version with the unit that is written together with it.
type number struct{ digits, unit string }

// numberOf returns the number that a word begins with, or none.
func numberOf(word string) number {
	word = strings.TrimLeft(strings.ToLower(word), "-")
	if rest := strings.TrimPrefix(word, "v"); rest != "" && isDigit(rest[0]) {
		word = rest
	}
	end := 0
	for end < len(word) && (isDigit(word[end]) ||
		end > 0 && end+1 < len(word) && strings.IndexByte(".,/-_", word[end]) >= 0 && isDigit(word[end+1])) {
		end++
	}
	unit := strings.TrimLeftFunc(word[end:], func(r rune) bool { return r == '%' || unicode.IsLetter(r) })
	return number{strings.ReplaceAll(word[:end], ",", ""), word[end : len(word)-len(unit)]}
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// in reports whether a text has the number. A unit may be missing there, since it may be the next word.
func (n number) in(text string) bool {
	return slices.ContainsFunc(wordsOf(text), func(word string) bool {
		o := numberOf(word)
		return o.digits == n.digits && (o.unit == n.unit || o.unit == "" || n.unit == "")
	})
}

// isIdentifier reports whether a word looks like code: snake_case, camelCase, a.dotted name, a path with an extension,
// or a --flag.
func isIdentifier(word string) bool {
	if strings.HasPrefix(word, "--") || strings.Contains(strings.Trim(word, "_"), "_") {
		return true
	}
	if at := strings.LastIndexByte(word, '.'); at > 0 && len(word)-at > 2 {
		return true
	}
	first, size := utf8.DecodeRuneInString(word)
	return unicode.IsLower(first) && strings.ContainsFunc(word[size:], unicode.IsUpper)
}

// hasWord reports whether a text has a word that does not go on at either end.
func hasWord(text, word string) bool {
	goesOn := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for word != "" {
		at := strings.Index(text, word)
		if at < 0 {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(text[:at])
		text = text[at+len(word):]
		if next, _ := utf8.DecodeRuneInString(text); !goesOn(last) && !goesOn(next) {
			return true
		}
	}
	return false
}
