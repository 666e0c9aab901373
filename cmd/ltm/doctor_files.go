package main

import (
	"context"
	"slices"

	"ltm/memory/api"
)

// files checks the store's files, as ltm check does.
func (d *doctor) files(ctx context.Context) finding {
	r, err := d.engine.Check(ctx)
	switch {
	case err != nil:
		return fail(found(err), nextStep(err))
	case len(r.UnreadableFiles) > 0:
		return fail(say(r.Summary), `"ltm check" lists them; correct them by hand, or see "ltm fix --dry-run"`)
	case slices.ContainsFunc(r.Problems, func(p api.Problem) bool { return p.Repair == "" }):
		return warn(say(r.Summary), `"ltm check" lists them and says what to do`)
	case !r.OK:
		return warn(say(r.Summary), `"ltm check" lists them, and "ltm fix" repairs what it can`)
	case slices.ContainsFunc(r.Remarks, func(p api.Problem) bool { return p.Kind == "unreadable" }):
		return warn(say(r.Summary), `"ltm check" lists what is damaged; the next change repairs it`)
	case len(r.Warnings) > 0:
		return warn(say(r.Summary), `"ltm list --importance critical" lists them, and "ltm unpin ID" unpins one`)
	}
	return fine(say(r.Summary))
}
