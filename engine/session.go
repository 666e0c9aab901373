package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"ltm/api"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/store"
	"ltm/transcript"
)

const (
	// maxSessions bounds the session records that are kept: the state file is
	// read at every tool call.
	maxSessions = 20

	// endBudget bounds the work at a session's end: the client gives the hook
	// 1.5 s, start-up included. What is left over is done at the next end.
	endBudget = 700 * time.Millisecond

	// lostAfter is how long nobody must have seen an open session for it to count
	// as killed, when its process is not known.
	lostAfter = 24 * time.Hour
)

// StartSession counts a session that begins and returns the block of text that
// it should start with; after a compaction nothing is counted. Without a store
// it does nothing. When the count cannot be written, the text comes beside the
// error.
func (e *Engine) StartSession(ctx context.Context, s api.SessionStart) (string, error) {
	if !e.store.Exists() {
		return "", nil
	}
	text, shown, err := e.SessionContext(ctx)
	if err != nil {
		return "", err
	}
	err = e.update(ctx, func(tx *store.Tx) error {
		state, err := tolerate(tx.State())
		if err != nil {
			return err
		}
		// What was shown before a compaction is gone from the context.
		session := e.openSession(state, s.Session, s.Transcript)
		session.Shown = shown[:min(len(shown), maxShown)]
		e.closeLost(state, session)
		tx.SetState(state)
		return nil
	})
	return text, err
}

// openSession returns the open session of that id, beginning one if there is
// none: a session that ended and goes on counts again.
func (e *Engine) openSession(state *store.State, id, transcript string) *store.Session {
	now := e.now().UTC().Truncate(time.Second)
	id = cleanSessionID(id)
	session := state.Sessions[id]
	switch {
	case session == nil || session.EndedAt != nil && !session.Lost:
		state.SessionCount++
		session = &store.Session{ID: id, Number: state.SessionCount, StartedAt: now}
		state.Sessions[id] = session
		e.followTranscript(session, transcript, true)
	case session.Lost: // it was thought dead, and is not
		session.Lost, session.EndedAt = false, nil
	}
	e.followTranscript(session, transcript, false)
	session.LastSeen = now
	if e.client != 0 {
		session.Client = e.client
	}
	state.CurrentSession = session
	prune(state, now)
	return session
}

// cleanSessionID bounds what a payload may make of a session's id.
func cleanSessionID(id string) string {
	const maxID = 100
	id = strings.ToValidUTF8(id, "")
	if len(id) > maxID {
		id = strings.ToValidUTF8(id[:maxID], "")
	}
	return cmp.Or(strings.TrimSpace(id), "unknown")
}

// prune drops the records that were seen longest ago. Those that were seen in
// the future go first: the clock was wrong when they were, or is now, and they
// must not push out the ones that are at work.
func prune(state *store.State, now time.Time) {
	if len(state.Sessions) <= maxSessions {
		return
	}
	all := make([]*store.Session, 0, len(state.Sessions))
	for _, s := range state.Sessions {
		all = append(all, s)
	}
	seen := func(s *store.Session) time.Time {
		if s.LastSeen.After(now) {
			return time.Time{}
		}
		return s.LastSeen
	}
	slices.SortFunc(all, func(a, b *store.Session) int {
		return cmp.Or(seen(b).Compare(seen(a)), cmp.Compare(b.Number, a.Number), strings.Compare(a.ID, b.ID))
	})
	for _, s := range all[maxSessions:] {
		if s != state.CurrentSession {
			delete(state.Sessions, s.ID)
		}
	}
}

// closeLost closes the sessions that never ended: their client is gone, or
// nobody has seen them for long.
func (e *Engine) closeLost(state *store.State, but *store.Session) {
	for _, s := range state.Sessions {
		if s == but || s.EndedAt != nil {
			continue
		}
		gone := s.Client != 0 && e.alive != nil && !e.alive(s.Client)
		if gone || but.LastSeen.Sub(s.LastSeen) > lostAfter {
			ended := s.LastSeen
			s.EndedAt, s.Lost = &ended, true
			forgetReading(s)
		}
	}
}

// RecordTool counts a tool call of a session, and returns what the model should
// be told: mostly nothing. It reads and writes only the state file, however many
// memories there are.
func (e *Engine) RecordTool(ctx context.Context, t api.ToolUse) (string, error) {
	var text string
	err := e.inSession(ctx, t.Session, t.Transcript, func(v *store.View, state *store.State, s *store.Session) {
		if t.Failed {
			s.ToolFailures++
		} else {
			s.ToolSuccesses++
		}
		s.SessionTokens += toolTokens(t)
		text = nudge(s, t, func() settings.Settings { return settingsOf(v, state) })
	})
	return text, err
}

func toolTokens(t api.ToolUse) int {
	if t.Long {
		return transcript.LongTokens()
	}
	return transcript.ToolTokens(t.Input, t.Response)
}

