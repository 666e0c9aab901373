package handoff

import (
	"slices"
	"strings"

	"ltm/packet"
)

const (
	fromPrefix     = "[" + fromWord + " "
	verifiedPrefix = "[verified: "
	unverified     = "[unverified] "

	// inheritMost is how many entries of each list are taken over, which leaves room for the session's own.
	inheritMost = 12
)

// inherit copies the statements of the parent that the record does not repeat. Of a draft of the same session, only
// what that took over itself is taken: the rest is in the record.
func (m *drafter) inherit() {
	p := m.Parent
	if p == nil {
		return
	}
	m.p.SuccessCriteria = m.inherited(p.SuccessCriteria)
	m.p.Constraints = m.inherited(p.Constraints)
	m.p.OpenQuestions = m.inherited(p.OpenQuestions)
	for _, d := range p.Decisions[:min(len(p.Decisions), 2*inheritMost)] {
		if m.takes(d.What) {
			d.What, d.Why = m.from(d.What), m.loose(d.Why)
			m.p.Decisions = append(m.p.Decisions, d)
		}
	}
	for _, method := range p.Methods[:min(len(p.Methods), inheritMost)] {
		if m.takes(method.WhenApplicable) {
			method.WhenApplicable = m.from(method.WhenApplicable)
			m.p.Methods = append(m.p.Methods, method)
		}
	}
	for _, a := range p.Attempts[:min(len(p.Attempts), inheritMost)] {
		if m.takes(a.Tried) {
			a.Tried, a.Learned = m.from(a.Tried), m.loose(a.Learned)
			m.p.Attempts = append(m.p.Attempts, a)
		}
	}
}

// takes reports whether a text of the parent is taken over.
func (m *drafter) takes(s string) bool { return !m.Own || strings.HasPrefix(s, fromPrefix) }

func (m *drafter) inherited(texts []string) []string {
	var all []string
	for _, s := range texts {
		if m.takes(s) && len(all) < inheritMost {
			all = append(all, m.from(s))
		}
	}
	return all
}

// from says that a text is the parent's, or that of the packet from which the parent has it. What
// the parent had verified is no longer so.
func (m *drafter) from(s string) string {
	if strings.HasPrefix(s, fromPrefix) {
		return s
	}
	return clip(fromPrefix+m.Parent.ID+"] "+m.loose(s), draftChars)
}

// loose makes what begins as verified unverified.
func (m *drafter) loose(s string) string {
	if rest, ok := strings.CutPrefix(s, verifiedPrefix); ok {
		if i := closing(rest); i >= 0 {
			return clip(unverified+strings.TrimSpace(rest[i+1:]), draftChars)
		}
	}
	return s
}

// closing returns where the bracket ends that was open before a text, or -1.
func closing(s string) int {
	depth := 1
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// fit drops entries until the packet is not too large: what was taken over first, from the longest list.
func (m *drafter) fit() {
	m.p.Version, m.p.ID, m.p.CreatedAt = packet.Version02, strings.Repeat("0", 64), "2000-01-01T00:00:00.000Z"
	defer func() { m.p.Version, m.p.ID, m.p.CreatedAt = "", "", "" }()
	const others = 1 << 10 // what is filled in later
	for {
		data, err := m.p.Canonical()
		if err == nil && len(data) <= packet.MaxBytes-others {
			return
		}
		if !m.drop() {
			return
		}
	}
}

// drop drops one entry of the longest list, and reports whether there was one.
func (m *drafter) drop() bool {
	p := &m.p
	lists := []struct {
		n    int
		drop func()
	}{
		{len(p.Methods), func() { p.Methods = p.Methods[:len(p.Methods)-1] }},
		{len(p.Decisions), func() { p.Decisions = p.Decisions[:len(p.Decisions)-1] }},
		{len(p.Attempts), func() { p.Attempts = p.Attempts[1:] }}, // the session's own come last
		{len(p.OpenQuestions), func() { p.OpenQuestions = p.OpenQuestions[1:] }},
		{len(p.Constraints), func() { p.Constraints = p.Constraints[:len(p.Constraints)-1] }},
		{len(p.SuccessCriteria), func() { p.SuccessCriteria = p.SuccessCriteria[1:] }},
	}
	longest := lists[0]
	for _, l := range lists {
		if l.n > longest.n {
			longest = l
		}
	}
	if longest.n == 0 {
		return false
	}
	longest.drop()
	return true
}

func last[T any](list []T, most int) []T {
	return slices.Clone(list[max(0, len(list)-most):])
}
