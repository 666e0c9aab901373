package engine

import (
	"context"
	"fmt"

	"ltm/api"
	"ltm/internal/plural"
	"ltm/memory"
	"ltm/store"
)

// ResetSession begins a new segment of a session for another topic, and tells
// what the old one came to.
func (e *Engine) ResetSession(ctx context.Context, session string) (api.Segment, error) {
	var segment api.Segment
	err := e.update(ctx, func(tx *store.Tx) error {
		state, err := tolerate(tx.State())
		if err != nil {
			return err
		}
		s := e.sessionOf(state, session)
		if s == nil {
			return memory.Errorf(memory.CodeNotFound, "hooks open one when Claude Code starts; nothing was changed", "no session is open")
		}
		e.readTranscript(ctx, s)
		segment.Work = workSince(s, s.Segment)
		score, _ := difficultyOf(segment.Work, settingsOf(tx.View, state))
		segment.Difficulty = memory.Round2(score)
		segment.Message = "new segment; the old one had " + workText(segment.Work)
		beginSegment(s)
		tx.SetState(state)
		return nil
	})
	return segment, err
}

// Running tells what was counted in a session since its last store or new topic, and
// how hard that is; nil: no session is open. It changes nothing.
func (e *Engine) Running(ctx context.Context, session string) (*api.Segment, error) {
	var running *api.Segment
	err := e.store.View(func(v *store.View) error {
		if !v.Exists() {
			return nil
		}
		state, err := tolerate(v.State())
		if err != nil {
			return err
		}
		s := e.sessionOf(state, session)
		if s == nil {
			return nil
		}
		e.readTranscript(ctx, s) // into a copy: the next change reads it again
		work := workSince(s, s.Segment)
		score, _ := difficultyOf(work, settingsOf(v, state))
		running = &api.Segment{Work: work, Difficulty: memory.Round2(score)}
		running.Message = fmt.Sprintf("since the last store: %s; a memory stored now would have difficulty %.2f", workText(work), running.Difficulty)
		return nil
	})
	return running, err
}

// workText tells counted work in a few words.
func workText(w memory.Work) string {
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
