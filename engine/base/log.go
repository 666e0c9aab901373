package base

import (
	"time"

	"ltm/memory"
	"ltm/store"
)

// Note logs an event with its time and the number of its session, which may be nil.
func (tx *Tx) Note(session *store.Session, event memory.Event) {
	event.Time = tx.Now.UTC().Truncate(time.Second)
	if session != nil {
		event.Session = session.Number
	}
	tx.Log(event)
}

// OpenNow returns the open session, or nil if no session is open or the state cannot be read.
func (e *Engine) OpenNow(v *store.View) *store.Session {
	state, err := v.State()
	if err != nil {
		return nil
	}
	return e.Sessions.Find(state, "")
}
