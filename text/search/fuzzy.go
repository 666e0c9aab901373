package search

import (
	"strings"
	"unicode/utf8"
)

// minFuzzy is the minimum length of a word that may be misspelled, and twoEdits the minimum length
// for two wrong letters. In a shorter word, a different letter makes a different word.
const (
	minFuzzy = 4
	twoEdits = 8
)

// spelling is a word of the index that may replace an unknown word.
type spelling struct {
	key        string
	edits      int
	docs       int // that contain it: a common word is meant more often
	base, made int
}

// cost ranks spellings: fewer edits first, then those with the same first letter, which is rarely wrong.
func (s *spelling) cost(word string) int {
	cost := 2 * s.edits
	if s.key[0] != word[0] {
		cost++
	}
	return cost
}

// misspellable reports whether word is neither a code, in which another digit makes another code, nor the key of a tag.
func misspellable(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return r == 0 || isDigit(r) })
}

func allowedEdits(word string) int {
	if utf8.RuneCountInString(word) >= twoEdits {
		return 2
	}
	return 1
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// letters returns the set of letters in a word, hashed to 32 bits. One edit changes at most two of them.
func letters[T string | []byte](word T) (set uint32) {
	for i := range len(word) {
		set |= 1 << (word[i] & 31)
	}
	return set
}
