package memory

import (
	"slices"
	"strings"
)

// Note is what an answer says in words, in the order of reading. As text and in JSON it
// is one string; edges put what to do next behind each remark first.
type Note []Remark

// Remark is a part of a [Note]. It says what is so, and not what to do next: edges know
// that by Kind and Subject, in the words of their readers.
type Remark struct {
	Kind    Kind // empty: there is nothing to do
	Subject string
	Text    string // empty: what to do next says it all
}

// Say makes a note of texts that call for nothing.
func Say(texts ...string) Note {
	n := make(Note, 0, len(texts))
	for _, text := range texts {
		n = append(n, Remark{Text: text})
	}
	return n
}

// Advise makes a note of one remark.
func Advise(kind Kind, subject, text string) Note { return Note{{kind, subject, text}} }

// Next returns what the readers of an edge do next in a situation, or "".
type Next func(kind Kind, subject string) string

// Say is Next, for an edge that has no words.
func (n Next) Say(kind Kind, subject string) string {
	if n == nil {
		return ""
	}
	return n(kind, subject)
}

// Advises reports whether there may be something to do.
func (n Note) Advises() bool {
	return slices.ContainsFunc(n, func(r Remark) bool { return r.Kind != "" })
}

// String returns the texts of the remarks.
func (n Note) String() string {
	var texts []string
	for _, r := range n {
		if r.Text != "" {
			texts = append(texts, r.Text)
		}
	}
	return strings.Join(texts, "; ")
}

// MarshalText is [Note.String].
func (n Note) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText is a note of one text.
func (n *Note) UnmarshalText(text []byte) error {
	*n = nil
	if len(text) > 0 {
		*n = Say(string(text))
	}
	return nil
}
