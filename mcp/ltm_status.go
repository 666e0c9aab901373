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
		prints: "total_memories by_phase.out_of_sight total_archived session_count health stale user.total_memories " +
			"user.from_elsewhere",
		omits: "config store_path clone_path cache_path user.store_path", // settings and places help no model
	}
	run := func(ctx context.Context, _ struct{}) (api.Status, error) {
		status, err := e.Status(ctx)
		if err == nil {
			status.Session, err = e.Running(ctx, sessionOf(ctx, session))
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
