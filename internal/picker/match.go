package picker

import (
	"strings"
	"unicode"
)

// The score of a word of the query in a text.
const (
	wholeScore = 100 // its characters are adjacent
	startBonus = 20  // they begin a word
	looseScore = 60  // they occur in order; each character in between costs 1
)

// Match reports whether text contains every word of query, its characters in order but not
// necessarily adjacent, and how well: a higher score is better. It ignores case.
func Match(query, text string) (score int, ok bool) {
	in := lower(text)
	for word := range strings.FieldsSeq(query) {
		s, ok := matchWord(lower(word), in)
		if !ok {
			return 0, false
		}
		score += s
	}
	return score, true
}

func lower(s string) []rune {
	runes := []rune(s)
	for i, r := range runes {
		runes[i] = unicode.ToLower(r)
	}
	return runes
}

func matchWord(word, in []rune) (best int, ok bool) {
	for start := range in {
		if in[start] != word[0] {
			continue
		}
		end, found := follow(word, in[start:])
		if !found {
			break // later places do not match either
		}
		score := max(1, looseScore-(end-len(word)))
		if end == len(word) {
			score = wholeScore
		}
		if start == 0 || !unicode.IsLetter(in[start-1]) && !unicode.IsDigit(in[start-1]) {
			score += startBonus
		}
		best, ok = max(best, score), true
	}
	return best, ok
}

// follow reports whether in begins with the first character of word and contains the others in
// order after it, and returns where they end.
func follow(word, in []rune) (end int, ok bool) {
	at := 0
	for i, r := range in {
		if r == word[at] {
			if at++; at == len(word) {
				return i + 1, true
			}
		}
	}
	return 0, false
}
