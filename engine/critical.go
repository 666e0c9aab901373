package engine

import (
	"fmt"
	"slices"
	"strings"

	"ltm/engine/settings"
	"ltm/memory"
	"ltm/store"
)

func isCritical(r ranked) bool { return r.Importance() == memory.Critical }

// criticalFirst returns memories with the critical ones in front: priority alone
// puts one that is seldom used behind what is used every day.
func criticalFirst(all []ranked) []ranked {
	var critical []ranked
	rest := make([]ranked, 0, len(all))
	for i := range all {
		if isCritical(all[i]) {
			critical = append(critical, all[i])
		} else {
			rest = append(rest, all[i])
		}
	}
	return append(critical, rest...)
}

// tally counts how the critical memories are shown in a block.
type tally struct{ whole, short, lines, left int }

// addMemory shows a memory whole, or its summary when it is too long. What it
// cannot show of a critical one it keeps room for, as a line: nothing less
// important may take that.
func (b *block) addMemory(r ranked) bool {
	critical := isCritical(r)
	switch {
	case b.addWhole(entryText(r)):
		if critical {
			b.critical.whole++
		}
	case b.addWhole(shortText(r)):
		if critical {
			b.critical.short++
		}
	default:
		if critical {
			b.hold(lineText(r))
		}
		return false
	}
	b.shown = append(b.shown, r.ID)
	return true
}

// hold keeps room for a line.
func (b *block) hold(line string) {
	if b.heldChars == 0 {
		line = linesHead + line
	}
	chars, tokens := measure(line)
	b.heldChars += chars
	b.heldTokens += tokens
}

// addLines shows memories as a line each, the critical ones in front, while they
// fit, and returns how many do. Once a critical one does not, only critical ones
// may follow.
func (b *block) addLines(v *store.View, all []ranked) (shown int) {
	for _, r := range all {
		critical := isCritical(r)
		if !critical && b.critical.left > 0 {
			break
		}
		if !r.seen && !b.origin(&r, b.guard.look(r.ID, v.ReadRaw)) {
			continue
		}
		fits := b.addLine(lineText(r))
		switch {
		case !fits && !critical:
			return shown
		case !fits:
			b.critical.left++
			continue
		case critical:
			b.critical.lines++
		}
		b.shown = append(b.shown, r.ID)
		shown++
	}
	return shown
}

// notice says that critical memories are not all shown whole, or "".
func (t tally) notice(s settings.Settings) string {
	cut := t.short + t.lines + t.left
	if cut == 0 {
		return ""
	}
	what := fmt.Sprintf("exceed the budget of %d tokens", s.ContextBudgetTokens)
	if t.countIsTheLimit(s) {
		what = fmt.Sprintf("exceed memories_to_load of %d", s.MemoriesToLoad)
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

// countIsTheLimit says whether every memory that may be shown whole is.
func (t tally) countIsTheLimit(s settings.Settings) bool { return t.whole == s.MemoriesToLoad }

// criticalWarnings says what is wrong with the critical memories as a set: they
// can be more than a session's start has room for, and more than eviction may
// leave. A state or stats file that cannot be read is reported elsewhere.
func criticalWarnings(v *store.View, active *store.Snapshot) ([]string, error) {
	if !slices.ContainsFunc(active.Records, func(r store.Record) bool { return r.Importance() == memory.Critical }) {
		return nil, nil
	}
	u, state, err := usage(v)
	if err != nil {
		return nil, nil
	}
	s := settingsOf(v, state)
	critical := slices.DeleteFunc(rank(active, u), func(r ranked) bool { return !isCritical(r) })
	var warnings []string
	if s.MemoriesToLoad > 0 {
		b, _, err := fillBlock(v, critical, s, guard{})
		if err != nil {
			return nil, err
		}
		if notice := b.critical.notice(s); notice != "" {
			raise := "context_budget_tokens"
			if b.critical.countIsTheLimit(s) {
				raise = "memories_to_load"
			}
			warnings = append(warnings, notice+"; unpin some ("+memory.DoUnpin+"), shorten them, or raise "+raise+" "+memory.DoConfigure)
		}
	}
	if n := len(critical); n > s.MaxMemories {
		warnings = append(warnings, fmt.Sprintf("%d critical memories, and max_memories is %d: eviction cannot keep to it; unpin some (%s) or raise it %s", n, s.MaxMemories, memory.DoUnpin, memory.DoConfigure))
	}
	return warnings, nil
}
