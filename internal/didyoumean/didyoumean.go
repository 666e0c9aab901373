// Package didyoumean suggests known names for a mistyped word: those within one or two typing errors. It is pure, and
// does not know what the names mean.
package didyoumean

import (
	"cmp"
	"slices"
	"strings"
)

const (
	// most is the maximum number of suggestions.
	most = 3

	// shortWord is the longest word, in characters, for which only one typing error is corrected;
	// for longer words two are.
	shortWord = 4

	// leastPrefix is the minimum length of a word that is matched as a prefix.
	leastPrefix = 2
)

// To returns the names nearest to a word, at most three: the nearest first, ties in the given
// order. It ignores case. A name that begins with the word counts as one typing error away.
func To(word string, names []string) []string {
	type near struct {
		name string
		far  int
	}
	typed := []rune(strings.ToLower(word))
	var found []near
	for _, name := range names {
		lower := strings.ToLower(name)
		far := distance(typed, []rune(lower))
		if len(typed) >= leastPrefix && strings.HasPrefix(lower, string(typed)) {
			far = min(far, 1)
		}
		if far <= slips(typed) && far < len(typed) {
			found = append(found, near{name, far})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(a.far, b.far) })
	names = make([]string, 0, most)
	for _, n := range found[:min(most, len(found))] {
		names = append(names, n.name)
	}
	return names
}

// slips returns how many typing errors are corrected in a word.
func slips(word []rune) int {
	if len(word) <= shortWord {
		return 1
	}
	return 2
}

// distance counts the characters to add, drop, replace or swap with their neighbor to turn a into b
// (optimal string alignment).
func distance(a, b []rune) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			other := 1
			if a[i-1] == b[j-1] {
				other = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+other)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
