package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Query is a parsed question. The zero Query asks for nothing.
type Query struct {
	Text    string   // the words to find, in order, including those of phrases
	Phrases []string // "in quotes"
	Tags    []string // tag:x, all required
	Not     []string // -word
	IDs     []string // id:x, any of them
	Kinds   []string // kind:x, any of them; what has a kind is for [Options].Keep to know

	ready *readyWords // nil: not made ready
}

// readyWords are the words of a text, which must not be changed.
type readyWords struct {
	text  string
	terms []*term
}

// Ready returns q with its words taken apart, which several searches and passages then share.
// Changing its Text afterwards only costs time.
func (q Query) Ready() Query {
	q.ready = &readyWords{q.Text, termsOf(q.Text)}
	return q
}

// terms returns the words of a text, which must not be changed.
func (q Query) terms(text string) []*term {
	if q.ready != nil && q.ready.text == text {
		return q.ready.terms
	}
	return termsOf(text)
}

func termsOf(text string) []*term {
	tokens, _ := tokenize(nil, text, 0)
	return distinct(tokens)
}

// Parse parses a query; see the package documentation for the syntax. It never fails: anything that
// is not syntax is words.
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

// Words returns a query for plain text without syntax: a prompt that quotes code must not exclude or require anything.
func Words(text string) Query {
	return Query{Text: strings.ToValidUTF8(text, " ")}
}

// cutSpace splits q at its first white space.
func cutSpace(q string) (word, rest string) {
	if i := strings.IndexFunc(q, unicode.IsSpace); i >= 0 {
		return q[:i], q[i:]
	}
	return q, ""
}

// cutQuoted cuts a quoted phrase off the front of q. ok is false if the quote is not closed or is empty.
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

// operator adds word to q if it is an operator, and reports whether it is.
func (q *Query) operator(word string) bool {
	if v, ok := cutPrefixFold(word, "tag:"); ok {
		q.Tags = append(q.Tags, strings.ToLower(strings.Trim(v, `"`)))
		return true
	}
	if v, ok := cutPrefixFold(word, "id:"); ok {
		q.IDs = append(q.IDs, strings.Trim(v, `"`))
		return true
	}
	if v, ok := cutPrefixFold(word, "kind:"); ok {
		q.Kinds = append(q.Kinds, strings.Trim(v, `"`))
		return true
	}
	if v, ok := strings.CutPrefix(word, "-"); ok && isExcludable(v) {
		q.Not = append(q.Not, v)
		return true
	}
	return false
}

// cutPrefixFold cuts an operator off the front of a longer word, ignoring case.
func cutPrefixFold(word, prefix string) (string, bool) {
	if len(word) <= len(prefix) || !strings.EqualFold(word[:len(prefix)], prefix) {
		return "", false
	}
	v := word[len(prefix):]
	return v, strings.Trim(v, `"`) != ""
}

// isExcludable reports whether -v can exclude a word. Otherwise it can only be a flag of a command
// that is asked about: -p, --force and -std=c++20.
func isExcludable(v string) bool {
	first, size := utf8.DecodeRuneInString(v)
	return unicode.IsLetter(first) && len(v) > size && !strings.Contains(v, "=")
}
