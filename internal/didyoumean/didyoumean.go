// Package didyoumean suggests known names for a mistyped word: those within one or two typing errors. It is pure, and
// does not know what the names mean.
package didyoumean

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
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
	typed := strings.ToLower(word)
	size := utf8.RuneCountInString(typed)
	limit := 2
	if size <= shortWord {
		limit = 1
	}
	var found []near
	for _, name := range names {
		lower := strings.ToLower(name)
		far := Edits(typed, lower, limit)
		if size >= leastPrefix && strings.HasPrefix(lower, typed) {
			far = min(far, 1)
		}
		if far <= limit && far < size {
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

// Edits returns how many characters to add, drop, replace or swap with the next turn a into b (optimal string
// alignment), or limit+1 if that takes more than limit.
func Edits(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if max(len(x)-len(y), len(y)-len(x)) > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			other := 1
			if x[i-1] == y[j-1] {
				other = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+other)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		if slices.Min(row) > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return min(last[len(y)], limit+1)
}
