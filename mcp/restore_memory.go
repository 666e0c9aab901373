package mcp

import (
	"context"

	"ltm/api"
)

// revival asks for an archived memory.
type revival struct{ id, importance string }

func restoreMemory(e Engine) boundTool {
	s := spec{
		name:        "restore_memory",
		description: "Bring a memory back in full that was forgotten or has faded.",
		input: `{"type":"object","properties":{"id":{"type":"string","description":"of a memory that was forgotten or has faded"},"importance":{"type":"string","enum":["critical","important","normal","low"],` +
			`"description":"default: as it was"}},"required":["id"]}`,
		output: receiptSchema,
	}
	decode := func(p *params) revival { return revival{p.id(), p.textOr("importance")} }
	run := func(ctx context.Context, r revival) (api.Receipt, error) {
		return e.Restore(ctx, r.id, r.importance)
	}
	return bind(s, decode, run, receiptText)
}
