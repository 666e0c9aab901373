package search

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Snippet returns the passage of text that answers q best: whole sentences in
// a row, as many as fit into maxChars runes, on one line. A sentence that is
// longer is cut at words. If no word of q stands in text, the passage is its
// beginning.
func Snippet(text string, q Query, maxChars int) string {
	sentences := splitSentences(strings.ToValidUTF8(text, "\uFFFD"))
	if maxChars <= 0 || len(sentences) == 0 {
		return ""
	}
	m := newMatcher(q.Text, sentences)
	best, from, to := 0.0, 0, passageEnd(sentences, 0, maxChars)
	for i := range sentences {
		if !m.subject[i] {
			continue // a passage begins where something is found
		}
		end := passageEnd(sentences, i, maxChars)
		if worth := m.worth(i, end); worth > best {
			best, from, to = worth, i, end
		}
	}
	if sentences[from].runes > maxChars {
		return m.excerpt(sentences[from].text, maxChars)
	}
	var b strings.Builder
	for i, s := range sentences[from:to] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s.text)
	}
	return b.String()
}

// passageEnd returns the sentence after the last that fits. A passage does not
// run into the next heading.
func passageEnd(sentences []sentence, from, maxChars int) int {
	size := sentences[from].runes
	end := from + 1
	for ; end < len(sentences) && !sentences[end].heading; end++ {
		size += 1 + sentences[end].runes
		if size > maxChars {
			break
		}
	}
	return end
}

// matcher finds the words of a query in sentences.
type matcher struct {
	weights []float64          // of the query's words
	byStem  map[string]int     // stem to its word
	begins  map[[2]byte]bool   // how those stems begin
	known   map[string]int     // word of the text to the query's, -1: none
	found   []map[int]struct{} // by sentence, the query's words in it
	subject []bool             // by sentence, whether one of them is no stop word
}

func newMatcher(query string, sentences []sentence) *matcher {
	m := &matcher{byStem: make(map[string]int), begins: make(map[[2]byte]bool), known: make(map[string]int)}
	tokens, _ := tokenize(nil, query, 0)
	terms := distinct(tokens)
	if len(terms) > maxTerms {
		terms = slices.DeleteFunc(terms, isStopTerm)
		terms = terms[:min(len(terms), maxTerms)]
	}
	for i, t := range terms {
		m.byStem[t.stem] = i
		m.begins[beginning(t.stem)] = true
		m.weights = append(m.weights, t.weight)
	}
	words := make([][]token, len(sentences))
	in := make([]int, len(terms)) // sentences with the word
	for i, s := range sentences {
		words[i], _ = tokenize(nil, s.text, 0)
		m.learn(words[i], in)
	}
	for i, t := range terms {
		if in[i] == 0 && !t.stop && t.kind == plainToken {
			m.respell(t.word, i)
		}
	}
	m.found = make([]map[int]struct{}, len(sentences))
	m.subject = make([]bool, len(sentences))
	for i := range words {
		m.found[i] = m.match(words[i])
		for t := range m.found[i] {
			m.subject[i] = m.subject[i] || !terms[t].stop
		}
	}
	return m
}

// learn looks up the words of a sentence that are new.
func (m *matcher) learn(words []token, in []int) {
	for _, w := range words {
		i, ok := m.known[w.word]
		if !ok {
			i = m.lookUp(w.word)
			m.known[w.word] = i
		}
		if i >= 0 {
			in[i]++
		}
	}
}

// lookUp returns the word of the query that a word of the text is a form of,
// -1 if none. Stemming is slow and keeps the beginning of nearly all words.
func (m *matcher) lookUp(word string) int {
	if !m.begins[beginning(word)] && irregular(word) == "" {
		return -1
	}
	if i, ok := m.byStem[stem(word)]; ok {
		return i
	}
	return -1
}

// beginning is the first two bytes of a word.
func beginning(word string) [2]byte {
	var b [2]byte
	copy(b[:], word)
	return b
}

// respell takes words of the text for a word of the query that is not in it.
func (m *matcher) respell(word string, i int) {
	if len(word) < minFuzzy || !misspellable(word) {
		return
	}
	limit := allowedEdits(word)
	for w, is := range m.known {
		if is < 0 && edits(word, w, limit) <= limit {
			m.known[w] = i
		}
	}
}

func (m *matcher) match(words []token) map[int]struct{} {
	var found map[int]struct{}
	for _, w := range words {
		if i, ok := m.known[w.word]; ok && i >= 0 {
			if found == nil {
				found = make(map[int]struct{})
			}
			found[i] = struct{}{}
		}
	}
	return found
}

// worth is the weight of the distinct words of the query in a passage, and a
// little for those of its first sentence, which the reader sees first.
func (m *matcher) worth(from, to int) (worth float64) {
	const first = 0.1
	seen := make(map[int]struct{})
	for i := from; i < to; i++ {
		for t := range m.found[i] {
			seen[t] = struct{}{}
		}
	}
	for i, w := range m.weights { // not over the map: sums must not depend on its order
		if _, ok := seen[i]; ok {
			worth += w
		}
		if _, ok := m.found[from][i]; ok {
			worth += first * w
		}
	}
	return worth
}

// excerpt cuts the stretch of a long sentence that holds most of the query.
func (m *matcher) excerpt(sentence string, maxChars int) string {
	const ellipsis = "…"
	room := maxChars - 2 // for an ellipsis at either end
	words := strings.Fields(sentence)
	found := make([]map[int]struct{}, len(words))
	for i, w := range words {
		tokens, _ := tokenize(nil, w, 0)
		found[i] = m.match(tokens)
	}
	best, bestFrom, bestTo := -1.0, 0, 1
	for from := range words {
		if from > 0 && len(found[from]) == 0 {
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

// stretch returns how far the words from one on fit, and what they are worth.
func (m *matcher) stretch(words []string, found []map[int]struct{}, from, room int) (worth float64, to int) {
	seen := make([]bool, len(m.weights))
	size := 0
	for to = from; to < len(words); to++ {
		if size += 1 + utf8.RuneCountInString(words[to]); size-1 > room && to > from {
			break
		}
		for i := range found[to] {
			seen[i] = true
		}
	}
	for i, ok := range seen { // not over the maps: sums must not depend on their order
		if ok {
			worth += m.weights[i]
		}
	}
	return worth, to
}
