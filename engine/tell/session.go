package tell

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"ltm/engine/base"
	"ltm/engine/brief"
	"ltm/engine/find"
	"ltm/engine/rank"
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

	// answersBudget bounds the reading of a session's answers at its end.
	answersBudget = 150 * time.Millisecond
)

// StartSession begins a session, with a section of the person's memories, or nil. Without a store, the block
// has that section alone.
func (e *Engine) StartSession(ctx context.Context, s api.SessionStart, own OwnSection) (string, error) {
	exists := e.Store.Exists()
	if !exists && own == nil {
		return "", nil
	}
	to, id := find.Audience{Agent: find.AgentName(s.Agent)}, session.CleanID(s.Session)
	var unoffered error
	var block brief.Brief
	err := e.Store.View(func(v *store.View) error {
		u, state, err := e.StartUsage(v)
		if err != nil {
			return err
		}
		if known := state.Sessions[id]; to.Agent == "" && s.Source == sourceCompact && known != nil {
			to.Agent = known.Agent // the client does not always repeat it
		}
		to.Offer, unoffered = e.offer(ctx, v, s.Session, s.Source == sourceCompact)
		// A damaged file is replaced when something is proposed next.
		if proposed, err := v.Candidates(); err == nil && u.Settings.Candidates {
			to.Offer.Candidates = len(proposed.Pending)
		}
		block, err = e.sessionBrief(v, u, to, own)
		return err
	})
	if !exists || err != nil {
		return block.Text, err
	}
	err = e.Change(ctx, func(tx *base.Tx) error {
		state, err := base.Tolerate(tx.State())
		if err != nil {
			return err
		}
		var had store.Session // what the context still has: only a resumed session keeps it
		if known := state.Sessions[id]; known != nil && s.Source == sourceResume {
			had = *known
		}
		opened := e.Sessions.Open(state, s.Session, s.Transcript, tx.Now)
		opened.Recalled, opened.Agent = had.Recalled, to.Agent
		rank.MarkStart(opened, had.Shown, block.Told())
		e.Sessions.CloseLost(state, opened)
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
		conf := func() settings.Settings { return base.SettingsOf(v, state) }
		if !t.Subagent {
			session.Count(s, t)
			text = session.Nudge(s, t, conf, e.Next)
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
	if !e.Store.Exists() {
		return "", nil
	}
	err := e.inSession(ctx, c.Session, "", func(_ *store.View, state *store.State, s *store.Session) {
		session.Compact(state, s)
	})
	id, undrafted := e.draft(ctx, draftBudget, api.DraftRequest{Session: c.Session, Transcript: c.Transcript})
	if id == "" {
		return "", cmp.Or(err, undrafted)
	}
	return "Where the work stands is kept as packet " + id + ". Keep this id in the summary, and what no file says: " +
		"decisions with their reasons, what was tried and failed, and the next step.", cmp.Or(err, undrafted)
}

// LeaveDraft keeps a draft of a session's work: after a compaction with its summary, and at the end of a session that
// leaves something unfinished. It also proposes what there is to remember.
func (e *Engine) LeaveDraft(ctx context.Context, l api.Leaving) error {
	budget := draftBudget
	if l.Ends {
		budget = endDraftBudget
	}
	if !e.Store.Exists() || !l.Ends && l.Summary == "" {
		return nil
	}
	unproposed := e.propose(ctx, l)
	_, err := e.draft(ctx, budget, api.DraftRequest{Session: l.Session, Transcript: l.Transcript, Summary: l.Summary,
		Unfinished: l.Ends})
	return cmp.Or(err, unproposed)
}

// inSession changes the record of a session, which it opens if need be. Without a store it does nothing.
func (e *Engine) inSession(ctx context.Context, id, transcript string,
	change func(*store.View, *store.State, *store.Session)) error {
	if !e.Store.Exists() {
		return nil
	}
	return e.Change(ctx, func(tx *base.Tx) error {
		state, err := base.Tolerate(tx.State())
		if err != nil {
			return err
		}
		change(tx.View, state, e.Sessions.Open(state, id, transcript, tx.Now))
		tx.SetState(state)
		return nil
	})
}

// EndSession closes a session: it updates the priorities of what was accessed, evicts when there are too many memories,
// and notes how hard the session was. All of that is one change. It may be killed at any point: what was written of a
// memory by then is whole, and the next session's end does the rest.
func (e *Engine) EndSession(ctx context.Context, id string) error {
	return e.EndHeard(ctx, id, e.Heard(ctx, id), nil)
}

// EndHeard is [Engine.EndSession] with what [Engine.Heard] returned for the session. As soon as it is known whether
// that counts, also, unless it is nil, gets what does. It is not called if nothing is changed.
func (e *Engine) EndHeard(ctx context.Context, id string, h rank.Heard, also func(rank.Heard)) error {
	if !e.Store.Exists() {
		return nil
	}
	deadline := e.Now().Add(endBudget)
	var unevicted error // the session is closed all the same
	err := e.Change(ctx, func(tx *base.Tx) error {
		state, err := base.Tolerate(tx.State())
		if err != nil {
			return err
		}
		if !isOpen(state, id) { // another process has just ended it
			h = rank.Heard{}
		}
		if also != nil {
			also(h)
		}
		conf := base.SettingsOf(tx.View, state)
		e.Sessions.Close(ctx, state, id, conf, tx.Now)
		tx.SetState(state)
		if err := dropOldStubs(tx, conf.StubDays); err != nil {
			return err
		}
		if err := cmp.Or(h.Count(tx, state.SessionCount), rank.UpdateStats(tx, state)); err != nil {
			return err
		}
		_, unevicted = e.EvictIn(tx, deadline)
		return nil
	})
	e.lookAround()
	return cmp.Or(err, unevicted)
}

// Heard returns what a session tells of the use of memories before it ends: which its context had, and its answers, as
// far as they are read in time. A session that has ended tells nothing more.
func (e *Engine) Heard(ctx context.Context, id string) (h rank.Heard) {
	var record *store.Transcript
	_ = e.Store.View(func(v *store.View) error { // what cannot be read is not counted
		state, err := v.State()
		if err != nil {
			return err
		}
		if s := state.Sessions[session.CleanID(id)]; isOpen(state, id) {
			h.Shown, record = slices.Concat(s.Earlier, s.Shown), s.Transcript
		}
		return nil
	})
	records, ok := e.Sessions.Records.(interface {
		Answers(context.Context, *store.Transcript) string
	})
	if record != nil && ok {
		ctx, cancel := context.WithTimeout(ctx, answersBudget)
		defer cancel()
		h.Answers = records.Answers(ctx, record)
	}
	return h
}

// isOpen reports whether a session is known, and no hook has told its end.
func isOpen(state *store.State, id string) bool {
	s := state.Sessions[session.CleanID(id)]
	return s != nil && (s.EndedAt == nil || s.Lost)
}

// CountSession counts the end of another store's session, and the uses of memories in it, updates the priorities, and
// evicts when there are too many memories.
func (e *Engine) CountSession(ctx context.Context, h rank.Heard) error {
	deadline := e.Now().Add(endBudget)
	return e.Change(ctx, func(tx *base.Tx) error {
		state, err := base.Tolerate(tx.State())
		if err != nil {
			return err
		}
		state.SessionCount++
		state.CountSession(tx.Now)
		tx.SetState(state)
		if err := cmp.Or(h.Count(tx, state.SessionCount), rank.UpdateStats(tx, state)); err != nil {
			return err
		}
		_, err = e.EvictIn(tx, deadline)
		return err
	})
}

// dropOldStubs removes stubs older than so many days: by then every branch should have merged
// them. The archives stay. A stub stays if it has a text of its own, and if the archives have no
// full text: it is what makes fix look for that text.
func dropOldStubs(tx *base.Tx, days int) error {
	if days <= 0 {
		return nil
	}
	snapshot, err := tx.MemoriesQuick()
	if err != nil {
		return err
	}
	oldest := tx.Now.AddDate(0, 0, -days)
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
