package mcp

import (
	"context"

	"ltm/memory"
	"ltm/memory/api"
)

// revival is what a call asks to bring back.
type revival struct {
	id         string
	importance memory.Importance
}

func restoreMemory(e Engine) boundTool {
	s := spec{
		name:        "restore_memory",
		description: "Make a fading or forgotten memory whole again.",
		prints:      "id",
	}
	run := func(ctx context.Context, r revival) (api.Receipt, error) {
		return e.Restore(ctx, r.id, string(r.importance))
	}
	return bind(s, restoreParams, run, receiptText)
}

func restoreParams(r *revival) []param {
	id := memoryID(&r.id)
	id.about = "of one that is not whole"
	return []param{id, {name: "importance", kind: orEmpty(importance(&r.importance)), about: "default: unchanged"}}
}