// MarkCompacted notes that a session's context was compacted.
func (e *Engine) MarkCompacted(ctx context.Context, session string) error {
	return e.inSession(ctx, session, "", func(_ *store.View, state *store.State, s *store.Session) {
		s.Compacted = true
		s.Compactions++
		state.CompactionCount++
	})
}

// inSession changes a session's record; without a store it does nothing.
func (e *Engine) inSession(ctx context.Context, id, transcript string, change func(*store.View, *store.State, *store.Session)) error {
	if !e.store.Exists() {
		return nil
	}
	return e.update(ctx, func(tx *store.Tx) error {
		state, err := tolerate(tx.State())
		if err != nil {
			return err
		}
		change(tx.View, state, e.openSession(state, id, transcript))
		tx.SetState(state)
		return nil
	})
}

// EndSession closes a session: it settles the priorities of what was accessed,
// evicts when there are too many memories, and notes how hard the session was.
// It may be killed at any point: each step stands on its own.
func (e *Engine) EndSession(ctx context.Context, id string) error {
	if !e.store.Exists() {
		return nil
	}
	deadline := e.now().Add(endBudget)
	err := e.update(ctx, func(tx *store.Tx) error {
		state, err := tolerate(tx.State())
		if err != nil {
			return err
		}
		e.closeSession(ctx, tx.View, state, id)
		tx.SetState(state)
		if err := e.dropOldStubs(tx, settingsOf(tx.View, state).StubDays); err != nil {
			return err
		}
		return e.settle(tx, state)
	})
	if err != nil {
		return err
	}
	_, err = e.evict(ctx, false, deadline)
	return err
}

func (e *Engine) closeSession(ctx context.Context, v *store.View, state *store.State, id string) {
	session := state.Sessions[cleanSessionID(id)]
	if session == nil {
		session = e.openSession(state, id, "")
	}
	e.readTranscript(ctx, session)
	forgetReading(session)
	score, _ := difficultyOf(workSince(session, store.Segment{}), settingsOf(v, state))
	now := e.now().UTC().Truncate(time.Second)
	session.DifficultyScore = memory.Round2(score)
	session.LastSeen = now
	session.EndedAt, session.Lost = &now, false
}

// dropOldStubs removes the stubs that are old enough for every branch to have met
// them. The archives stay. So does a stub with a text of its own, and one without
// a full text in the archives: it is what tells fix to look for that text.
func (e *Engine) dropOldStubs(tx *store.Tx, days int) error {
	if days <= 0 {
		return nil
	}
	snapshot, err := tx.MemoriesQuick()
	if err != nil {
		return err
	}
	oldest := e.now().AddDate(0, 0, -days)
	for _, stub := range snapshot.Stubs {
		if stub.ArchivedAt.IsZero() || !stub.ArchivedAt.Before(oldest) || stub.Conflicted {
			continue
		}
		if !spent(tx.View, stub.ID) {
			continue
		}
		if err := tx.RemoveFile(memoriesPath(stub.File)); err != nil {
			return err
		}
	}
	return nil
}

// spent reports whether nothing is lost when a stub goes.
func spent(v *store.View, id memory.ID) bool {
	stub, err := v.ReadStub(id)
	if err != nil || stub.Memory.HasText() {
		return false
	}
	if stub.Memory.ArchivedReason == memory.ReasonErased {
		return true
	}
	full, err := newestFull(v, id)
	return err == nil && full != nil
}

// absentDays is how long the counters of a memory that has no file are kept: it may
// be on another branch.
const absentDays = 180

// absentSessions is the same for those of a memory that was never opened.
const absentSessions = 300

// isOver reports whether the counters of a memory without a file have been kept long
// enough: the file may come back with a next checkout.
func (e *Engine) isOver(u use, st memory.Stats) bool {
	if st.AccessedAt.IsZero() {
		return u.since(u.known(st)) > absentSessions
	}
	return e.now().Sub(st.AccessedAt) > absentDays*24*time.Hour
}

// settle enters what this clone sees for the first time, brings the priorities in the
// stats up to date, and drops those of memories that have had no file for long.
func (e *Engine) settle(tx *store.Tx, state *store.State) error {
	snapshot, err := tx.Memories()
	if err != nil {
		return err
	}
	stats, err := tolerate(tx.Stats())
	if err != nil {
		return err
	}
	u := use{stats, state.SessionCount, settingsOf(tx.View, state)}
	for id, st := range stats {
		_, isLive := snapshot.Find(id)
		_, isStub := snapshot.FindStub(id)
		if !isLive && !isStub && e.isOver(u, st) {
			delete(stats, id)
		}
	}
	for _, r := range snapshot.Records {
		st := u.of(r.ID) // one that is new to this clone is entered
		st.Priority = u.rounded(r.Memory)
		stats[r.ID] = st
	}
	tx.SetStats(stats)
	return nil
}
