package mcp

import (
	"context"
	"fmt"
	"strings"

	"ltm/memory"
)

func check(e Engine) boundTool {
	s := spec{
		name: "ltm_check", readOnly: true, idempotent: true,
		description: "Compare the store's files with its indexes. Changes nothing; ltm_fix repairs.",
		input:       noParameters,
		output:      `{"type":"object","properties":{"ok":{"type":"boolean"},"summary":{"type":"string"}},"required":["ok","summary"]}`,
	}
	run := func(ctx context.Context, _ struct{}) (memory.CheckReport, error) { return e.Check(ctx) }
	return bind(s, nothing, run, checkText)
}

// maxProblems bounds how many problems the text names: the structured result has
// all of them.
const maxProblems = 20

func checkText(r memory.CheckReport) string {
	var b strings.Builder
	for i, p := range r.Problems {
		if i == maxProblems {
			fmt.Fprintf(&b, "and %d more\n", len(r.Problems)-maxProblems)
			break
		}
		fmt.Fprintf(&b, "%s: %s: %s\n", p.Kind, p.Where, p.Reason)
	}
	return b.String() + r.Summary
}
