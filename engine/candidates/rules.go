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
	low, corrects := strings.ToLower(strings.TrimLeft(sentence, "-*> ")), false
	for _, lead := range []string{"no, ", "no: ", "nein, ", "non, ", "please ", "and ", "also ", "but ", "bitte "} {
		rest, ok := strings.CutPrefix(low, lead)
		low, corrects = rest, corrects || ok && lead[0] == 'n'
	}
	begins := func(beginnings ...string) bool {
		return slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(low, b) })
	}
	switch {
	case begins("never mind", "never seen ", "always the same "): // they tell what is so
		return false
	case begins("always ", "never ", "from now on", "remember that ", "remember: ", "don't ever ", "do not ever ",
		"we always ", "we never ", "you must always ", "you must never ", "make sure to always ", "immer ", "nie ",
		"niemals ", "ab jetzt ", "merk dir", "denk daran", "nimm immer ", "nutze immer ", "verwende immer ",
		"benutze immer ", "toujours ", "jamais ", "ne jamais ", "désormais ", "siempre ", "nunca ", "sempre ", "mai ",
		"总是", "永远不要", "以后", "请记住", "必ず", "絶対に"):
		return true
	case corrects && begins("use ", "take ", "nimm ", "nutze ", "verwende "): // "no, use pnpm, not npm"
		return strings.Contains(low, ", not ") || strings.Contains(low, ", nicht ")
	}
	return corrects && begins("we use ", "wir nehmen ", "wir nutzen ", "wir verwenden ") ||
		strings.Contains(low, " must always ") || strings.Contains(low, " must never ")
}
