package mcp

import (
	"context"

	"ltm/memory"
)

func resetSession(e Engine, session string) boundTool {
	s := spec{
		name:        "reset_session",
		description: "Begin another topic: the next memory's difficulty counts from here. Tells what was counted.",
		input:       noParameters,
		output:      `{"type":"object","properties":{"difficulty":{"type":"number"}}}`,
	}
	run := func(ctx context.Context, _ struct{}) (memory.Segment, error) { return e.ResetSession(ctx, session) }
	return bind(s, nothing, run, func(s memory.Segment) string { return s.Message })
}
