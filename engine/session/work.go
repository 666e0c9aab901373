package session

import (
	"encoding/json"
	"fmt"

	"ltm/engine/settings"
	"ltm/engine/transcript"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/priority"
	"ltm/store"
)

// counts returns a session's counters so far.
func counts(s *store.Session) store.Segment {
	c := store.Segment{Counts: s.Counts}
	// Hooks report a compaction before it happens, and the transcript shows it afterwards, so the two counts overlap.
	c.Compactions = max(s.Compactions, s.Boundaries)
	if s.Work != nil {
		c.Work = *s.Work
	}
	return c
}

// Since returns the work of a session since a point of it: of each count, the larger of the hooks'
// and the record's. Some failures fire no hook, and hooks do not see what the model writes beside
// its calls; but the client writes its record a little after it calls hooks.
func Since(s *store.Session, from store.Segment) memory.Work {
	now := counts(s)
	failures := max(0, now.ToolFailures-from.ToolFailures)
	w := memory.Work{Calls: failures + max(0, now.ToolSuccesses-from.ToolSuccesses), Failures: failures,
		Retries: max(0, now.ToolRetries-from.ToolRetries), Tokens: max(0, now.SessionTokens-from.SessionTokens),
		Source: memory.SourceHooks}
	if s.Work != nil {
		hooked := w
		w = now.Work.Minus(from.Work)
		w.Calls, w.Failures = max(w.Calls, hooked.Calls), max(w.Failures, hooked.Failures)
		w.Retries, w.Tokens = max(w.Retries, hooked.Retries), max(w.Tokens, hooked.Tokens)
		w.Source = memory.SourceTranscript
	}
	w.Compacted = now.Compactions > from.Compactions
	return w
}

// Difficulty scores work from 0 to 1: see [priority.Difficulty].
func Difficulty(w memory.Work, s settings.Settings) (float64, priority.Breakdown) {
	return priority.Difficulty(w, s.TokenNormalizeCap*halfOfCap/100, s.DifficultyWeights)
}

// halfOfCap is the percentage of token_normalize_cap at which tokens get half of their full
// score: 30,000 tokens of 100,000.
const halfOfCap = 30

// BeginSegment starts a new segment at the session's present counts. Where the record is behind the
// hooks, it starts at what the record will hold when it has caught up: that work has been counted.
func BeginSegment(s *store.Session) {
	counted := s.Segment.Work.Plus(Since(s, s.Segment))
	s.Segment = counts(s)
	s.Segment.Work = counted
	s.Failed, s.Nudged = nil, false
}

func addWork(s *store.Session, w transcript.Work) {
	s.Work.Calls += w.Main.Calls
	s.Work.Failures += w.Main.Failures
	s.Work.Retries += w.Main.Retries
	s.Work.Tokens += w.Main.Tokens()
	s.Work.AgentCalls += w.Subagents.Calls
	s.Work.AgentFailures += w.Subagents.Failures
	s.Boundaries += w.Main.Compactions
	s.Compacted = s.Compacted || s.Boundaries > 0
}

// forgetReading drops the parts of the reading state that only matter while a session goes on.
func forgetReading(s *store.Session) {
	if s.Transcript == nil {
		return
	}
	var state transcript.State
	if json.Unmarshal(s.Transcript.Reading, &state) == nil {
		s.Transcript.Reading, _ = json.Marshal(transcript.State{Offset: state.Offset, Skipping: state.Skipping})
	}
}

// Text describes counted work in a few words.
func Text(w memory.Work) string {
	text := fmt.Sprintf("%s (%d failed", plural.Of(w.Calls, "tool call", "tool calls"), w.Failures)
	if w.Retries > 0 {
		text += fmt.Sprintf(", %s", plural.Of(w.Retries, "retry", "retries"))
	}
	text += fmt.Sprintf("), %s", plural.Of(w.Tokens, "token", "tokens"))
	if w.AgentCalls > 0 {
		text += fmt.Sprintf(", %s of subagents (%d failed)", plural.Of(w.AgentCalls, "call", "calls"), w.AgentFailures)
	}
	if w.Compacted {
		text += ", a compacted context"
	}
	return text
}
