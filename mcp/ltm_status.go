package mcp

import (
	"context"
	"fmt"

	"ltm/memory"
)

const noParameters = `{"type":"object","properties":{}}`

// nothing is the arguments of a tool that takes none.
func nothing(*params) struct{} { return struct{}{} }

func status(e Engine) boundTool {
	s := spec{
		name: "ltm_status", readOnly: true, idempotent: true,
		description: "The memory store at a glance: counts, size, sessions, settings, health.",
		input:       noParameters,
		output:      `{"type":"object","properties":{"total_memories":{"type":"integer"},"health":{"type":"string"}},"required":["total_memories","health"]}`,
	}
	run := func(ctx context.Context, _ struct{}) (memory.Status, error) { return e.Status(ctx) }
	return bind(s, nothing, run, func(s memory.Status) string {
		return fmt.Sprintf("%d memories, %d archived, %d sessions; %s", s.TotalMemories, s.TotalArchived, s.SessionCount, s.Health)
	})
}
