package brief

import (
	"slices"
	"strings"

	"ltm/internal/plural"
	"ltm/memory"
)

// finish puts the block together. If it exceeds the budget with its closing lines, the last and least
// important memories give way.
func (b *block) finish(left int, l Limits) Brief {
	left += l.unnamed
	for {
		out := Brief{Text: b.text(left, l), Left: left + l.Own.Left, Critical: b.critical.notice(l, b.limit()),
			Limit: b.limit(), ByCount: b.critical.countIsTheLimit(l)}
		for _, p := range b.pieces {
			out.Parts = append(out.Parts, p.Part)
		}
		out.Parts = append(out.Parts, l.Own.Parts...)
		if b.fits(out.Text, MaxChars, float64(l.Tokens)) || out.Text == "" {
			return out
		}
		switch at := b.leastImportant(); {
		case at >= 0 && !b.pieces[at].critical:
			left++
			b.drop(at)
		case !b.terse:
			b.terse = true
		case at >= 0:
			left++
			b.drop(at)
		case l.Own.text != "":
			left += len(l.Own.Parts)
			l.Own = Section{Left: l.Own.Left}
		case b.offered != "":
			b.offered = ""
		default:
			out.Text = ""
			return out
		}
	}
}

// leastImportant returns the memory that gives way to others, or -1.
func (b *block) leastImportant() int {
	for i, p := range slices.Backward(b.pieces) {
		if !p.critical {
			return i
		}
	}
	return len(b.pieces) - 1
}

func (b *block) drop(at int) {
	if p := b.pieces[at]; p.critical {
		b.critical.move(p.Form)
	}
	b.pieces = slices.Delete(b.pieces, at, at+1)
}

// text returns the block with its closing lines, or "" if it would say nothing.
func (b *block) text(left int, l Limits) string {
	text := b.body()
	if l.unnamed == 0 {
		text += b.noticeLine(b.critical.notice(l, b.limit())) + b.heldLine(memory.KindBriefHeld) + b.alteredLine()
		if !b.terse {
			text += b.leftLine(left, "more memory is", "more memories are")
		}
	}
	intro, own := learned, len(l.Own.Parts) > 0
	switch {
	case len(b.pieces) == 0:
		intro = kept
	case own:
		text += ownHead
	}
	text += l.Own.text
	switch {
	case len(b.pieces) > 0 || own:
		return opening + "\n" + b.introOf(intro) + "\n" + b.offered + text + b.ending()
	case text != "":
		return opening + b.offered + text + b.ending()
	case b.offered != "":
		return opening + b.offered + closing
	}
	return ""
}

func (b *block) body() string {
	var s strings.Builder
	listed := false
	for _, p := range b.pieces {
		if p.Form == Title && !listed {
			s.WriteString(b.linesHead())
			listed = true
		}
		s.WriteString(p.text)
	}
	return s.String()
}

// noticeLine says that not all critical memories are shown whole.
func (b *block) noticeLine(notice string) string {
	return led("\n", notice, led(" (", b.next.Say(memory.KindBriefCritical, ""), ")")+".\n")
}

func (b *block) heldLine(kind memory.Kind) string {
	return led("\n", HeldBack(b.heldBack), led(" ", b.next.Say(kind, ""), "")+".\n")
}

func (b *block) leftLine(left int, one, many string) string {
	if left <= 0 {
		return ""
	}
	return "\n" + plural.Of(left, one, many) + " not shown" +
		led(": ", b.next.Say(memory.KindBriefLeft, ""), "") + ".\n"
}

// HeldBack returns a clause about how many memories are held back, or "".
func HeldBack(n int) string {
	if n == 0 {
		return ""
	}
	return plural.Of(n, "memory from elsewhere is", "memories from elsewhere are") + " held back"
}

func (b *block) ending() string {
	return led("\n", b.next.Say(memory.KindBriefEnd, ""), ".\n") + closing
}
