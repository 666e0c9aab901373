package conversation

import (
	"slices"
	"strings"
	"unicode/utf8"

	"ltm/text/secrets"
)

const (
	// surely is the confidence of what names a fact outright, such as a name or where someone lives, likely that of
	// everything else: forms of tastes and plans are more often meant for the moment. TestSuggestions counts how often
	// they are wrong.
	surely, likely = 0.9, 0.7
	// maxStatement is the longest sentence, in words, that a rule looks at. The statements that the rules know are
	// short; in longer sentences the rest changes the meaning.
	maxStatement = 30
	// maxSuggested limits what one event suggests, so that one pasted text cannot fill a person's list.
	maxSuggested = 8
)

// Suggestion is a claim that a text seems to make.
type Suggestion struct {
	Bucket     Bucket
	Text       string // a sentence of the text, or a part of it
	Confidence float64
}

// leads are words before a statement that do not change it, longest first.
func leads() []string {
	return []string{"please remember that", "please note that", "remember that", "for the record", "by the way",
		"just so you know", "as i said", "note that", "from now on", "and", "also", "well", "actually", "so", "ok",
		"okay", "hi", "hello", "hey", "yes", "please", "btw", "fyi"}
}

// asks lists first words of English sentences that ask, with or without a question mark.
func asks() []string {
	return []string{"what", "why", "how", "who", "whom", "whose", "which", "when", "where", "do", "does", "did", "is",
		"are", "was", "were", "am", "can", "could", "would", "should", "will", "may", "might", "has", "have", "explain"}
}

// complaint lists words with which a sentence reports trouble of the moment, not a fact about its writer.
func complaint() []string {
	return []string{"error", "errors", "bug", "bugs", "crash", "crashes", "crashed", "exception", "fail", "fails",
		"failed", "failing", "failure", "broken", "stuck", "wrong", "issue", "issues", "problem", "problems",
		"not work",
		"not working", "getting", "confused", "traceback", "undefined", "annoying", "frustrated"}
}

// unreal lists words with which a sentence states what might be, was, or what someone else said.
func unreal() []string {
	return []string{"if", "unless", "suppose", "imagine", "pretend", "maybe", "perhaps", "would", "could", "might",
		"except", "joking", "kidding", "says", "said",
		"lyrics", "sorry", "in the example", "for example", "in the game",
		"in the story"}
}

// supposed reports whether words state what might be, or what someone else said.
func supposed(ws []string) bool {
	wishes := strings.NewReplacer("would like to", "want to", "would love to", "want to", "would rather", "prefer")
	return has(strings.Fields(wishes.Replace(strings.Join(ws, " "))), unreal()...)
}

// past lists words with which a sentence states what was, or is for a moment.
func past() []string {
	return []string{"used to", "no longer", "anymore", "not any more", "right now", "at the moment"}
}

// tasks lists beginnings of sentences behind which a message has texts to work on, or a role that someone plays.
func tasks() []string {
	return []string{"translate", "correct", "rewrite", "rephrase", "paraphrase", "proofread", "fix", "improve",
		"summarize", "summarise", "write", "roleplay", "act as", "pretend", "imagine", "suppose", "let us pretend",
		"let us imagine", "you are a", "you are an"}
}

// isTask reports whether what follows the sentence is not said by its writer.
func (s sentence) isTask() bool {
	rest := s.words
	for _, asks := range []string{"can you", "could you", "would you", "please"} {
		if behind, ok := after(rest, asks); ok {
			rest = behind
		}
	}
	return slices.ContainsFunc(tasks(), func(task string) bool {
		behind, ok := after(rest, task)
		return ok && len(behind) > 0 // "Correct." is an answer
	})
}

// borrowed reports whether a sentence is quoted, or has something to be filled in.
func borrowed(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return strings.ContainsRune("\"'`“”‘„«‹「", first) || strings.ContainsAny(text, "{}[]<>") ||
		strings.Contains(text, "__")
}

