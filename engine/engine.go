package engine

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"ltm/memory"
	"ltm/priority"
	"ltm/store"
)

// Options wires an [Engine].
type Options struct {
	Store    *store.Store
	Version  string           // of the program
	Now      func() time.Time // the clock
	Random   io.Reader        // for ids
	LockWait time.Duration    // how long a change waits for other processes

	// Client is the process that started this one, 0 when that says nothing. The
	// hooks and the server of a session have it in common.
	Client int

	// Alive says whether a process still runs; nil: nobody knows.
	Alive func(pid int) bool

	// ToModel says that answers go to a model: what the setting trust holds back
	// is not in them.
	ToModel bool
}

// Engine carries out the use cases on one store.
type Engine struct {
	store    *store.Store
	version  string
	now      func() time.Time
	random   io.Reader
	lockWait time.Duration
	client   int
	alive    func(int) bool
	guarded  bool

	mu       sync.Mutex // guards the two
	active   indexed
	archived indexed
}

// New returns an engine.
func New(o Options) *Engine {
	return &Engine{store: o.Store, version: o.Version, now: o.Now, random: o.Random, lockWait: o.LockWait,
		client: o.Client, alive: o.Alive, guarded: o.ToModel,
		active: indexed{cache: activeCache}, archived: indexed{cache: archiveCache}}
}

// StoreDir returns the folder of the store, which may not exist yet.
func (e *Engine) StoreDir() string { return e.store.Dir() }

// Exists says whether there is a store.
func (e *Engine) Exists() bool { return e.store.Exists() }

// update changes an existing store.
func (e *Engine) update(ctx context.Context, fn func(*store.Tx) error) error {
	return e.store.Update(ctx, store.UpdateOptions{Wait: e.lockWait}, fn)
}

// use is what a clone knows of its memories, for scoring them.
type use struct {
	stats    store.Stats
	sessions int // sessions so far
}

// priority scores a memory as of now.
func (u use) priority(m memory.Memory) (float64, priority.Breakdown) {
	st, known := u.stats[m.ID]
	since := -1
	if known && st.AccessCount > 0 {
		since = max(0, u.sessions-st.LastSession)
	}
	return priority.Score(priority.Use{
		Difficulty: m.Difficulty, Importance: string(m.Importance()),
		Accesses: st.AccessCount, SessionsSinceAccess: since,
	})
}

// rounded is priority as people and models see it.
func (u use) rounded(m memory.Memory) float64 {
	p, _ := u.priority(m)
	return memory.Round2(p)
}

// usage reads what is needed for scoring. A damaged stats or state file counts
// as empty here: it costs order, and check reports it. A newer one is an error.
func usage(v *store.View) (use, *store.State, error) {
	stats, err := tolerate(v.Stats())
	if err != nil {
		return use{}, nil, err
	}
	state, err := tolerate(v.State())
	if err != nil {
		return use{}, nil, err
	}
	return use{stats, state.SessionCount}, state, nil
}

// tolerate takes a damaged file for the empty value that came with the error.
func tolerate[T any](v T, err error) (T, error) {
	if memory.CodeOf(err) == memory.CodeUnreadable {
		return v, nil
	}
	return v, err
}

// touch notes an access of a memory.
func (u use) touch(m memory.Memory, now time.Time) memory.Stats {
	st := u.stats[m.ID]
	st.AccessCount++
	st.AccessedAt = now.UTC().Truncate(time.Second)
	st.LastSession = u.sessions
	u.stats[m.ID] = st
	st.Priority = u.rounded(m)
	u.stats[m.ID] = st
	return st
}

// isMissing says whether err is about something that does not exist.
func isMissing(err error) bool {
	var e *memory.Error
	return errors.As(err, &e) && e.Code == memory.CodeNotFound
}

// tagsOf returns tags that are never nil, so that they encode as a list.
func tagsOf(tags []string) []string {
	if tags == nil {
		return []string{}
	}
	return tags
}

// timeOrNil returns nil for the zero time.
func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
