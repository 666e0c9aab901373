package picker

import (
	"strings"
	"unicode"
)

// What a word of the query is worth in a text.
const (
	wholeScore = 100 // its characters are there in a row
	startBonus = 20  // they begin a word
	looseScore = 60  // they are there in order; each one in between takes one away
)

// Match reports whether every word of a query is in a text, its characters in order but
// perhaps with others between them, and how well: more is better. Case does not count.
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
			break // nor from any later place
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

// follow returns how much of a text it takes to find the characters of a word in order,
// the first one at its beginning.
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
