package tell

import (
	"context"
	"fmt"

	"ltm/engine/base"
	"ltm/engine/session"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// ResetSession starts a new segment of a session and returns the work and difficulty of the old one.
func (e *Engine) ResetSession(ctx context.Context, id string) (api.Segment, error) {
	var segment api.Segment
	err := e.Change(ctx, func(tx *base.Tx) error {
		state, err := base.Tolerate(tx.State())
		if err != nil {
			return err
		}
		s := e.Sessions.Find(state, id)
		if s == nil {
			return memory.NewError(memory.CodeNotFound, memory.KindSessionNone, id, "no session is open")
		}
		e.Sessions.Read(ctx, s)
		segment.Work = session.Since(s, s.Segment)
		score, _ := session.Difficulty(segment.Work, base.SettingsOf(tx.View, state))
		segment.Difficulty = memory.Round2(score)
		segment.Message = "new segment; the old one had " + session.Text(segment.Work)
		session.BeginSegment(s)
		tx.SetState(state)
		return nil
	})
	return segment, err
}

// SessionRecord returns the id of the open session that a hint names, or that the hint's process has now, and the path
// of the client's record of it. Without an open one, it returns the hint or, if that is empty, the last session.
func (e *Engine) SessionRecord(hint string) (id, record string) {
	id = hint
	_ = e.Store.View(func(v *store.View) error { // what cannot be read is not known
		if !v.Exists() {
			return nil
		}
		state, err := base.Tolerate(v.State())
		if err != nil {
			return err
		}
		s := e.Sessions.Find(state, hint)
		if s == nil && hint == "" {
			s = state.CurrentSession
		}
		if s != nil {
			id = s.ID
			if s.Transcript != nil {
				record = s.Transcript.Path
			}
		}
		return nil
	})
	return id, record
}

// Running returns the work and difficulty of a session's current segment, or nil if no session is
// open. It changes nothing.
func (e *Engine) Running(ctx context.Context, id string) (*api.Segment, error) {
	var running *api.Segment
	err := e.Store.View(func(v *store.View) error {
		if !v.Exists() {
			return nil
		}
		state, err := base.Tolerate(v.State())
		if err != nil {
			return err
		}
		s := e.Sessions.Find(state, id)
		if s == nil {
			return nil
		}
		e.Sessions.Read(ctx, s) // in this view's state alone; the next change reads the record again
		work := session.Since(s, s.Segment)
		score, _ := session.Difficulty(work, base.SettingsOf(v, state))
		running = &api.Segment{Work: work, Difficulty: memory.Round2(score)}
		running.Message = fmt.Sprintf("since the last store: %s; a memory stored now would have difficulty %.2f",
			session.Text(work), running.Difficulty)
		return nil
	})
	return running, err
}
