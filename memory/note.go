package memory

import (
	"slices"
	"strings"
)

// Note is the prose of an answer, as remarks in order. As text and in JSON it is one string.
// Edges add the next step to each remark before they encode it.
type Note []Remark

// Remark is a part of a [Note]. Its text states a fact and not the next step, which edges look up by Kind and Subject.
type Remark struct {
	Kind    Kind // empty: nothing to do
	Subject string
	Text    string // empty: the next step says everything
}

// Say makes a note of texts without next steps.
func Say(texts ...string) Note {
	n := make(Note, 0, len(texts))
	for _, text := range texts {
		n = append(n, Remark{Text: text})
	}
	return n
}

// Advise makes a note of one remark, whose next step edges look up by kind.
func Advise(kind Kind, subject, text string) Note { return Note{{kind, subject, text}} }

// Next returns the next step for the readers of an edge in a situation, or "".
type Next func(kind Kind, subject string) string

// Say calls n, or returns "" if n is nil.
func (n Next) Say(kind Kind, subject string) string {
	if n == nil {
		return ""
	}
	return n(kind, subject)
}

// Advises reports whether a remark may have a next step.
func (n Note) Advises() bool {
	return slices.ContainsFunc(n, func(r Remark) bool { return r.Kind != "" })
}

// String returns the texts of the remarks, separated by semicolons.
func (n Note) String() string {
	var texts []string
	for _, r := range n {
		if r.Text != "" {
			texts = append(texts, r.Text)
		}
	}
	return strings.Join(texts, "; ")
}

// MarshalText implements [encoding.TextMarshaler] with [Note.String].
func (n Note) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]: the note has one remark, or none for "".
func (n *Note) UnmarshalText(text []byte) error {
	*n = nil
	if len(text) > 0 {
		*n = Say(string(text))
	}
	return nil
}
