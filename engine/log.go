package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
	"ltm/text/safe"
)

// maxWhy bounds the reason of a repair in the log, in characters: it quotes the repaired file.
const maxWhy = 500

// History returns at most limit of the last changes in this clone of the memory of that id, or of all if it is empty,
// the newest first.
func (e *Engine) History(_ context.Context, of memory.ID, limit int) (memory.History, error) {
	var h memory.History
	err := e.store.View(func(v *store.View) (err error) {
		h.Events, err = v.Log(of, limit)
		marks := e.markerIn(v)
		for i, event := range h.Events {
			h.Events[i].Foreign = event.Topic != "" && event.ID != "" && marks.anywhere(event.ID)
		}
		return err
	})
	return h, err
}

// note logs an event with its time and the number of its session, which may be nil.
func (tx *changing) note(session *store.Session, event memory.Event) {
	event.Time = tx.now.UTC().Truncate(time.Second)
	if session != nil {
		event.Session = session.Number
	}
	tx.Log(event)
}

// openNow returns the open session, or nil if no session is open or the state cannot be read.
func (e *Engine) openNow(v *store.View) *store.Session {
	state, err := v.State()
	if err != nil {
		return nil
	}
	return e.sessions.Find(state, "")
}

// logEviction logs a step of an eviction. Only an eviction at a session's end has a deadline, and
// that session is already closed.
func (e *Engine) logEviction(tx *changing, state *store.State, step memory.EvictionStep, deadline time.Time) {
	session := e.sessions.Find(state, "")
	if session == nil && !deadline.IsZero() {
		session = state.CurrentSession
	}
	tx.note(session, memory.Event{Action: memory.ActionEvicted, ID: step.ID, Topic: step.Topic, From: &step.From,
		To: &step.To, Why: step.Reason})
}

// logRepair logs the actions of a repair, an event each.
func (e *Engine) logRepair(tx *changing, actions []api.FixAction) {
	session := e.openNow(tx.View)
	for _, a := range actions {
		why := safe.Clip(safe.Line(fmt.Sprintf("%s %s: %s", a.Action, a.Target, a.Reason)), maxWhy)
		tx.note(session, memory.Event{Action: memory.ActionRepaired, ID: idOf(a.Target), Why: why})
	}
}

// idOf returns the id of the memory whose file a path names, or "".
func idOf(path string) memory.ID {
	id, _ := memory.IDFromFile(path[strings.LastIndexByte(path, '/')+1:])
	return id
}
