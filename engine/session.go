package engine

import (
	"cmp"
	"context"
	"strings"
	"time"

	"ltm/engine/brief"
	"ltm/engine/session"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

const (
	// endBudget bounds the work at a session's end: the client gives the hook 1.5 s, start-up
	// included. The rest is done at the next session's end.
	endBudget = 700 * time.Millisecond
)

// startSession is [Shelves.StartSession] with a section of the person's memories, or nil. Without a store, the block
// has that section alone.
func (e *Engine) startSession(ctx context.Context, s api.SessionStart, own ownSection) (string, error) {
	exists := e.store.Exists()
	if !exists && own == nil {
		return "", nil
	}
	to, id := audience{agent: agentName(s.Agent)}, session.CleanID(s.Session)
	var unoffered error
	to.offer, unoffered = e.offer(ctx, s.Session, s.Source == sourceCompact)
	var block brief.Brief
	err := e.store.View(func(v *store.View) error {
		u, state, err := e.startUsage(v)
		if err != nil {
			return err
		}
		if known := state.Sessions[id]; to.agent == "" && s.Source == sourceCompact && known != nil {
			to.agent = known.Agent // the client does not always repeat it
		}
		block, err = e.sessionBrief(v, u, to, own)
		return err
	})
	if !exists || err != nil {
		return block.Text, err
	}
	err = e.update(ctx, func(tx *changing) error {
		state, err := tolerate(tx.State())
		if err != nil {
			return err
		}
		var had store.Session // what the context still has: only a resumed session keeps it
		if known := state.Sessions[id]; known != nil && s.Source == sourceResume {
			had = *known
		}
		opened := e.sessions.Open(state, s.Session, s.Transcript, tx.now)
		opened.Shown, opened.Recalled, opened.Agent = had.Shown, had.Recalled, to.agent
		markShown(opened, block.Told()...)
		e.sessions.CloseLost(state, opened)
		tx.DropSpent()
		tx.SetState(state)
		return nil
	})
	return block.Text, cmp.Or(err, unoffered)
}

// RecordTool counts a tool call of a session, and returns what the model should be told, usually
// "". It reads and writes only small files, however many memories there are.
func (e *Engine) RecordTool(ctx context.Context, t api.ToolUse) (string, error) {
	var text string
	var untold error // of which the count does not depend
	err := e.inSession(ctx, t.Session, t.Transcript, func(v *store.View, state *store.State, s *store.Session) {
		conf := func() settings.Settings { return settingsOf(v, state) }
		if !t.Subagent {
			session.Count(s, t)
			text = session.Nudge(s, t, conf, e.next)
		}
		var edited string
		if edited, untold = e.recallEdited(v, s, t, conf); edited != "" {
			text = strings.TrimPrefix(text+"\n"+edited, "\n")
		}
	})
	return text, cmp.Or(err, untold)
}

// BeforeCompaction counts a compaction of a session's context, keeps a draft of where its work
// stands, and returns what the summary should keep, usually the id of the draft.
func (e *Engine) BeforeCompaction(ctx context.Context, c api.Compaction) (string, error) {
	if !e.store.Exists() {
		return "", nil
	}
	err := e.inSession(ctx, c.Session, "", func(_ *store.View, state *store.State, s *store.Session) {
		session.Compact(state, s)
	})
	text, undrafted := e.draft(ctx, c)
	return text, cmp.Or(err, undrafted)
}

// inSession changes the record of a session, which it opens if need be. Without a store it does
// nothing.
func (e *Engine) inSession(ctx context.Context, id, transcript string,
	change func(*store.View, *store.State, *store.Session)) error {
	if !e.store.Exists() {
		return nil
	}
	return e.update(ctx, func(tx *changing) error {
		state, err := tolerate(tx.State())
		if err != nil {
			return err
		}
		change(tx.View, state, e.sessions.Open(state, id, transcript, tx.now))
		tx.SetState(state)
		return nil
	})
}

// EndSession closes a session: it updates the priorities of what was accessed,
// evicts when there are too many memories, and notes how hard the session was. All of
// that is one change. It may be killed at any point: what was written of a memory by
// then is whole, and the next session's end does the rest.
func (e *Engine) EndSession(ctx context.Context, id string) error {
	if !e.store.Exists() {
		return nil
	}
	deadline := e.now().Add(endBudget)
	var unevicted error // the session is closed all the same
	err := e.update(ctx, func(tx *changing) error {
		state, err := tolerate(tx.State())
		if err != nil {
			return err
		}
		conf := settingsOf(tx.View, state)
		e.sessions.Close(ctx, state, id, conf, tx.now)
		tx.SetState(state)
		if err := dropOldStubs(tx, conf.StubDays); err != nil {
			return err
		}
		if err := updateStats(tx, state); err != nil {
			return err
		}
		_, unevicted = e.evict(tx, deadline)
		return nil
	})
	e.lookAround()
	return cmp.Or(err, unevicted)
}

// countSession counts the end of another store's session, updates the priorities, and evicts when there are too many
// memories.
func (e *Engine) countSession(ctx context.Context) error {
	deadline := e.now().Add(endBudget)
	return e.update(ctx, func(tx *changing) error {
		state, err := tolerate(tx.State())
		if err != nil {
			return err
		}
		state.SessionCount++
		state.CountSession(tx.now)
		tx.SetState(state)
		if err := updateStats(tx, state); err != nil {
			return err
		}
		_, err = e.evict(tx, deadline)
		return err
	})
}

// dropOldStubs removes stubs older than so many days: by then every branch should have merged
// them. The archives stay. A stub stays if it has a text of its own, and if the archives have no
// full text: it is what makes fix look for that text.
func dropOldStubs(tx *changing, days int) error {
	if days <= 0 {
		return nil
	}
	snapshot, err := tx.MemoriesQuick()
	if err != nil {
		return err
	}
	oldest := tx.now.AddDate(0, 0, -days)
	for _, stub := range snapshot.Stubs() {
		if stub.ArchivedAt.IsZero() || !stub.ArchivedAt.Before(oldest) || stub.Conflicted {
			continue
		}
		if !spent(tx.View, stub.ID) {
			continue
		}
		if err := tx.RemoveFile(store.MemoryPath(stub.File())); err != nil {
			return err
		}
	}
	return nil
}

// spent reports whether a stub can be removed without loss.
func spent(v *store.View, id memory.ID) bool {
	stub, err := v.ReadStub(id)
	if err != nil || stub.Memory.KeepsText {
		return false
	}
	if stub.Memory.ArchivedReason == memory.ReasonErased {
		return true
	}
	full, err := v.NewestFull(id)
	return err == nil && full != nil
}

// absentDays is how long the counters of a memory that has no file are kept: it may
// be on another branch.
const absentDays = 180

// absentSessions is the same for a memory that was never opened, in sessions.
const absentSessions = 300

// isOver reports whether the counters of a memory without a file can be dropped. Before that, the
// file may come back with a checkout.
func (u use) isOver(st memory.Stats, now time.Time) bool {
	if st.AccessedAt.IsZero() {
		return u.since(u.known(st)) > absentSessions
	}
	return now.Sub(st.AccessedAt) > absentDays*24*time.Hour
}

// updateStats adds stats for memories that are new to this clone, and drops the stats of memories that have long had
// no file.
func updateStats(tx *changing, state *store.State) error {
	snapshot, err := tx.Memories()
	if err != nil {
		return err
	}
	stats, err := tolerate(tx.Stats())
	if err != nil {
		return err
	}
	u := use{stats: stats, sessions: state.SessionCount}
	for id, st := range stats {
		_, isLive := snapshot.Find(id)
		_, isStub := snapshot.FindStub(id)
		if !isLive && !isStub && u.isOver(st, tx.now) {
			delete(stats, id)
		}
	}
	for _, r := range snapshot.Records {
		st := u.of(r.ID)              // with defaults if it is new to this clone
		if st.FadedAt.After(tx.now) { // the clock was ahead
			st.FadedAt = tx.now.UTC().Truncate(time.Second)
		}
		stats[r.ID] = st
	}
	tx.SetStats(stats)
	return nil
}
