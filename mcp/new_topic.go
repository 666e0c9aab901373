package mcp

import (
	"context"

	"ltm/memory/api"
)

func newTopic(e Engine, session string) boundTool {
	return bindTopic(e, session, spec{name: "new_topic"})
}

// resetSession is the old name of new_topic.
func resetSession(e Engine, session string) boundTool {
	return bindTopic(e, session, spec{name: "reset_session", unlisted: true})
}

func bindTopic(e Engine, session string, s spec) boundTool {
	s.description = "Start a new topic: the next memory's difficulty is judged by the work from here on."
	run := func(ctx context.Context, _ struct{}) (api.Segment, error) {
		return e.ResetSession(ctx, sessionOf(ctx, session))
	}
	return bind(s, noParams, run, func(s api.Segment) string { return s.Message })
}
