package mcp

import (
	"context"

	"ltm/memory/api"
)

// newTopic is a tool with two names: reset_session is the old one.
func newTopic(e Engine, session string, s spec) boundTool {
	s.description = "Start a new topic: the next memory's difficulty is judged by the work from here on."
	run := func(ctx context.Context, _ struct{}) (api.Segment, error) {
		return e.ResetSession(ctx, sessionOf(ctx, session))
	}
	return bind(s, noParams, run, func(s api.Segment) string { return s.Message })
}
