package mcp

import (
	"context"
	"fmt"
	"strings"

	"ltm/memory/api"
	"ltm/text/safe"
)

// question is a search of the archives.
type question struct {
	text  string
	limit int
}

// searchArchives is the old tool for what recall with include archives does.
func searchArchives(e Engine) boundTool {
	s := spec{
		name: "search_archives", unlisted: true, readOnly: true, idempotent: true,
		description: "Find memories that are out of sight, forgotten or superseded; " +
			"restore_memory brings one back in full.",
		prints: "archives.id archives.topic archives.summary archives.score total held_back",
	}
	params := func(q *question) []param {
		return []param{
			{name: "query", required: true, kind: text(&q.text), about: "question, error text or identifiers"},
			{name: "limit", kind: limit(&q.limit, defaultRecall, maxRecall), about: "maximum hits, 1 to 50"},
		}
	}
	run := func(ctx context.Context, q question) (api.ArchiveRecall, error) {
		return e.SearchArchives(ctx, q.text, q.limit)
	}
	return bind(s, params, run, archivesText)
}

func archivesText(r api.ArchiveRecall) string {
	if len(r.Archives) == 0 {
		return "nothing found in the archives" + heldText(r.HeldBack)
	}
	var b strings.Builder
	for _, h := range r.Archives {
		mark := whose(api.Whose{Foreign: h.Foreign})
		fmt.Fprintf(&b, "%s (%.2f%s) > %s\n  > %s\n", h.ID, h.Score, mark, safe.Line(h.Topic), safe.Line(h.Summary))
	}
	fmt.Fprintf(&b, "%d of %d", len(r.Archives), r.Total)
	b.WriteString(heldText(r.HeldBack))
	return b.String()
}
