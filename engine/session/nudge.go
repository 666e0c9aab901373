package session

import (
	"fmt"
	"slices"

	"ltm/engine/settings"
	"ltm/engine/transcript"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/priority"
	"ltm/store"
)

const (
	// nudgeFailing is the least [priority.Failing] at which the model is asked for a memory. It
	// depends neither on the weights nor on whether hooks or a transcript counted. Three failures
	// in four calls are enough, and so are nine in twenty; three in sixty are not.
	nudgeFailing = 0.6

	// maxFailedTargets bounds what is kept of a segment's failures.
	maxFailedTargets = 16
)

// Nudge records what failed and what then succeeded. When a target that had failed now works, and enough of the
// segment's work failed, it returns a line for the model with the next step, once a segment. Otherwise it returns "".
func Nudge(s *store.Session, t api.ToolUse, conf func() settings.Settings, next memory.Next) string {
	if t.Tool == "" {
		return ""
	}
	target := transcript.Target(t.Tool, t.Input)
	at := slices.Index(s.Failed, target)
	if at >= 0 {
		s.ToolRetries++
	}
	if t.Failed {
		if at < 0 {
			s.Failed = append(s.Failed, target)
			s.Failed = s.Failed[max(0, len(s.Failed)-maxFailedTargets):]
		}
		return ""
	}
	if at < 0 {
		return ""
	}
	s.Failed = slices.Delete(s.Failed, at, at+1)
	work := Since(s, s.Segment)
	if s.Nudged || priority.Failing(work) < nudgeFailing || !conf().Nudge {
		return ""
	}
	s.Nudged = true
	text := fmt.Sprintf("ltm: %d of %s failed on the way, and what failed now works.", work.Failures,
		plural.Of(work.Calls, "tool call", "tool calls"))
	if advised := next.Say(memory.KindNudge, ""); advised != "" {
		text += " " + advised + "."
	}
	return text
}
