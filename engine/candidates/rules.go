package candidates

import (
	"slices"
	"strings"

	"ltm/engine/transcript"
	"ltm/memory"
)

const (
	// longAsk is the length of an ask, in bytes, from which it is a document that is about something else.
	longAsk = 1200

	leastRule, mostRule = 12, 300 // characters
)

// rules returns what a person told the model to do from now on.
func rules(o transcript.Outline) []Candidate {
	var out []Candidate
	for _, s := range o.Steps {
		if s.Kind != transcript.Asked || len(s.Text) > longAsk {
			continue
		}
		for line := range strings.SplitSeq(s.Text, "\n") {
			for sentence := range sentences(line) {
				sentence = flat(sentence)
				known := func(c Candidate) bool { return c.Text == sentence }
				if len(out) < maxRules && isRule(sentence) && !slices.ContainsFunc(out, known) {
					out = append(out, Candidate{Topic: memory.ClipTopic(clipped(sentence, maxTopic)), Text: sentence,
						Why: "a person stated it as a rule"})
				}
			}
		}
	}
	return out
}

// isRule reports whether a sentence tells what to do from now on, and not only this time.
func isRule(sentence string) bool {
	if n := len([]rune(sentence)); n < leastRule || n > mostRule || strings.HasSuffix(sentence, "?") {
		return false
	}
	low := strings.ToLower(strings.TrimLeft(sentence, "-*> "))
	for _, lead := range []string{"no, ", "no: ", "please ", "and ", "also ", "but ", "nein, ", "bitte ", "non, "} {
		low = strings.TrimPrefix(low, lead)
	}
	for _, idiom := range []string{"never mind", "never seen ", "always the same "} { // they tell what is so
		if strings.HasPrefix(low, idiom) {
			return false
		}
	}
	for _, begin := range []string{"always ", "never ", "from now on", "remember that ", "remember: ", "don't ever ",
		"do not ever ", "we always ", "we never ", "you must always ", "you must never ", "make sure to always ",
		"immer ", "nie ", "niemals ", "ab jetzt ", "merk dir", "denk daran", "toujours ", "jamais ", "ne jamais ",
		"désormais ", "siempre ", "nunca ", "sempre ", "mai ", "总是", "永远不要", "以后", "请记住", "必ず", "絶対に"} {
		if strings.HasPrefix(low, begin) {
			return true
		}
	}
	return false
}
