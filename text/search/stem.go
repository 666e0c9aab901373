package search

import "github.com/kljensen/snowball/english"

// minStem is the minimum length of a word that is stemmed; shorter ones are names.
const minStem = 3

// stem reduces a word to what its inflections have in common. A word with anything but the letters
// a to z is a name, a code or in another language, and stays unchanged.
func stem(word string) string {
	if len(word) < minStem || len(word) > 32 {
		return word
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	if base := irregular(word); base != "" {
		word = base
	}
	return english.Stem(word, true)
}

// irregular returns the base of an inflection that no suffix rule reverses. It lists only verbs and
// nouns that engineers use about their work.
func irregular(word string) string {
	switch word {
	case "began", "begun":
		return "begin"
	case "broke", "broken":
		return "break"
	case "brought":
		return "bring"
	case "built":
		return "build"
	case "bought":
		return "buy"
	case "caught":
		return "catch"
	case "chose", "chosen":
		return "choose"
	case "children":
		return "child"
	case "dealt":
		return "deal"
	case "drew", "drawn":
		return "draw"
	case "drove", "driven":
		return "drive"
	case "fell", "fallen":
		return "fall"
	case "forgot", "forgotten":
		return "forget"
	case "froze", "frozen":
		return "freeze"
	case "grew", "grown":
		return "grow"
	case "held":
		return "hold"
	case "hidden":
		return "hide"
	case "hung":
		return "hang"
	case "indices":
		return "index"
	case "kept":
		return "keep"
	case "knew", "known":
		return "know"
	case "lost":
		return "lose"
	case "matrices":
		return "matrix"
	case "ran":
		return "run"
	case "sent":
		return "send"
	case "shook", "shaken":
		return "shake"
	case "slept":
		return "sleep"
	case "spent":
		return "spend"
	case "stole", "stolen":
		return "steal"
	case "stuck":
		return "stick"
	case "threw", "thrown":
		return "throw"
	case "thought":
		return "think"
	case "vertices":
		return "vertex"
	case "woke", "woken":
		return "wake"
	case "wrote", "written":
		return "write"
	}
	return ""
}
