package mcp

import (
	"context"
	"fmt"
	"strings"

	"ltm/api"
	"ltm/internal/problems"
)

func fix(e Engine) boundTool {
	s := spec{
		name: "ltm_fix", destructive: true, idempotent: true,
		description: "Repair what ltm_check found. Readable memories are never removed; unreadable files move to the archives. Try dry_run first.",
		input: `{"type":"object","properties":{"archive_orphans":{"type":"boolean","default":true,"description":"false removes unreadable files"},` +
			`"clean_orphaned_archives":{"type":"boolean","default":false,"description":"remove archive files that are no memory"},` +
			`"dry_run":{"type":"boolean","default":false,"description":"only show what would be done"}}}`,
		output: `{"type":"object","properties":{"dry_run":{"type":"boolean"},"actions":{"type":"array","items":{"type":"object"}},"summary":{"type":"string"}},"required":["dry_run","actions","summary"]}`,
	}
	decode := func(p *params) api.FixOptions {
		return api.FixOptions{RemoveUnreadable: !p.flag("archive_orphans", true), CleanOrphanedArchives: p.flag("clean_orphaned_archives", false),
			DryRun: p.flag("dry_run", false)}
	}
	run := func(ctx context.Context, o api.FixOptions) (api.FixReport, error) {
		r, err := e.Fix(ctx, o)
		if e.Withholds(ctx) {
			r = problems.WithholdFix(r)
		}
		return problems.ForModel(calledNames).Fix(r), err
	}
	return bind(s, decode, run, fixText)
}

func fixText(r api.FixReport) string {
	var b strings.Builder
	for _, a := range r.Actions {
		fmt.Fprintf(&b, "%s %s: %s\n", a.Action, a.Target, a.Reason)
	}
	moreText(&b, r.Omitted["actions"])
	for _, p := range r.Left {
		fmt.Fprintf(&b, "left for a person: %s: %s\n", p.Where, p.Reason)
	}
	moreText(&b, r.Omitted["left"])
	return b.String() + r.Summary
}
