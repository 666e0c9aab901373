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
	case len(word) <= 2 && strings.Trim(word, "0123456789") == "": // longer ones are often codes
		return numberWeight
	// A word that requests to a coding agent are made of, whatever they are about: a small store knows few of them, and
	// takes those for rare.
	case strings.Contains(common, "\n"+stem+"\n"):
		return commonWeight
	}
	return 1
}
