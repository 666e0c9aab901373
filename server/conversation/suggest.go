package conversation

import (
	"slices"
	"strings"
	"unicode/utf8"

	"ltm/text/secrets"
)

const (
	// ruleConfidence is the confidence of what a word rule suggests. It is even odds: a rule sees the form of a
	// sentence and not its meaning, and a person decides.
	ruleConfidence = 0.5
	// maxStatement is the longest sentence, in words, that a rule looks at. The statements that the rules know are
	// short; in longer sentences the rest changes the meaning.
	maxStatement = 30
	// maxSuggested limits what one event suggests, so that one pasted text cannot fill a person's list.
	maxSuggested = 8
)

// Suggestion is a claim that a text seems to make.
type Suggestion struct {
	Bucket     Bucket
	Text       string // a sentence of the text, or its end
	Confidence float64
}

// rule says that a sentence that begins with a phrase makes a claim.
type rule struct {
	begins string
	bucket Bucket
	// unless lists first words of the rest with which the sentence says something else.
	unless []string
	// importance is that of the sentence; see [Importance].
	importance int
}

// englishRules returns the rules for English. The first that matches counts. "I am" alone is not a rule: it begins
// moods and complaints more often than facts.
func englishRules() []rule {
	pointing := []string{"it", "this", "that", "these", "those", "them", "your", "you", "the", "how", "where", "what",
		"when", "to", "him", "her", "one"}
	measure := []string{"hundred", "bit", "little", "lot", "few", "tad", "couple", "while", "second", "moment", "mess",
		"step"}
	vague := []string{"that", "this", "it", "something", "a", "the"}
	return []rule{
		{"my name is", Profile, []string{"not", "too", "wrong", "missing", "misspelled", "in", "on",
			"already", "unfortunately"}, identity},
		{"call me", Profile, []string{"back", "later", "when", "if", "tomorrow", "at", "on", "crazy", "a", "an",
			"after", "now", "today", "tonight", "maybe", "again", "this", "next"}, identity},
		{"i am from", Profile, []string{"time"}, identity},
		{"i am allergic to", Constraints, pointing, identity},
		{"i am a", Profile, measure, identity},
		{"i am an", Profile, []string{"hour"}, identity},
		{"i am working on", Projects, vague, intent},
		{"i am learning", LongRunningContext, []string{"that", "this", "it", "to", "a", "how", "from", "so"},
			intent},
		{"i am vegetarian", Constraints, nil, identity},
		{"i am vegan", Constraints, nil, identity},
		{"i live in", Profile, []string{"hope", "fear", "constant", "a", "the", "this", "that"}, identity},
		{"i work at", Profile, []string{"night", "home", "it", "this", "the", "a", "that"}, identity},
		{"i work for", Profile, []string{"it", "this", "that", "a", "hours", "free", "the"}, identity},
		{"i work as", Profile, []string{"expected", "well", "much", "hard", "fast"}, identity},
		{"i was born", Profile, []string{"yesterday", "to", "ready"}, identity},
		{"my birthday is", Profile, []string{"not", "wrong", "coming", "soon", "over", "missing"}, identity},
		{"my favorite", Preferences, []string{"is", "one", "part", "thing"}, taste},
		{"my favourite", Preferences, []string{"is", "one", "part", "thing"}, taste},
		{"i prefer", Preferences, pointing, taste},
		{"i do not like", Preferences, pointing, taste},
		{"i dislike", Preferences, pointing, taste},
		{"i like", Preferences, pointing, taste},
		{"i love", Preferences, pointing, taste},
		{"i hate", Preferences, pointing, taste},
		{"i do not eat", Constraints, pointing, intent},
		{"i do not drink", Constraints, pointing, intent},
		{"i can not eat", Constraints, pointing, intent},
		{"i never eat", Constraints, pointing, intent},
		{"always answer", CommunicationStyle, nil, intent},
		{"always reply", CommunicationStyle, nil, intent},
		{"always respond", CommunicationStyle, nil, intent},
		{"never answer", CommunicationStyle, nil, intent},
		{"keep your answers", CommunicationStyle, nil, intent},
		{"my goal is", Goals, []string{"not", "unclear", "that", "this"}, intent},
		{"i want to learn", Goals, []string{"more", "about", "how", "what", "why", "this", "that"}, intent},
		{"i want to become", Goals, nil, intent},
	}
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
	supposed  bool // states what might be, or what someone else said
	unreal    bool // that, or what was
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
	wishes := strings.NewReplacer("would like to", "want to", "would love to", "want to", "would rather", "prefer")
	s.supposed = borrowed(text) || has(strings.Fields(wishes.Replace(strings.Join(s.words, " "))), unreal()...)
	s.unreal = s.supposed || has(s.words, append(past(), "would")...)
	return s
}

// match returns the rule that the sentence follows.
func (s sentence) match() (rule, bool) {
	if s.question || s.complains || s.unreal || len(s.words) > maxStatement {
		return rule{}, false
	}
	for _, r := range englishRules() {
		rest, ok := after(s.words, r.begins)
		if !ok {
			continue
		}
		if len(rest) == 0 {
			// only "I am vegan" and the like are whole sentences
			whole := r.begins == "i am vegan" || r.begins == "i am vegetarian"
			return r, whole
		}
		return r, !slices.Contains(r.unless, rest[0])
	}
	if s.asked && len(s.words) > 1 && !slices.Contains([]string{"time", "day", "you", "one"}, s.words[0]) {
		return rule{bucket: LongRunningContext, importance: identity}, true
	}
	return rule{}, false
}

// Suggest returns the claims that a user's text seems to make about its writer, in the text's order, each once. It
// looks at whole sentences, and not at questions, complaints, suppositions, quotations, code and injected memory.
// A sentence with a credential is no claim. lang is the declared language; only English has rules.
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
		r, ok := s.match()
		if !ok || len(secrets.InTalk(text)) > 0 {
			continue
		}
		claim := strings.TrimRight(statement(text), " .!;,:")
		if id := ClaimID(r.bucket, claim); !seen[id] && len(found) < maxSuggested {
			seen[id] = true
			found = append(found, Suggestion{r.bucket, claim, ruleConfidence})
		}
	}
	return found
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
