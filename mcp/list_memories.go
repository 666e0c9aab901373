package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ltm/api"
	"ltm/internal/safetext"
	"ltm/memory"
)

const (
	maxList     = 500
	defaultList = 50
	maxOffset   = 1 << 30
)

func listMemories(e Engine) boundTool {
	s := spec{
		name: "list_memories", readOnly: true, idempotent: true,
		description: "List memories by priority, with filters. To find something, recall is better.",
		input: `{"type":"object","properties":{"phase":{"type":"integer","description":"only those that have faded so far: 0 full, 1 hint, 2 abstract"},` +
			`"tag":{"type":"string","description":"only those with it"},` +
			`"importance":{"type":"string","enum":["critical","important","normal","low"],"description":"only those of this level"},` +
			`"keyword":{"type":"string","description":"in topic or tags"},` +
			`"limit":{"type":"integer","default":50,"description":"most entries, 1 to 500"},` +
			`"offset":{"type":"integer","default":0,"minimum":0,"description":"how many to leave out at the beginning"},` +
			`"scope":{"type":"string","enum":["active","archives","all"],"description":"default active; archives: what is out of sight"}}}`,
		output: `{"type":"object","properties":{"memories":{"type":"array","items":{"type":"object"}},"total":{"type":"integer"},"has_more":{"type":"boolean"}},"required":["memories","total","has_more"]}`,
	}
	decode := func(p *params) api.ListFilter {
		return api.ListFilter{Phase: p.phase("phase"), Tag: p.textOr("tag"), Importance: p.importance("importance"), Keyword: p.textOr("keyword"),
			Limit: p.limit("limit", defaultList, maxList), Offset: p.number("offset", 0, 0, maxOffset), Include: p.scope("scope")}
	}
	run := func(ctx context.Context, f api.ListFilter) (api.Listing, error) {
		l, err := e.List(ctx, f)
		l.Memories = slices.Clone(l.Memories)
		for i := range l.Memories {
			m := &l.Memories[i]
			m.Difficulty, m.Work = nil, nil // get_memory tells: a model pays for every byte
			m.Topic = safetext.Clip(safetext.Line(m.Topic), memory.MaxTopicChars)
			m.Tags = m.Tags[:min(len(m.Tags), memory.MaxTags)] // a file that ltm did not write can have any number
		}
		return l, err
	}
	return bind(s, decode, run, listText)
}

func listText(l api.Listing) string {
	var b strings.Builder
	for _, m := range l.Memories {
		state := m.Phase.String()
		if m.Archived {
			state = strings.TrimSpace("archived " + m.ArchivedReason)
		}
		fmt.Fprintf(&b, "%s (%.2f, %s%s) %s\n", m.ID, m.Priority, state, level(m.Importance), safetext.Line(m.Topic))
	}
	fmt.Fprintf(&b, "%d of %d", len(l.Memories), l.Total)
	b.WriteString(heldText(l.HeldBack))
	return b.String()
}

// level is an importance as texts have it behind something else; the normal one
// is not named.
func level(i memory.Importance) string {
	if i == "" {
		return ""
	}
	return ", " + string(i)
}

// heldText says that some are held back, or nothing.
func heldText(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d from elsewhere held back until a person approves them in a terminal", n)
}
