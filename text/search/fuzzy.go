package search

import (
	"cmp"
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

// bySpelling orders spellings by their distance from word.
func bySpelling(word string) func(a, b spelling) int {
	return func(a, b spelling) int {
		return cmp.Or(cmp.Compare(a.cost(word), b.cost(word)), cmp.Compare(b.docs, a.docs), cmp.Compare(a.key, b.key))
	}
}

// cost ranks spellings: fewer edits first, then those with the same first letter, which is rarely
// wrong.
func (s *spelling) cost(word string) int {
	cost := 2 * s.edits
	if s.key[0] != word[0] {
		cost++
	}
	return cost
}

// misspellable reports whether word is neither a code, in which another digit makes another code,
// nor the key of a tag.
func misspellable(word string) bool {
	for i := range len(word) {
		if word[i] == 0 || isDigit(rune(word[i])) {
			return false
		}
	}
	return true
}

func allowedEdits(word string) int {
	if utf8.RuneCountInString(word) >= twoEdits {
		return 2
	}
	return 1
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// letters returns the set of letters in a word, hashed to 32 bits. One edit changes at most two of
// them.
func letters[T string | []byte](word T) (set uint32) {
	for i := range len(word) {
		set |= 1 << (word[i] & 31)
	}
	return set
}

// edits returns how many letters to insert, delete, replace or swap with the next turn a into b, or
// limit+1 if that takes more than limit.
func edits(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if max(len(x)-len(y), len(y)-len(x)) > limit {
		return limit + 1
	}
	var rows [3][maxWord + 1]int
	for j := range len(y) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		two, one, cur := &rows[(i+1)%3], &rows[(i-1)%3], &rows[i%3]
		cur[0] = i
		best := i
		for j := 1; j <= len(y); j++ {
			n := one[j-1]
			if x[i-1] != y[j-1] {
				n++
			}
			n = min(n, one[j]+1, cur[j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				n = min(n, two[j-2]+1)
			}
			cur[j] = n
			best = min(best, n)
		}
		if best > limit {
			return limit + 1
		}
	}
	return rows[len(x)%3][len(y)]
}
