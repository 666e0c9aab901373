package engine

import (
	"fmt"
	"slices"

	"ltm/memory"
	"ltm/store"
	"ltm/transcript"
)

const (
	// nudgeDifficulty and nudgeFailures say which work was hard enough to ask for
	// a memory. Three failures in four calls just are (0.3·3/4 + 0.2·4/50, with
	// the balanced weights), and so are nine in twenty; three among sixty calls
	// are not, nor is any work without failures.
	nudgeDifficulty = 0.24
	nudgeFailures   = 3

	// maxFailedTargets bounds what is kept of a segment's failures.
	maxFailedTargets = 16
)

// nudge follows what failed and what then succeeded. When the segment was hard,
// nothing of it was stored, and something that had failed now works, it returns
// a line for the model, once a segment.
func nudge(s *store.Session, t memory.ToolUse, settings func() Settings) string {
	if t.Tool == "" {
		return ""
	}
	target := transcript.Target(t.Tool, t.Input)
	at := slices.Index(s.Failed, target)
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
	work := workSince(s, s.Segment)
	if s.Nudged || work.Failures < nudgeFailures {
		return ""
	}
	in := settings()
	if difficulty, _ := difficultyOf(work, in); !in.Nudge || difficulty < nudgeDifficulty {
		return ""
	}
	s.Nudged = true
	return fmt.Sprintf("ltm: %d of %s failed on the way, and what failed now works. If later sessions should know (cause, fix, what did not help), keep it with store_memory.",
		work.Failures, plural(work.Calls, "tool call", "tool calls"))
}
