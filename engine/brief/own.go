package brief

import (
	"slices"

	"ltm/internal/plural"
	"ltm/memory"
)

const (
	// ownShare is the part of a block that the person's own memories may take. Their critical ones
	// are inside it, so that they cannot push out a project's.
	ownShare = 0.25

	// ownTailChars and ownTailTokens are reserved for the closing lines of their section.
	ownTailChars, ownTailTokens = 400, 60

	ownHead = "\n" + kept + " Where the project's memories say otherwise, those count.\n"
	kept    = "What this person keeps for every project (ltm, their own memories)."
)

// user marks a memory of the person beside those of a project.
const user = "user"

// Section is the part of a block with the person's own memories.
type Section struct {
	Parts []Part // the memories that it names
	Left  int    // memories that are neither named nor held back

	text          string
	chars, tokens float64
}

// Own writes the section with the person's own memories, in their share of a block of l.Tokens.
// hidden is how many of them a project hides.
func Own(headers []*memory.Memory, from Source, l Limits, hidden int) (Section, error) {
	share := ownShare * float64(l.Tokens)
	chars := ownShare * MaxChars
	b := &block{chars: chars - ownTailChars, tokens: share - ownTailTokens, wholeChars: chars, from: from,
		holdBack: l.HoldBack, next: l.Next, own: true, compact: l.Compact}
	b.charge(ownHead)
	b.whole = wholeShare * b.tokens
	left, err := b.fill(b.known(Order(headers)), l)
	if err != nil {
		return Section{}, err
	}
	l.Tokens = int(share)
	s := Section{Left: left, text: b.body()}
	for _, p := range b.pieces {
		s.Parts = append(s.Parts, p.Part)
	}
	for _, line := range []string{b.noticeLine(b.critical.notice(l, b.limit())),
		b.heldLine(memory.KindBriefHeldUser), hiddenLine(hidden),
		b.leftLine(left, "more memory of this person is", "more memories of this person are")} {
		if s.measure(line); s.tokens <= share {
			s.text += line
		}
	}
	if s.text == "" {
		return Section{Left: left}, nil
	}
	s.measure("")
	return s, nil
}

// measure sets the size of the section with a line at its end.
func (s *Section) measure(line string) { s.chars, s.tokens = Measure(ownHead + s.text + line) }

// hiddenLine says how many of the person's memories a project hides.
func hiddenLine(n int) string {
	if n == 0 {
		return ""
	}
	return "\n" + plural.Of(n, "memory of this person is", "memories of this person are") +
		" hidden: this project has the same topic.\n"
}

// known returns the memories that may be shown, and counts those that are held back whatever their text is.
func (b *block) known(headers []*memory.Memory) []*memory.Memory {
	if !b.holdBack {
		return headers
	}
	all := slices.DeleteFunc(slices.Clone(headers), b.from.Unrecorded)
	b.heldBack = len(headers) - len(all)
	return all
}
