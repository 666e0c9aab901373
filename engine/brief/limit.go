package brief

import "ltm/memory"

// Part is the share of a block that a memory takes.
type Part struct {
	ID            memory.ID
	Form          Form
	Chars, Tokens float64 // as [Measure] counts
	Own           bool    // it is the person's, and not the project's
	Complete      bool    // the block has the whole text of the memory
}

// Form is how a block shows a memory.
type Form string

const (
	Whole Form = "whole" // as much text as its phase has; in a compact block, one line of text
	Short Form = "short" // its summary
	Title Form = "title" // its topic
)

// Limit is the reason why a block ends.
type Limit string

const (
	NoLimit  Limit = ""
	ByTokens Limit = "tokens" // the budget
	ByClient Limit = "client" // what the client shows to a model
	ByWhole  Limit = "count"  // the number of memories that may be shown whole
)

// fits reports whether a text fits into so many characters and tokens, and notes why if it does not.
func (b *block) fits(s string, chars, tokens float64) bool {
	needChars, needTokens := Measure(s)
	switch {
	case needTokens > tokens:
		b.overTokens = true
	case needChars > chars:
		b.overCap = true
	default:
		return true
	}
	return false
}

// limit returns what ended the block. A larger budget helps where the budget was too small for anything.
func (b *block) limit() Limit {
	switch {
	case b.overTokens:
		return ByTokens
	case b.overCap:
		return ByClient
	case b.counted:
		return ByWhole
	}
	return NoLimit
}

func (b *block) show(r *entry, form Form, s string) {
	chars, tokens := Measure(s)
	b.pieces = append(b.pieces, piece{Part: Part{ID: r.ID, Form: form, Chars: chars, Tokens: tokens, Own: b.own},
		text: s, critical: isCritical(&r.Memory), altered: r.altered})
}
