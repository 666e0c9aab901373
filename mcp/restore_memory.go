package mcp

import (
	"context"

	"ltm/api"
	"ltm/memory"
)

// revival asks for an archived memory.
type revival struct {
	id         string
	importance memory.Importance
}

func restoreMemory(e Engine) boundTool {
	s := spec{
		name:        "restore_memory",
		description: "Bring a memory back in full that was forgotten or has faded.",
		output:      receiptSchema,
	}
	run := func(ctx context.Context, r revival) (api.Receipt, error) {
		return e.Restore(ctx, r.id, string(r.importance))
	}
	return bind(s, restoreParams, run, receiptText)
}

func restoreParams(r *revival) []param {
	id := memoryID(&r.id)
	id.about = "of a memory that was forgotten or has faded"
	return []param{
		id,
		{name: "importance", kind: orEmpty(importance(&r.importance)), about: "default: as it was"},
	}
}
