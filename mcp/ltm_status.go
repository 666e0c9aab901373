package mcp

import (
	"context"
	"fmt"

	"ltm/api"
)

// noParams are the parameters of a tool that takes none.
func noParams(*struct{}) []param { return nil }

func status(e Engine, session string) boundTool {
	s := spec{
		name: "ltm_status", readOnly: true, idempotent: true,
		description: "The memory store at a glance: counts, size, settings, health, and what was counted in this session since its last store.",
		output:      `{"type":"object","properties":{"total_memories":{"type":"integer"},"health":{"type":"string"},"session":{"type":"object"}},"required":["total_memories","health"]}`,
	}
	run := func(ctx context.Context, _ struct{}) (api.Status, error) {
		status, err := e.Status(ctx)
		if err == nil {
			status.Session, err = e.Running(ctx, session)
		}
		return status, err
	}
	return bind(s, noParams, run, statusText)
}

func statusText(s api.Status) string {
	text := fmt.Sprintf("%d memories, %d archived, %d sessions; %s", s.TotalMemories, s.TotalArchived, s.SessionCount, s.Health)
	if s.Session != nil {
		text += "; " + s.Session.Message
	}
	return text
}
