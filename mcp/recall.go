package mcp

import (
	"fmt"
	"strings"

	"ltm/api"
	"ltm/internal/safetext"
)

const (
	maxRecall     = 50
	defaultRecall = 10
)

func recall(e Engine) boundTool {
	s := spec{
		name: "recall", always: true, readOnly: true, idempotent: true,
		description: "Find what earlier sessions learned. Ask in plain words, or give error text, identifiers or file names; any word may match. " +
			`Also: "exact phrase", tag:x, -word. Shows the passage that answers; get_memory shows all of a memory.`,
		input: `{"type":"object","properties":{"query":{"type":"string","description":"question, error text, identifiers or file names"},` +
			`"limit":{"type":"integer","default":10,"description":"most hits, 1 to 50"},` +
			`"tag":{"type":"string","description":"only memories with it"},` +
			`"min_score":{"type":"number","minimum":0,"maximum":1,"description":"leave out weaker hits"},` +
			`"scope":{"type":"string","enum":["active","archives","all"],"description":"default active; archives: what was forgotten or has faded out of sight"}},"required":["query"]}`,
		output: `{"type":"object","properties":{"memories":{"type":"array","items":{"type":"object"}},"total":{"type":"integer"}},"required":["memories","total"]}`,
	}
	decode := func(p *params) api.Query {
		q := api.Query{Text: p.text("query"), Limit: p.limit("limit", defaultRecall, maxRecall), Tag: p.textOr("tag"), Asked: true}
		if v := p.share("min_score"); v != nil {
			q.MinScore = *v
		}
		q.Include = p.scope("scope")
		return q
	}
	return bind(s, decode, e.Recall, recallText)
}

func recallText(r api.Recall) string {
	if len(r.Memories) == 0 {
		return strings.TrimSuffix("nothing found; "+r.Note, "; ")
	}
	var b strings.Builder
	for _, h := range r.Memories {
		archived := ""
		if h.Archived {
			archived = ", archived"
		}
		fmt.Fprintf(&b, "%s (%.2f%s%s) %s\n  %s\n", h.ID, h.Score, level(h.Importance), archived, safetext.Line(h.Topic), safetext.Line(h.Summary))
	}
	fmt.Fprintf(&b, "%d of %d", len(r.Memories), r.Total)
	if r.Note != "" {
		b.WriteString("; " + r.Note)
	}
	return b.String()
}
