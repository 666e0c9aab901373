package conversation

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ltm/text/search"
)

// The importance of a text, 0..5: the steps that applications filter by. What a person says about who they are
// outlives a plan, and a plan outlives a taste.
const (
	identity = 5
	intent   = 3
	taste    = 1

	// longText is the length, in characters, from which a text without any cue is worth a look: people
	// do not write two lines for small talk.
	longText = 120
)

// isTrivial reports whether a text is courtesy or nothing, whatever signs follow it.
func isTrivial(text string) bool {
	ws := slices.DeleteFunc(words(text), func(w string) bool {
		r, _ := utf8.DecodeRuneInString(w)
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	})
	return len(ws) == 0 || slices.Contains(listed("trivial"), strings.Join(ws, " "))
}

// Telling reports whether an event may say something about its user, so that a model should be asked: it is the user's
// and has two words of content. What it says, in which language, is for the model to see.
func Telling(e Event) bool {
	text := Said(e.Text)
	return e.Role == User && !isTrivial(text) && len(search.TermsOf(text)) >= 2
}

// Importance returns how much an event is worth keeping, 0..5: 5 who someone is, or what they ask to remember; 3
// plans and rules; 1 tastes, and long texts; 0 the rest, questions and complaints, and everything that the user
// did not say. Texts declared to be in another language than English are judged by their length alone.
func Importance(e Event) int {
	if e.Role != User {
		return 0
	}
	text := strings.TrimSpace(Said(e.Text))
	if isTrivial(text) {
		return 0
	}
	best := 0
	if length(text) >= longText {
		best = taste
	}
	if english(e.Lang) {
		for _, s := range sentences(text) {
			best = max(best, weigh(s))
		}
	}
	return best
}

// weigh returns the importance of one English sentence.
func weigh(text string) int {
	s := read(text)
	if s.remembers() {
		return identity
	}
	best := 0
	for _, r := range Read(text) {
		if r.Subject == "" {
			best = max(best, r.Slot.importance())
		}
	}
	if best > 0 {
		return best
	}
	if s.question || s.complains || s.unreal || !has(s.words, listed("intents")...) {
		return 0
	}
	return intent
}

// length returns the length of a text in characters, where a character of a script that needs about half as many of
// them, such as Chinese, counts twice.
func length(text string) int {
	n := 0
	for _, r := range text {
		n++
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			n++
		}
	}
	return n
}
