package mcp

import (
	"context"
	"fmt"
	"strings"

	"ltm/memory/advice"
	"ltm/memory/api"
	"ltm/text/safe"
)

const (
	maxRecall     = 50
	defaultRecall = 10
)

func recall(e Engine) boundTool {
	s := spec{
		name: "recall", always: true, readOnly: true, idempotent: true,
		description: "Find what earlier sessions learned. Name the thing in two ways; error text, identifiers and " +
			`file names help, any word may match. Also: "exact phrase", tag:x, kind:x, -word. ` +
			"Returns the passages that answer; get_memory returns a whole memory.",
		output: `{"type":"object","properties":{"memories":{"type":"array"}},"required":["memories"]}`,
		prints: "memories.id memories.topic memories.summary memories.score memories.importance memories.kind " +
			"memories.stale total note",
	}
	run := func(ctx context.Context, q api.Query) (api.Recall, error) {
		q.Asked = true
		return e.Recall(ctx, q)
	}
	return bind(s, recallParams, run, recallText)
}

func recallParams(q *api.Query) []param {
	return []param{
		{name: "query", required: true, kind: text(&q.Text), about: "as: pool exhausted, no free connections"},
		{name: "limit", kind: limit(&q.Limit, defaultRecall, maxRecall), about: "1 to 50"},
		{name: "tag", kind: text(&q.Tag), about: "only this tag"},
		{name: "kind", kind: anyCategory(&q.Category), about: "only this kind"},
		{name: "agent", kind: text(&q.Agent), about: "only its own"},
		{name: "min_score", kind: share(&q.MinScore), about: "least score"},
		included(&q.Include),
		{name: "scope", kind: scope(&q.Scope, api.ScopeProject, api.ScopeUser, api.ScopeAll), about: "default all"},
	}
}

// included is the parameter for the part of the store to look in.
func included(to *api.Include) param {
	return param{name: "include", about: "default active; archives: not in sight",
		kind: oneOf(to, api.ParseInclude, api.IncludeActive, api.IncludeArchives, api.IncludeAll)}
}

func recallText(r api.Recall) string {
	if len(r.Memories) == 0 {
		return advice.Join("nothing found", r.Note.String())
	}
	var b strings.Builder
	if r.Nearest {
		fmt.Fprintln(&b, r.Note[:1])
		r.Note = r.Note[1:]
	}
	for _, h := range r.Memories {
		archived := ""
		if h.Archived {
			archived = ", " + h.State()
		}
		marks := level(h.Marks) + whose(h.Whose) + archived
		fmt.Fprintf(&b, "%s (%.2f%s) > %s\n  > %s\n", h.ID, h.Score, marks, safe.Line(h.Topic), safe.Line(h.Summary))
	}
	if r.Nearest {
		return advice.Join(strings.TrimSuffix(b.String(), "\n"), r.Note.String())
	}
	fmt.Fprintf(&b, "%d of %d", len(r.Memories), r.Total)
	return advice.Join(b.String(), r.Note.String())
}
