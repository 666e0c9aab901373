package mcp

import (
	"context"

	"ltm/memory/api"
)

// change is an update of one memory.
type change struct {
	id    string
	patch api.Patch
}

func updateMemory(e Engine, session string) boundTool {
	s := spec{
		name: "update_memory", destructive: true,
		description: "Correct or extend a memory. content replaces the whole " +
			"text, append adds to it; replaced text is archived.",
		prints: "id",
	}
	run := func(ctx context.Context, c change) (api.Receipt, error) {
		c.patch.Session, c.patch.Follow = sessionOf(ctx, session), c.patch.Verified
		return e.Update(ctx, c.id, c.patch)
	}
	return bind(s, updateParams, run, receiptText)
}
