package session

import (
	"fmt"
	"slices"

	"ltm/api"
	"ltm/engine/settings"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/priority"
	"ltm/store"
	"ltm/transcript"
)

const (
	// nudgeFailing is how much of the work must have failed to ask for a memory,
	// whatever weights judge it and whoever saw it: see [priority.Failing]. Three
	// failures in four calls are enough, and so are nine in twenty; three among sixty
	// are not, and neither is any work without failures.
	nudgeFailing = 0.6

	// maxFailedTargets bounds what is kept of a segment's failures.
	maxFailedTargets = 16
)

// Nudge follows what failed and what then succeeded. When the segment was hard,
// nothing of it was stored, and something that had failed now works, it returns
// a line for the model, once a segment, with what to do next.
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
