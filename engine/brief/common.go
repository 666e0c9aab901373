package brief

import (
	_ "embed"
	"strings"
)

//go:embed common.txt
var common string

// What a word counts as evidence that a memory bears on a prompt: less if requests are made of it whatever they are
// about, and little if it is a number that can be anything.
const (
	commonWeight = 0.8
	numberWeight = 0.3
)

// Weigh returns what a word of a prompt, of which stem is what its inflections have in common, counts as evidence.
func Weigh(word, stem string) float64 {
	switch {
	case isNumber(word):
		return numberWeight
	// A word that requests to a coding agent are made of, whatever they are about: a small store knows few of them, and
	// takes those for rare.
	case strings.Contains(common, "\n"+stem+"\n"):
		return commonWeight
	}
	return 1
}

// isNumber reports whether a word is a number of one or two digits. Longer ones are often codes.
func isNumber(word string) bool {
	for i := range len(word) {
		if word[i] < '0' || word[i] > '9' {
			return false
		}
	}
	return len(word) <= 2
}
