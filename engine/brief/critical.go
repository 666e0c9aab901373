package brief

import (
	"fmt"
	"slices"
	"strings"

	"ltm/memory"
)

func isCritical(m *memory.Memory) bool { return m.Importance() == memory.Critical }

// Order returns memories in the order in which a block shows them, with the critical ones in front:
// priority alone would put one that is seldom used behind those that are used every day.
func Order(all []*memory.Memory) []*memory.Memory {
	if !slices.ContainsFunc(all, isCritical) {
		return all
	}
	critical := slices.DeleteFunc(slices.Clone(all), func(m *memory.Memory) bool { return !isCritical(m) })
	return append(critical, slices.DeleteFunc(slices.Clone(all), isCritical)...)
}

// tally counts how the critical memories are shown in a block.
type tally struct{ whole, short, lines, left int }

// move notes that a memory which was shown in a form is not shown after all.
func (t *tally) move(from Form) {
	switch from {
	case Whole:
		t.whole--
	case Short:
		t.short--
	case Title:
		t.lines--
	}
	t.left++
}

// likelyNotice is as long as most notices about critical memories.
const likelyNotice = "9 critical memories exceed the budget of 2000 tokens: 9 shown whole, 9 in part, 9 by title"

// addMemory shows a memory whole, or its summary if it is too long. If neither fits and the memory is critical, it
// reserves room for a line, which less important memories cannot take.
func (b *block) addMemory(r *entry) bool {
	critical := isCritical(&r.Memory)
	if text, complete := b.entryText(r); b.addWhole(text) {
		b.show(r, Whole, text)
		b.pieces[len(b.pieces)-1].Complete = complete
		if critical {
			b.critical.whole++
		}
		return true
	}
	if critical && !b.noticed && !b.own {
		b.noticed = true
		b.spend(b.noticeLine(likelyNotice))
	}
	if text := b.shortText(r); !b.compact && b.addWhole(text) {
		b.show(r, Short, text)
		if critical {
			b.critical.short++
		}
		return true
	}
	if critical {
		b.reserve(b.lineText(r))
	}
	return false
}

func (b *block) reserve(line string) {
	if b.reservedChars == 0 {
		line = b.linesHead() + line
	}
	chars, tokens := Measure(line)
	b.reservedChars += chars
	b.reservedTokens += tokens
}

// addLines shows the memories that did not fit whole and then the others, as a line each, while they fit. It returns
// how many fit. Once a critical one does not, only critical ones may follow.
func (b *block) addLines(cut []entry, others []*memory.Memory) (shown int) {
	for i := range len(cut) + len(others) {
		var r *entry
		if i < len(cut) {
			r = &cut[i]
		} else {
			m := others[i-len(cut)]
			r = &entry{Memory: *m, said: b.from.Said(m.ID)}
		}
		critical := isCritical(&r.Memory)
		if !critical && b.critical.left > 0 {
			break
		}
		if i >= len(cut) && !b.origin(r, b.from.Foreign(r.Memory)) {
			continue
		}
		text := b.lineText(r)
		fits := b.addLine(text)
		switch {
		case !fits && !critical:
			return shown
		case !fits:
			b.critical.left++
			continue
		case critical && !r.Doubtful(): // of which more than a line is never shown
			b.critical.lines++
		}
		b.show(r, Title, text)
		shown++
	}
	return shown
}

// notice says that not all critical memories are shown whole, or is "".
func (t tally) notice(l Limits, by Limit) string {
	cut := t.short + t.lines + t.left
	if cut == 0 {
		return ""
	}
	what := fmt.Sprintf("exceed the budget of %d tokens", l.Tokens)
	switch {
	case t.countIsTheLimit(l):
		what = fmt.Sprintf("exceed memories_to_load of %d", l.Whole)
	case by == ByClient:
		what = fmt.Sprintf("exceed the %d characters that a client shows", MaxChars)
	}
	parts := []string{fmt.Sprintf("%d shown whole", t.whole)}
	for _, p := range []struct {
		n    int
		text string
	}{{t.short, "in part"}, {t.lines, "by title"}, {t.left, "not at all"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.text))
		}
	}
	verb := "critical memories "
	if t.whole+cut == 1 {
		verb, what = "critical memory ", strings.Replace(what, "exceed", "exceeds", 1)
	}
	return fmt.Sprintf("%d %s%s: %s", t.whole+cut, verb, what, strings.Join(parts, ", "))
}

// countIsTheLimit reports whether as many memories are shown whole as may be.
func (t tally) countIsTheLimit(l Limits) bool { return t.whole == l.Whole }
