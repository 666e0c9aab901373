package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Query is what was asked, taken apart by Parse. The zero Query asks nothing.
type Query struct {
	Text    string   // the words to find, in order; those of phrases too
	Phrases []string // "in quotes"
	Tags    []string // tag:x, all required
	Not     []string // -word
	IDs     []string // id:x, any of them
}

// Parse reads a query, see the package documentation for what it may hold. It
// never fails: what is no syntax is words.
func Parse(q string) Query {
	var out Query
	var text []string
	for q = strings.ToValidUTF8(q, " "); q != ""; {
		q = strings.TrimLeftFunc(q, unicode.IsSpace)
		if phrase, rest, ok := cutQuoted(q); ok {
			q = rest
			text = append(text, phrase)
			if strings.ContainsFunc(phrase, unicode.IsSpace) {
				out.Phrases = append(out.Phrases, phrase)
			}
			continue
		}
		var word string
		word, q = cutSpace(q)
		if !out.operator(word) && word != "" {
			text = append(text, word)
		}
	}
	out.Text = strings.Join(text, " ")
	return out
}

// Words returns a query for plain text, in which nothing is syntax: a prompt
// that quotes code must not exclude or require anything.
func Words(text string) Query {
	return Query{Text: strings.ToValidUTF8(text, " ")}
}

// cutSpace cuts q at its first white space.
func cutSpace(q string) (word, rest string) {
	if i := strings.IndexFunc(q, unicode.IsSpace); i >= 0 {
		return q[:i], q[i:]
	}
	return q, ""
}

// cutQuoted cuts the phrase in quotes off the front of q. A quote that is
// never closed, or with nothing in it, is no phrase.
func cutQuoted(q string) (phrase, rest string, ok bool) {
	closing := ""
	switch {
	case strings.HasPrefix(q, `"`):
		closing = `"`
	case strings.HasPrefix(q, "“"):
		closing = "”"
	default:
		return "", q, false
	}
	_, size := utf8.DecodeRuneInString(q)
	phrase, rest, ok = strings.Cut(q[size:], closing)
	if !ok || strings.TrimSpace(phrase) == "" {
		return "", q, false
	}
	return phrase, rest, true
}

// operator takes word as syntax if it is.
func (q *Query) operator(word string) bool {
	if v, ok := cutPrefixFold(word, "tag:"); ok {
		q.Tags = append(q.Tags, strings.ToLower(strings.Trim(v, `"`)))
		return true
	}
	if v, ok := cutPrefixFold(word, "id:"); ok {
		q.IDs = append(q.IDs, strings.Trim(v, `"`))
		return true
	}
	if v, ok := strings.CutPrefix(word, "-"); ok && isExcludable(v) {
		q.Not = append(q.Not, v)
		return true
	}
	return false
}

// cutPrefixFold cuts an operator off a word that has more to it.
func cutPrefixFold(word, prefix string) (string, bool) {
	if len(word) <= len(prefix) || !strings.EqualFold(word[:len(prefix)], prefix) {
		return "", false
	}
	v := word[len(prefix):]
	return v, strings.Trim(v, `"`) != ""
}

// isExcludable tells a word after a dash from flags that can be nothing else:
// -p, --force and -std=c++20 are part of a command that somebody asks about.
func isExcludable(v string) bool {
	first, size := utf8.DecodeRuneInString(v)
	return unicode.IsLetter(first) && len(v) > size && !strings.Contains(v, "=")
}