// sentence is what the rules know about a sentence of a declared language.
type sentence struct {
	text      string
	words     []string // without the words that lead in
	question  bool
	complains bool
	unreal    bool
	asked     bool // whether it is to be remembered in so many words
}

// read examines a sentence.
func read(text string) sentence {
	s := sentence{text: text, words: words(text)}
	s.question = strings.ContainsAny(text, "?？¿")
	for again := true; again; {
		again = false
		for _, lead := range leads() {
			rest, ok := after(s.words, lead)
			if !ok || len(rest) == 0 {
				continue
			}
			s.asked = s.asked || strings.HasSuffix(lead, "that")
			s.words, again = rest, true
			break
		}
	}
	_, forbids := after(s.words, "do not")
	s.question = s.question || len(s.words) > 0 && slices.Contains(asks(), s.words[0]) && !forbids
	s.complains = has(s.words, complaint()...)
	s.unreal = supposed(s.words) || borrowed(text) || has(s.words, append(past(), "would")...)
	return s
}

// Suggest returns the claims that a user's text seems to make about its writer, in the text's order, each once: what
// [Read] finds to be so, and what is to be remembered. It looks at whole sentences, and not at questions, suppositions,
// quotations, code and injected memory. A sentence with a credential is no claim. lang is the declared language; only
// English has rules.
func Suggest(text, lang string) []Suggestion {
	if !english(lang) {
		return nil
	}
	var found []Suggestion
	seen := map[string]bool{}
	for _, text := range sentences(text) {
		s := read(text)
		if s.isTask() {
			break
		}
		for _, c := range s.claims() {
			if id := ClaimID(c.Bucket, c.Text); !seen[id] && len(found) < maxSuggested {
				seen[id] = true
				found = append(found, c)
			}
		}
	}
	return found
}

// claims returns the claims that a sentence makes.
func (s sentence) claims() (all []Suggestion) {
	if len(secrets.InTalk(s.text)) > 0 {
		return nil
	}
	for _, r := range Read(s.text) {
		if r.suggests() {
			all = append(all, Suggestion{r.Slot.Bucket(), r.Text, r.confidence()})
		}
	}
	if len(all) == 0 && s.remembers() {
		all = []Suggestion{{LongRunningContext, strings.TrimRight(statement(s.text), " .!;,:"), surely}}
	}
	return all
}

// remembers reports whether a sentence asks to remember something.
func (s sentence) remembers() bool {
	return s.asked && !s.question && !s.complains && !s.unreal && len(s.words) > 1 && len(s.words) <= maxStatement &&
		!slices.Contains([]string{"time", "day", "you", "one"}, s.words[0])
}

// suggests reports whether a reading is of the speaker, and so. Of what is denied, few slots say something.
func (r Reading) suggests() bool {
	return r.Subject == "" && !r.Ended && (!r.Denied || slices.Contains([]Slot{Dislikes, Language, Family}, r.Slot))
}

func (r Reading) confidence() float64 {
	if r.Slot.importance() < identity || r.Denied {
		return likely
	}
	return surely
}

// statement returns a sentence without the mark of a list and the words that lead in, so that it is the same claim with
// and without them.
func statement(text string) string {
	text = strings.TrimLeft(text, " -*•–")
	for again := true; again; {
		again = false
		for _, lead := range leads() {
			rest, ok := cutWords(text, lead)
			if ok && len(words(rest)) > 0 {
				text, again = rest, true
				break
			}
		}
	}
	return text
}

// cutWords cuts a lead from the beginning of a text, if whole words of it are there.
func cutWords(text, lead string) (string, bool) {
	if len(text) <= len(lead) || !strings.EqualFold(text[:len(lead)], lead) {
		return "", false
	}
	if next := text[len(lead)]; !strings.ContainsRune(" ,:.!;", rune(next)) {
		return "", false
	}
	return strings.TrimLeft(text[len(lead):], " ,:.!;-"), true
}
