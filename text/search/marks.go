package search

import (
	"slices"
	"strings"
	"unicode"
)

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

// Marks returns, in order, the words of text for which a passage is picked: inflections and
// misspellings of the query's words, but no stop words. In an identifier, only the matching parts
// are marked, or all of it if no part matches by itself.
func (p Snippets) Marks(text string) []Span {
	m := newMatcher(p.words, textOf([]sentence{{text: text}}))
	var out []Span
	for i := 0; i < len(text); {
		end := len(text)
		if n := strings.IndexFunc(text[i:], unicode.IsSpace); n >= 0 {
			end = i + n
		}
		if parts := m.markParts(text, i, end); parts != nil {
			out = append(out, parts...)
		} else if m.isSubject(text[i:end]) {
			out = append(out, trimMark(text, i, end))
		}
		i = end + 1
		if end < len(text) {
			_, size := decodeRune(text, end)
			i = end + size
		}
	}
	return out
}

// markParts returns the runs of word characters in text[from:to] that match.
func (m *matcher) markParts(text string, from, to int) (out []Span) {
	mark := func(start, end int) {
		if n := len(out); n > 0 && out[n-1].End >= start {
			out[n-1].End = end // pairs of characters overlap
			return
		}
		out = append(out, Span{start, end})
	}
	start, prev := -1, -1 // start of the run, and the previous character of a script without spaces
	for i := from; i <= to; {
		r, size := ' ', 1
		if i < to {
			r, size = decodeRune(text, i)
		}
		cjk, word := isCJK(r), isWordRune(r)
		if start >= 0 && (cjk || !word) {
			if m.isSubject(text[start:i]) {
				mark(start, i)
			}
			start = -1
		}
		switch {
		case cjk && prev >= 0 && m.matchesWord(text[prev:i+size]):
			mark(prev, i+size)
		case cjk && !m.pairs() && m.matchesWord(text[i:i+size]):
			mark(i, i+size)
		case !cjk && word && start < 0:
			start = i
		}
		prev = -1
		if cjk {
			prev = i
		}
		i += size
	}
	return out
}

// isSubject reports whether text contains a word of the query that is not a stop word. Scripts
// without spaces match by their characters.
func (m *matcher) isSubject(text string) bool {
	tokens, _ := tokenize(nil, text, 0)
	return slices.ContainsFunc(tokens, func(t token) bool {
		r, _ := decodeRune(t.word, 0)
		return !isCJK(r) && m.matchesWord(t.word)
	})
}

func (m *matcher) matchesWord(word string) bool {
	i, ok := m.of(word)
	return ok && !m.terms[i].stop
}

// pairs reports whether the query contains adjacent characters of a script without spaces. Then a
// single character is not a match.
func (m *matcher) pairs() bool {
	for _, t := range m.terms {
		if r, _ := decodeRune(t.word, 0); t.kind == joinedToken && isCJK(r) {
			return true
		}
	}
	return false
}

// trimMark excludes the punctuation around a word.
func trimMark(text string, from, to int) Span {
	inner := func(r rune) bool { return !isWordRune(r) }
	from += len(text[from:to]) - len(strings.TrimLeftFunc(text[from:to], inner))
	return Span{from, from + len(strings.TrimRightFunc(text[from:to], inner))}
}
