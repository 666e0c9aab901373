package finder

import (
	"strings"

	"ltm/abridge"
	"ltm/memory"
	"ltm/search"
)

// Source is what the passage of a hit is picked from.
type Source struct {
	whole string       // what is shown whatever was asked, "": a passage of the text
	text  *search.Text // ready to be searched
}

// Source returns the source of a hit whose memory is m.
func (s *Search) Source(m memory.Memory, h Hit) Source {
	if m.Phase == memory.Abstract {
		return Source{whole: abridge.FirstSentence(m.Summary)}
	}
	return Source{text: s.folder(h).passageText(m)}
}

// Passage returns the part that answers a query, of so many characters at most.
func (s Source) Passage(pick search.Snippets, most int) string {
	if s.text == nil {
		return s.whole
	}
	return pick.In(s.text, most)
}

// Passage returns the part of a memory that answers a query, of so many characters at
// most.
func Passage(m memory.Memory, pick search.Snippets, most int) string {
	if m.Phase == memory.Abstract {
		return abridge.FirstSentence(m.Summary)
	}
	return pick.Of(shownText(m), most)
}

// shownText returns the text of a memory that is no abstract, with its summary unless
// that is part of it.
func shownText(m memory.Memory) string {
	switch {
	case m.Content == "":
		return m.Summary
	case strings.Contains(m.Content, m.Summary):
		return m.Content
	}
	return m.Summary + "\n\n" + m.Content
}
