package mcp

import (
	"context"
	"fmt"

	"ltm/memory/api"
)

// noParams declares that a tool has no parameters.
func noParams(*struct{}) []param { return nil }

func status(e Engine, session string) boundTool {
	s := spec{
		name: "ltm_status", readOnly: true, idempotent: true,
		description: "Show the store's counts, settings and health, and this session's work.",
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
	text := fmt.Sprintf("%d memories in sight, %d out of sight, %d forgotten or superseded; %d sessions; %s",
		s.TotalMemories, s.ByPhase.OutOfSight, s.TotalArchived, s.SessionCount, s.Health)
	if s.Stale > 0 {
		text += fmt.Sprintf("; %d may be stale", s.Stale)
	}
	if s.User != nil {
		text += fmt.Sprintf("; of this person, for every project: %d memories, %d from elsewhere", s.User.TotalMemories,
			s.User.FromElsewhere)
	}
	if s.Session != nil {
		text += "; " + s.Session.Message
	}
	return text
}
