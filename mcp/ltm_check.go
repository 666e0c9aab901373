package mcp

import (
	"context"
	"fmt"
	"strings"

	"ltm/memory/api"
	"ltm/memory/problems"
)

func check(e Engine) boundTool {
	s := spec{
		name: "ltm_check", readOnly: true, idempotent: true,
		description: "Check the store for inconsistencies. Changes nothing; ltm_fix repairs them.",
		prints:      "problems.kind problems.where problems.reason summary",
	}
	run := func(ctx context.Context, _ struct{}) (api.CheckReport, error) {
		r, err := e.Check(ctx)
		if e.Withholds(ctx) {
			r = problems.Withhold(r)
		}
		return problems.ForModel(nextSteps()).Check(r), err
	}
	return bind(s, noParams, run, checkText)
}

func checkText(r api.CheckReport) string {
	var b strings.Builder
	for _, p := range r.Problems {
		fmt.Fprintf(&b, "%s: %s: %s\n", p.Kind, p.Where, p.Reason)
	}
	moreText(&b, r.Omitted["problems"])
	return b.String() + r.Summary.String()
}

// moreText says how many entries a list omits, or nothing if it omits none.
func moreText(b *strings.Builder, n int) {
	if n > 0 {
		fmt.Fprintf(b, "and %d more\n", n)
	}
}
