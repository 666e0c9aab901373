package base

import (
	"context"
	"slices"
	"time"

	"ltm/engine/session"
	"ltm/engine/settings"
	"ltm/memory"
	"ltm/memory/api"
	"ltm/store"
)

// Engine is one store with what its use needs.
type Engine struct {
	Options
	Sessions session.Keeper

	// Seals returns what signs the memories of a change; nil: nothing is signed.
	Seals func() store.Signer

	// Also is called in each change, the last one first, and adds what waits to be written with the next.
	Also []func(*Tx)
}

func New(o Options) *Engine {
	return &Engine{Options: o, Sessions: session.Keeper{Client: o.Client, Alive: o.Alive, Records: o.Records}}
}

// StoreDir returns the directory of the store, which may not exist yet.
func (e *Engine) StoreDir() string { return e.Store.Dir() }

func (e *Engine) Exists() bool { return e.Store.Exists() }

const (
	// leastWait is how long a change waits for other processes even if its request has already used up its time.
	leastWait = 50 * time.Millisecond

	// asideWait is how long a change waits if the answer does not depend on it, such as counting an access.
	asideWait = 100 * time.Millisecond
)

// wait returns how long a change waits for other processes: lockWait less the time since its request arrived.
func (e *Engine) wait(ctx context.Context) time.Duration {
	at, known := api.Arrival(ctx)
	if !known {
		return e.LockWait
	}
	return min(e.LockWait, max(leastWait, e.LockWait-e.Now().Sub(at)))
}

// Change changes an existing store, under its lock.
func (e *Engine) Change(ctx context.Context, fn func(*Tx) error) error {
	return e.change(ctx, store.UpdateOptions{Wait: e.wait(ctx)}, fn)
}

// ChangeAside is Change for one that is given up if the lock is not free soon.
func (e *Engine) ChangeAside(ctx context.Context, fn func(*Tx) error) error {
	return e.change(ctx, store.UpdateOptions{Wait: min(asideWait, e.LockWait)}, fn)
}

// ChangeOrCreate is Change, but creates the store if needed.
func (e *Engine) ChangeOrCreate(ctx context.Context, fn func(*Tx) error) error {
	return e.change(ctx, store.UpdateOptions{Wait: e.wait(ctx), Create: true}, fn)
}

// Tx is a change of the store. Its clock is read once, at the start.
type Tx struct {
	*store.Tx
	Now time.Time
}

func (e *Engine) change(ctx context.Context, o store.UpdateOptions, fn func(*Tx) error) error {
	o.Foreign = e.writesForeign()
	o.Made = func(undo *memory.UndoEntry) { api.Note(ctx, undo) }
	if e.Seals != nil {
		o.Signer = e.Seals()
	}
	return e.Store.Update(ctx, o, func(locked *store.Tx) error {
		tx := &Tx{locked, e.Now()}
		if tx.TookOver() {
			e.tellTakenOver(tx)
		}
		if err := fn(tx); err != nil {
			return err
		}
		for _, add := range slices.Backward(e.Also) {
			add(tx)
		}
		if !tx.Changed() {
			return nil
		}
		if team, err := tx.TeamConfig(); err != nil || !settings.TracksIndex(team) {
			return nil //nolint:nilerr // settings that cannot be read do not count
		}
		return WriteIndex(tx)
	})
}

// tellTakenOver logs and announces, once, that the counters in the work tree were taken over.
func (e *Engine) tellTakenOver(tx *Tx) {
	text := "took over the counters and settings in the work tree; from now on they are in " + e.Store.Places().Clone
	tx.Note(nil, memory.Event{Action: memory.ActionTakenOver, Why: text})
	if e.Notice != nil {
		e.Notice(memory.Advise(memory.KindTakenOver, e.Store.Places().Clone, text))
	}
}

// Tolerate treats a damaged file as the empty value that came with the error.
func Tolerate[T any](v T, err error) (T, error) {
	if memory.CodeOf(err) == memory.CodeUnreadable {
		return v, nil
	}
	return v, err
}

// IsMissing reports whether err is about something that does not exist.
func IsMissing(err error) bool { return memory.CodeOf(err) == memory.CodeNotFound }

// IsOwn reports whether the store is the person's own, which is for every project.
func (e *Engine) IsOwn() bool { return e.Store.Places().Own }

// writesForeign reports whether what is written counts as from elsewhere. The person's memories are in the sessions of
// every project, so a repository that talks a model into writing one would be in all of them.
func (e *Engine) writesForeign() bool { return e.ByModel && e.IsOwn() }

// NeedPerson refuses what only a person may decide about the person's own store.
func (e *Engine) NeedPerson() error {
	if e.writesForeign() {
		return memory.NewError(memory.CodeInvalid, memory.KindUserApproval, "",
			"only a person can approve what is in every session, and this was started by Claude Code")
	}
	return nil
}

// WriteIndex brings index.json up to date. A file of a newer version is left alone, and check
// reports it. The memories are already written by then, so this is not a reason to fail.
func WriteIndex(tx *Tx) error {
	if err := tx.WriteIndex(); memory.CodeOf(err) != memory.CodeConflict {
		return err
	}
	return nil
}

func ParseIDs(texts []string) ([]memory.ID, error) {
	ids := make([]memory.ID, 0, len(texts))
	for _, text := range texts {
		id, err := memory.ParseID(text)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

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

// LayersOf reads the files that hold settings. A shared file that is damaged counts as empty; check reports it.
func LayersOf(v *store.View, state *store.State) settings.Layers {
	team, _ := v.TeamConfig()
	l := settings.Layers{Clone: state.Config, Team: team}
	if settings.AsksToWeaken(l.Clone) {
		trust, err := v.Trust()
		l.Weakened = err == nil && trust.All()
	}
	return l
}

// SettingsOf returns the settings in effect.
func SettingsOf(v *store.View, state *store.State) settings.Settings {
	l := LayersOf(v, state)
	return l.All()
}
