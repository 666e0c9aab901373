package change

import (
	"context"
	"time"

	"ltm/engine/base"
	"ltm/store"
)

// Init makes the store's directory, with the files that tell git how to treat it.
func (e *Engine) Init(ctx context.Context) error {
	return e.ChangeOrCreate(ctx, (*base.Tx).WriteRules)
}

// ProbeLock takes the lock of an existing store and releases it, waiting as long as any change
// would. It changes nothing.
func (e *Engine) ProbeLock(ctx context.Context) error {
	return e.Change(ctx, func(*base.Tx) error { return nil })
}

// SeenSession describes the session that hooks reported last.
type SeenSession struct {
	ID       string
	LastSeen time.Time
	Tools    int // calls, successful or not
	Ended    bool
}

// LastSession returns the session that hooks reported last, or nil.
func (e *Engine) LastSession(context.Context) (*SeenSession, error) {
	var last *SeenSession
	err := e.Store.View(func(v *store.View) error {
		state, err := base.Tolerate(v.State())
		if err != nil {
			return err
		}
		if s := state.CurrentSession; s != nil {
			last = &SeenSession{s.ID, s.LastSeen, s.ToolFailures + s.ToolSuccesses, s.EndedAt != nil}
		}
		return nil
	})
	return last, err
}
