package mcp

import (
	"context"
	"fmt"
	"strings"

	"ltm/memory/api"
	"ltm/memory/problems"
)

func fix(e Engine) boundTool {
	s := spec{
		name: "ltm_fix", destructive: true, idempotent: true,
		description: "Repair what ltm_check found; unreadable files go to the archives. Use dry_run first.",
		prints:      "actions.action actions.target actions.reason left.where left.reason summary",
	}
	run := func(ctx context.Context, a repair) (api.FixReport, error) {
		a.RemoveUnreadable = !a.archiveUnreadable
		r, err := e.Fix(ctx, a.FixOptions)
		if e.Withholds(ctx) {
			r = problems.WithholdFix(r)
		}
		return problems.ForModel(nextSteps()).Fix(r), err
	}
	return bind(s, fixParams, run, fixText)
}

// repair is what a call asks for. archiveUnreadable is the opposite of
// RemoveUnreadable: the parameter names the safe default.
type repair struct {
	api.FixOptions
	archiveUnreadable bool
}

func fixParams(a *repair) []param {
	return []param{
		{name: "archive_orphans", kind: flagOr(&a.archiveUnreadable, true), about: "false: delete unreadable files"},
		{name: "clean_orphaned_archives", kind: flag(&a.CleanOrphanedArchives), about: "delete other archive files"},
		{name: "dry_run", kind: flag(&a.DryRun), about: "only report it"},
	}
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
