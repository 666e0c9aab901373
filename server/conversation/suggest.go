package conversation

import (
	"slices"
	"strings"
	"unicode"
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

// supposed reports whether words state what might be, or what someone else said.
func supposed(ws []string) bool {
	wishes := strings.NewReplacer("would like to", "want to", "would love to", "want to", "would rather", "prefer",
		"would prefer if you", "prefer you", "would prefer", "prefer", "would like you to", "want you to")
	return has(strings.Fields(wishes.Replace(strings.Join(ws, " "))), listed("unreal")...)
}

// isTask reports whether what follows the sentence is not said by its writer.
func (s sentence) isTask() bool {
	rest := s.words
	for _, asks := range []string{"can you", "could you", "would you", "please"} {
		if behind, ok := after(rest, asks); ok {
			rest = behind
		}
	}
	return slices.ContainsFunc(listed("tasks"), func(task string) bool {
		behind, ok := after(rest, task)
		// "Correct." is an answer, and "Write to me in German" is about all texts
		return ok && len(behind) > 0 && (task != "write" || !begins(behind, "to me", "that", "it", "with"))
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
		for _, lead := range listed("leads") {
			rest, ok := after(s.words, lead)
			if !ok || len(rest) == 0 {
				continue
			}
			s.asked = s.asked || strings.HasSuffix(lead, "that")
			s.words, again = rest, true
			break
		}
	}
	tells := begins(s.words, "do not", "when you")
	s.question = s.question || len(s.words) > 0 && slices.Contains(listed("asks"), s.words[0]) && !tells
	s.complains = has(s.words, listed("complaint")...)
	s.unreal = supposed(s.words) || borrowed(text) || has(s.words, listed("past")...)
	return s
}

// Suggest returns the claims that a user's text seems to make about its writer, in the text's order, each once: what
// [Read] finds to be so, and what is to be remembered. It looks at whole sentences, and not at questions, suppositions,
// quotations, code and injected memory. A sentence with a credential is no claim. lang is the declared language; only
// English has rules.
func Suggest(text, lang string) []Suggestion {
	if !english(lang) || jests(text) {
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

// jests reports whether a text takes back what it says: "I live in Berlin. Just kidding."
func jests(text string) bool { return has(words(Said(text)), listed("jests")...) }

// maxAnswered is the longest text, in words, that is only an answer: a longer one is sentences.
const maxAnswered = 12

// Brief reports whether an event of the user may be nothing but an answer, which says more with its question.
func Brief(e Event) bool {
	all := sentences(e.Text)
	return e.Role == User && english(e.Lang) && len(all) > 0 && len(words(all[0])) <= maxAnswered &&
		!isTrivial(e.Text) && !read(all[0]).question
}

// SuggestAnswer is [Suggest] for a text that answers another one, which may be empty. A short answer is completed to
// the statement that the question asks for: "Two kids" to "Do you have children?" is "I have two kids".
func SuggestAnswer(asked, text, lang string) []Suggestion {
	found := Suggest(text, lang)
	all := sentences(text)
	if jests(text) || !Brief(Event{Role: User, Text: text, Lang: lang}) || len(Suggest(all[0], lang)) > 0 {
		return found
	}
	answer := strings.TrimRight(statement(all[0]), " .!,;")
	if slices.Contains(listed("refusals"), words(answer + " no")[0]) {
		return found
	}
	questions := slices.DeleteFunc(sentences(asked), func(s string) bool { return !strings.Contains(s, "?") })
	for _, question := range questions[max(0, len(questions)-1):] { // the last is what is answered
		for _, start := range englishLexicon().starts(question) {
			for _, r := range Read(start + " " + cutStart(answer, start)) {
				if r.suggests() && (r.Slot != Name || strings.HasSuffix(start, "name is")) &&
					len(secrets.InTalk(r.Text)) == 0 {
					return append([]Suggestion{{r.Slot.Bucket(), r.Text, likely}}, found...)
				}
			}
		}
	}
	return found
}

// cutStart returns an answer as it goes on from the beginning of a statement: "In Rome" behind "I live in" is "Rome".
func cutStart(answer, start string) string {
	last := start[strings.LastIndex(start, " ")+1:]
	if rest, ok := cutWords(answer, last); ok {
		return rest
	}
	first, _ := utf8.DecodeRuneInString(answer)
	begins, x := words(answer + " x")[0], englishLexicon()
	if slices.Contains([]string{"from", "in"}, last) && answer == strings.ToLower(answer) &&
		!x.list("@pointing|@articles|@adverbs|@prepositions|@parts|@regions|@unplaced").has(begins) {
		return string(unicode.ToUpper(first)) + answer[utf8.RuneLen(first):] // "galway" to "Where are you from?"
	}
	if slices.Contains([]string{"am", "are", "have", "eat", "as", "to"}, last) || start == "my budget is" ||
		slices.Contains([]string{"a", "an", "the", "my"}, begins) {
		return string(unicode.ToLower(first)) + answer[utf8.RuneLen(first):]
	}
	return answer
}

// starts returns the beginnings of the statements that a question asks for.
func (x *lexicon) starts(question string) (all []string) {
	c := clause{lexicon: x}
	for _, w := range words(question) {
		c.tokens = append(c.tokens, token{word: w})
	}
	for _, a := range x.answers {
		for i := range c.tokens {
			c.of = ""
			if n, ok := c.match(a.pattern, c.tokens[i:]); ok && c.addressed(i, i+n) {
				all = append(all, strings.ReplaceAll(strings.Join(a.instead, " "), "*", c.of))
				break
			}
		}
	}
	return all
}

// addressed reports whether a question, which asks for the tokens from one on up to another, asks for something of the
// one that it is put to.
func (c clause) addressed(from, to int) bool {
	you := len(c.tokens) <= 4 || c.tokens[0].word == "any" // "Kids?"
	for i, t := range c.tokens {
		asked := i >= from && i < to
		you = you || t.word == "you" || t.word == "your" || asked && t.word == "the" // "How old are the kids?"
		before := c.tokens[max(0, i-2):i]
		owns := t.word == "'s" && !c.list("what|where|who|how|when|that|it").any(before[max(0, len(before)-1):])
		other := c.lists["others"].has(t.word) && c.list("your|the|a|an|this|my|our|among|for").any(before)
		if !asked && (owns || other || c.lists["strangers"].has(t.word)) {
			return false
		}
	}
	return you
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
		for _, lead := range listed("leads") {
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
