package finder

import (
	"ltm/memory"
	"ltm/text/abridge"
	"ltm/text/search"
)

// Source is the text from which the passage of a hit is picked.
type Source struct {
	whole string       // shown for every query, if text is nil
	text  *search.Text // prepared for searching
}

// Source returns the source of a hit whose memory is m.
func (s *Search) Source(m memory.Memory, h Hit) Source {
	if m.Phase == memory.Abstract {
		return Source{whole: abridge.FirstSentence(m.Summary)}
	}
	return Source{text: s.directory(h).passageText(m)}
}

// Passage returns the part that best matches a query, cut to most characters. For an abstract it
// is the first sentence of the summary, uncut.
func (s Source) Passage(pick search.Snippets, most int) string {
	if s.text == nil {
		return s.whole
	}
	return pick.In(s.text, most)
}

// Passage returns the part of a memory that best matches a query, cut to most characters. For an
// abstract it is the first sentence of the summary, uncut.
func Passage(m memory.Memory, pick search.Snippets, most int) string {
	if m.Phase == memory.Abstract {
		return abridge.FirstSentence(m.Summary)
	}
	return pick.Of(shownText(m), most)
}

// shownText returns the content of a memory, with its summary before it unless that says only what the content says.
func shownText(m memory.Memory) string {
	switch {
	case m.Content == "":
		return m.Summary
	case abridge.Restates(m.Summary, m.Content):
		return m.Content
	}
	return m.Summary + "\n\n" + m.Content
}
