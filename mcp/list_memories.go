package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/text/safe"
)

const (
	maxList     = 500
	defaultList = 50
	maxOffset   = 1 << 30
)

func listMemories(e Engine) boundTool {
	s := spec{
		name: "list_memories", readOnly: true, idempotent: true,
		description: "List memories by priority. To find something, prefer recall.",
		prints: "memories.id memories.topic memories.priority memories.importance memories.kind memories.stale total " +
			"held_back",
	}
	run := func(ctx context.Context, f api.ListFilter) (api.Listing, error) {
		l, err := e.List(ctx, f)
		l.Memories = slices.Clone(l.Memories)
		for i := range l.Memories {
			m := &l.Memories[i]
			m.Difficulty, m.Work = nil, nil // get_memory returns them: a model pays for every byte
			m.Topic = safe.Clip(safe.Line(m.Topic), memory.MaxTopicChars)
			m.Tags = m.Tags[:min(len(m.Tags), memory.MaxTags)] // files written by others can have more
		}
		return l, err
	}
	return bind(s, listParams, run, listText)
}

func listParams(f *api.ListFilter) []param {
	return []param{
		{name: "phase", kind: orNil(&f.Phase, phase),
			about: "only this phase: 0 whole, 1 hint, 2 abstract, 3 out of sight"},
		{name: "tag", kind: text(&f.Tag), about: "only this tag"},
		{name: "importance", kind: orEmpty(importance(&f.Importance)), about: "only this importance"},
		{name: "kind", kind: anyCategory(&f.Category), about: "only this kind"},
		{name: "keyword", kind: text(&f.Keyword), about: "text in topic or tags"},
		{name: "limit", kind: limit(&f.Limit, defaultList, maxList), about: "1 to 500"},
		{name: "offset", kind: offset(&f.Offset, maxOffset), about: "entries to skip"},
		included(&f.Include),
		{name: "scope", kind: scope(&f.Scope, api.ScopeProject, api.ScopeUser, api.ScopeAll), about: "default project"},
	}
}

func listText(l api.Listing) string {
	var b strings.Builder
	for _, m := range l.Memories {
		fmt.Fprintf(&b, "%s (%.2f, %s%s) > %s\n", m.ID, m.Priority, m.State(),
			level(m.Marks)+whose(m.Whose), safe.Line(m.Topic))
	}
	fmt.Fprintf(&b, "%d of %d", len(l.Memories), l.Total)
	b.WriteString(heldText(l.HeldBack))
	return b.String()
}

// level is the importance and the kind of a memory, and that it is unsure or may be stale, as texts
// append them: a memory without one adds nothing.
func level(m api.Marks) string {
	var words string
	for _, word := range []string{string(m.Importance), string(m.Category)} {
		if word != "" {
			words += ", " + word
		}
	}
	if memory.IsUnsure(m.Confidence) {
		words += ", unsure"
	}
	if len(m.Stale) > 0 {
		words += ", may be stale: " + strings.Join(m.Stale, ", ")
	}
	return words
}

// whose is [api.Whose] as texts append it.
func whose(w api.Whose) string {
	if words := w.String(); words != "" {
		return ", " + words
	}
	return ""
}

// heldText says how many memories are held back, or nothing if none are.
func heldText(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d from elsewhere held back until a person approves them in a terminal", n)
}
