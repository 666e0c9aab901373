package search

import (
	"slices"
	"strings"
	"unicode/utf8"

	"ltm/internal/didyoumean"
)

// Snippets picks passages that answer one query. It caches words, and is not safe for concurrent use.
type Snippets struct{ words *queryWords }

func NewSnippets(q Query) Snippets { return Snippets{newQueryWords(q)} }

// Taking returns p for texts found by a search, given the [Hit.Taken] of its hits. Without it, a
// word that a text lacks is matched to other spellings among the words of that text.
func (p Snippets) Taking(taken map[string][]string) Snippets {
	if len(taken) == 0 {
		return p
	}
	q := *p.words
	q.taken = make(map[string]int)
	for i, t := range q.terms {
		for _, word := range taken[t.word] {
			q.taken[word] = i
			q.guessed |= 1 << i
		}
	}
	return Snippets{&q}
}

// Of returns the passage of text that answers the query best: as many consecutive whole sentences as
// fit into maxChars runes, on one line. A longer sentence is cut between words. If text contains no
// word of the query, the passage is its beginning.
func (p Snippets) Of(text string, maxChars int) string { return p.In(NewText(text), maxChars) }

// In is Of for a prepared text.
func (p Snippets) In(t *Text, maxChars int) string {
	sentences := t.sentences
	if maxChars <= 0 || len(sentences) == 0 {
		return ""
	}
	m := newMatcher(p.words, t)
	best, from, to := 0.0, 0, passageEnd(sentences, 0, maxChars)
	for i := range sentences {
		if !m.subject[i] {
			continue // a passage begins with a match
		}
		end := passageEnd(sentences, i, maxChars)
		if worth := m.worth(i, end); worth > best {
			best, from, to = worth, i, end
		}
	}
	if sentences[from].runes > maxChars {
		return m.excerpt(sentences[from].text, maxChars)
	}
	if to == from+1 {
		return sentences[from].text
	}
	var b strings.Builder
	for i, s := range sentences[from:to] {
		if i > 0 {
			b.WriteString(sentences[from+i-1].gap(s))
		}
		b.WriteString(s.text)
	}
	return b.String()
}

// passageEnd returns the end of the longest passage from a sentence that fits. A passage does not
// extend into the next heading.
func passageEnd(sentences []sentence, from, maxChars int) int {
	size := sentences[from].runes
	end := from + 1
	for ; end < len(sentences) && !sentences[end].heading; end++ {
		size += len(sentences[end-1].gap(sentences[end])) + sentences[end].runes
		if size > maxChars {
			break
		}
	}
	return end
}

// wordSet is a set of words of a query, by number: there are at most maxTerms.
type wordSet uint64

func (s wordSet) has(i int) bool { return s&(1<<i) != 0 }

// queryWords are the words of a query, at most maxTerms.
type queryWords struct {
	terms   []*term
	weights []float64        // of the words
	byStem  map[string]int   // stem to its word's number
	begins  map[[2]byte]bool // the first bytes of those stems
	forms   map[string]int   // cached results of stemming: word of a text to the query's word, or -1
	taken   map[string]int   // word of the index to the unknown word that it replaces
	guessed wordSet          // those unknown words
}

func newQueryWords(query Query) *queryWords {
	terms := query.terms(query.Text)
	if len(terms) > maxTerms {
		terms = slices.DeleteFunc(slices.Clone(terms), func(t *term) bool { return t.stop })
		terms = terms[:min(len(terms), maxTerms)]
	}
	q := &queryWords{terms: terms, byStem: make(map[string]int), forms: make(map[string]int),
		begins: make(map[[2]byte]bool)}
	for i, t := range terms {
		q.byStem[t.stem], q.forms[t.word] = i, i
		q.begins[beginning(t.stem)] = true
		q.weights = append(q.weights, t.weight)
	}
	return q
}

// matcher finds the words of a query in the sentences of a text.
type matcher struct {
	*queryWords
	text    *Text
	known   []int8         // by word of the text: the query's word, or -1
	found   []wordSet      // by sentence: the query's words in it
	subject []bool         // by sentence: whether one of them is not a stop word
	byWord  map[string]int // word of the text to the query's, if it has one; nil until needed
}

