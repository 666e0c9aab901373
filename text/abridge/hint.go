package abridge

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of a hint. A usual hint is much shorter, about 1,000 characters: the context at the start
// of a session is limited, and one long hint displaces ten others.
const (
	maxParagraphChars = 1000 // as long as a summary may be
	maxPoints         = 12   // further ones are not key
	maxPointBytes     = 6000 // for all points, with their nested items and code
	maxPointChars     = 200  // two lines of a terminal
	maxNested         = 3    // items below one item
	maxHeadingChars   = 120
	maxVerbatim       = 3 // code blocks and tables
	maxCodeLines      = 10
	maxCodeBytes      = 800

	// The maximum length of a text from which nothing can be kept. It is one block of code or the like, which a cut
	// would make wrong; beyond this, it is reduced to its first line, or it would displace all others.
	maxUncut = 4000
)

// Hint returns content reduced to its first paragraph and key points, or content itself if that
// would be empty or no shorter. It is idempotent.
func Hint(content string) string {
	for {
		reduced := reduceOnce(content)
		if reduced == "" || len(reduced) >= len(content) {
			return content
		}
		content = reduced
	}
}

func reduceOnce(content string) string {
	s := selection{pieces: parse(content).outline()}
	s.keep = make([]bool, len(s.pieces))
	s.keepFirstParagraph()
	s.keepPoints()
	s.keepLeads()
	s.keepHeadings()
	if s.empty() {
		s.keepSkeleton()
	}
	if s.empty() && len(content) > maxUncut {
		return FirstParagraph(content)
	}
	return s.String()
}

// selection marks the pieces that are kept.
type selection struct {
	pieces []piece
	keep   []bool
	whole  int // verbatim pieces kept so far
}

func (s *selection) is(i int, k kind) bool {
	return i >= 0 && i < len(s.pieces) && s.pieces[i].kind == k
}

func (s *selection) keepFirstParagraph() {
	if i := slices.IndexFunc(s.pieces, func(p piece) bool { return p.kind == paragraph }); i >= 0 {
		s.pieces[i].text = cut(s.pieces[i].text, maxParagraphChars)
		s.keep[i] = true
		s.keepVerbatim(i + 1)
	}
}

// keepVerbatim keeps the code or table that directly follows a kept paragraph.
func (s *selection) keepVerbatim(i int) {
	if s.is(i, verbatim) && s.whole < maxVerbatim {
		s.keep[i] = true
		s.whole++
	}
}

// keepPoints keeps list items and the first sentences that follow a label such as "Fix" or
// "Decision". If there are too many, labeled ones take precedence, then the earlier ones.
func (s *selection) keepPoints() {
	left, room := maxPoints, maxPointBytes
	labelled, points := s.points()
	for _, wanted := range []bool{true, false} {
		for _, i := range points {
			p := &s.pieces[i]
			if left == 0 || labelled[i] != wanted || len(p.text) > room && p.kind == item {
				continue
			}
			if p.kind == paragraph {
				p.text = firstSentence(p.flat, maxPointChars)
				s.keepVerbatim(i + 1)
			}
			left--
			room -= len(p.text)
			s.keep[i] = true
		}
	}
}

// points returns the key points, except the first paragraph, which is kept whole, and for every
// piece whether a label introduces it.
func (s *selection) points() (labelled []bool, points []int) {
	labelled = make([]bool, len(s.pieces))
	level := 0         // of the labeled heading above; 0 if no heading is labeled
	fresh := false     // nothing followed that heading yet
	announced := false // the paragraph before is a label for the list that follows
	for i, p := range s.pieces {
		switch p.kind {
		case heading:
			if isLabel(p.flat) {
				level, fresh = p.level, true
			} else if p.level <= level {
				level = 0
			}
			announced = false
		case paragraph:
			label, sole := labelOf(p.flat)
			announced = label && sole
			labelled[i] = (label && !sole) || (level > 0 && fresh)
			if labelled[i] && !s.keep[i] {
				points = append(points, i)
			}
			fresh = false
		case item:
			labelled[i] = announced || level > 0
			points = append(points, i)
			fresh = false
		}
	}
	return labelled, points
}

// keepLeads keeps the line that introduces a list of which an item was kept: without "What did not
// help:", its items would appear to say the opposite.
func (s *selection) keepLeads() {
	for i := range s.pieces {
		if !s.is(i, item) || !s.keep[i] {
			continue
		}
		first := i
		for s.is(first-1, item) {
			first--
		}
		if lead := first - 1; s.is(lead, paragraph) && isLead(s.pieces[lead]) {
			s.keep[lead] = true
		}
	}
}

// keepHeadings keeps the headings above what is kept, except the title that opens a text, which the topic repeats.
func (s *selection) keepHeadings() {
	var above []int
	for i, p := range s.pieces {
		if p.kind == heading {
			for len(above) > 0 && s.pieces[above[len(above)-1]].level >= p.level {
				above = above[:len(above)-1]
			}
			if i > 0 || p.level > 1 || isLabel(p.flat) {
				above = append(above, i)
			}
			continue
		}
		if s.keep[i] {
			for _, h := range above {
				s.keep[h] = true
			}
		}
	}
}

// keepSkeleton handles texts without paragraphs and lists: it keeps their headings and the first short block of code.
func (s *selection) keepSkeleton() {
	left := maxPoints
	for i, p := range s.pieces {
		switch {
		case p.kind == heading && left > 0:
			left--
			s.keep[i] = true
		case p.kind == verbatim && s.whole == 0:
			s.keepVerbatim(i)
		}
	}
}

func (s *selection) empty() bool { return !slices.Contains(s.keep, true) }

// String writes the kept pieces as markdown.
func (s *selection) String() string {
	var b strings.Builder
	last := other
	for i, p := range s.pieces {
		if !s.keep[i] {
			continue
		}
		switch {
		case b.Len() == 0:
		case p.kind == item && last == item:
			b.WriteByte('\n')
		default:
			b.WriteString("\n\n")
		}
		b.WriteString(p.text)
		last = p.kind
	}
	return b.String()
}

// isLead reports whether a paragraph introduces what follows it.
func isLead(p piece) bool {
	return (strings.HasSuffix(p.flat, ":") || strings.HasSuffix(p.flat, "：")) &&
		utf8.RuneCountInString(p.flat) <= maxPointChars
}
