package mcp

import (
	"context"

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
	return bind(s, nothing, run, func(r memory.CheckReport) string { return r.Summary })
}