func newMatcher(q *queryWords, t *Text) *matcher {
	m := &matcher{queryWords: q, text: t, known: make([]int8, len(t.words))}
	var in, subjects wordSet
	for n, word := range t.words {
		i := q.lookUp(word)
		m.known[n] = int8(i)
		if i >= 0 {
			in |= 1 << i
		}
	}
	for i, t := range q.terms {
		if !in.has(i) && !t.stop && t.kind == plainToken && !m.guessed.has(i) {
			m.respell(t.word, i)
		}
		if !t.stop {
			subjects |= 1 << i
		}
	}
	m.found = make([]wordSet, len(t.sentences))
	m.subject = make([]bool, len(t.sentences))
	for s := range t.sentences {
		for _, n := range t.wordsOf(s) {
			if i := m.known[n]; i >= 0 {
				m.found[s] |= 1 << i
			}
		}
		m.subject[s] = m.found[s]&subjects != 0
	}
	return m
}

// lookUp returns the word of the query of which word is an inflection, or which it replaces; -1 if no word matches.
// Stemming is slow, but rarely changes the beginning of a word, so that is compared first.
func (q *queryWords) lookUp(word string) int {
	if q.begins[beginning(word)] || irregular(word) != "" {
		i, ok := q.forms[word]
		if !ok {
			if i, ok = q.byStem[stem(word)]; !ok {
				i = -1
			}
			q.forms[word] = i
		}
		if i >= 0 {
			return i
		}
	}
	if i, ok := q.taken[word]; ok {
		return i
	}
	return -1
}

// of returns the word of the query that a word of the text matched; ok is false if it matched no word.
func (m *matcher) of(word string) (i int, ok bool) {
	if m.byWord == nil {
		m.byWord = make(map[string]int)
		for n, i := range m.known {
			if i >= 0 {
				m.byWord[m.text.words[n]] = int(i)
			}
		}
	}
	i, ok = m.byWord[word]
	return i, ok
}

func beginning(word string) [2]byte {
	var b [2]byte
	copy(b[:], word)
	return b
}

// respell matches words of the text to a word of the query that it lacks. The first letter must be
// the same, because it is rarely misspelled.
func (m *matcher) respell(word string, i int) {
	if len(word) < minFuzzy || !misspellable(word) {
		return
	}
	limit := allowedEdits(word)
	for n, w := range m.text.words {
		if m.known[n] < 0 && w[0] == word[0] && didyoumean.Edits(word, w, limit) <= limit {
			m.known[n] = int8(i)
		}
	}
}

func (m *matcher) match(words []token) (found wordSet) {
	for _, w := range words {
		if i, ok := m.of(w.word); ok {
			found |= 1 << i
		}
	}
	return found
}

// worth returns the weight of the distinct words of the query in a passage, plus a bonus for those
// in its first sentence, which is read first.
func (m *matcher) worth(from, to int) (worth float64) {
	const first = 0.1
	var seen wordSet
	for _, found := range m.found[from:to] {
		seen |= found
	}
	return m.weigh(seen) + first*m.weigh(m.found[from])
}

func (m *matcher) weigh(words wordSet) (weight float64) {
	for i, w := range m.weights {
		if words.has(i) {
			weight += w
		}
	}
	return weight
}

// excerpt cuts a long sentence to the part that contains most of the query.
func (m *matcher) excerpt(sentence string, maxChars int) string {
	const ellipsis = "…"
	room := maxChars - 2 // for an ellipsis at either end
	words := strings.Fields(sentence)
	found := make([]wordSet, len(words))
	for i, w := range words {
		tokens, _ := tokenize(nil, w, 0)
		found[i] = m.match(tokens)
	}
	best, bestFrom, bestTo := -1.0, 0, 1
	for from := range words {
		if from > 0 && found[from] == 0 {
			continue
		}
		if worth, to := m.stretch(words, found, from, room); worth > best {
			best, bestFrom, bestTo = worth, from, to
		}
	}
	out := strings.Join(words[bestFrom:bestTo], " ")
	if runes := []rune(out); len(runes) > room {
		out = string(runes[:max(0, room)])
	}
	if bestFrom > 0 {
		out = ellipsis + out
	}
	if out = out + ellipsis; utf8.RuneCountInString(out) > maxChars {
		return string([]rune(out)[:maxChars])
	}
	return out
}

// stretch returns the end of the words that fit, starting with word from, and their worth.
func (m *matcher) stretch(words []string, found []wordSet, from, room int) (worth float64, to int) {
	var seen wordSet
	size := 0
	for to = from; to < len(words); to++ {
		if size += 1 + utf8.RuneCountInString(words[to]); size-1 > room && to > from {
			break
		}
		seen |= found[to]
	}
	return m.weigh(seen), to
}
