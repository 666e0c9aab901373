package engine

import (
	"context"
	"errors"
	"io"
	"time"

	"ltm/engine/audit"
	"ltm/engine/finder"
	"ltm/engine/session"
	"ltm/engine/settings"
	"ltm/engine/worktree"
	"ltm/memory"
	"ltm/memory/api"
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

	// Client is the id of the process that started this one, or 0 if that is of no use. The hooks
	// and the server of a session share it.
	Client int

	// Alive reports whether a process still runs. If it is nil, that is not known.
	Alive func(pid int) bool

	// Records reads the client's records of its sessions. It may be nil.
	Records session.Records

	// ToModel reports that answers go to a model. They then leave out what the setting trust
	// holds back.
	ToModel bool

	// Outside reports that answers go to an application outside of the client. It has no session, so
	// it sees no memory of an agent, and what comes from elsewhere is marked in any store.
	Outside bool

	// ByModel reports that a model may have asked for what is written. In the person's own store
	// it then counts as from elsewhere until a person approves it.
	ByModel bool

	// Notice is called with what a person should be told once, as one line. It may be nil.
	Notice func(memory.Note)

	// Next returns the next step for the readers of a session's texts. If it is nil, the texts
	// have none.
	Next memory.Next

	// Signer has the person's keys. If it is nil, nothing is signed and no signature counts.
	Signer Signer

	// Hurried reports that answers must come within milliseconds, as in a hook. It bounds how many
	// signatures are checked.
	Hurried bool

	// Packets has the unfinished work that sessions are told of. It may be nil.
	Packets Packets

	// Files are the files that memories may refer to. It may be nil.
	Files *worktree.Files

	// Past finds the versions of a file in version control. It may be nil.
	Past audit.Past
}

// Engine carries out the use cases on one store.
type Engine struct {
	store    *store.Store
	version  string
	now      func() time.Time
	random   io.Reader
	lockWait time.Duration
	sessions session.Keeper
	guarded  bool
	outside  bool
	byModel  bool
	notice   func(memory.Note)
	next     memory.Next
	past     audit.Past
	packets  Packets
	signer   Signer
	hurried  bool
	files    *worktree.Files

	// taken reports whether the project has an id, which a new memory of the person then does not
	// get; nil: there is no project
	taken func(ctx context.Context, id string) bool

	// running returns the agent of the running session, where another store has the sessions. It
	// may be nil.
	running func() string

	learned  learned
	finder   *finder.Finder
	accesses accesses
	trail    trail
}

// New returns an engine.
func New(o Options) *Engine {
	e := &Engine{store: o.Store, version: o.Version, now: o.Now, random: o.Random, lockWait: o.LockWait,
		sessions: session.Keeper{Client: o.Client, Alive: o.Alive, Records: o.Records},
		guarded:  o.ToModel, byModel: o.ByModel, notice: o.Notice, next: o.Next, past: o.Past, packets: o.Packets,
		signer: o.Signer, hurried: o.Hurried, outside: o.Outside, files: o.Files,
		finder: finder.New()}
	if o.Outside {
		e.running = func() string { return "" }
	}
	return e
}

// StoreDir returns the directory of the store, which may not exist yet.
func (e *Engine) StoreDir() string { return e.store.Dir() }

// Exists reports whether there is a store.
func (e *Engine) Exists() bool { return e.store.Exists() }

const (
	// leastWait is how long a change waits for other processes even if its request has already
	// used up its time.
	leastWait = 50 * time.Millisecond

	// asideWait is how long a change waits if the answer does not depend on it, such as counting
	// an access.
	asideWait = 100 * time.Millisecond
)

// wait returns how long a change waits for other processes: lockWait less the time since its
// request arrived.
func (e *Engine) wait(ctx context.Context) time.Duration {
	at, known := api.Arrival(ctx)
	if !known {
		return e.lockWait
	}
	return min(e.lockWait, max(leastWait, e.lockWait-e.now().Sub(at)))
}

// update changes an existing store, under its lock.
func (e *Engine) update(ctx context.Context, fn func(*changing) error) error {
	return e.change(ctx, store.UpdateOptions{Wait: e.wait(ctx)}, fn)
}

// updateAside is update for a change that is given up if the lock is not free soon.
func (e *Engine) updateAside(ctx context.Context, fn func(*changing) error) error {
	return e.change(ctx, store.UpdateOptions{Wait: min(asideWait, e.lockWait)}, fn)
}

// create is update, but creates the store if needed.
func (e *Engine) create(ctx context.Context, fn func(*changing) error) error {
	return e.change(ctx, store.UpdateOptions{Wait: e.wait(ctx), Create: true}, fn)
}

// changing is a change of the store. Its clock is read once, at the start.
type changing struct {
	*store.Tx
	now time.Time
}

func (e *Engine) change(ctx context.Context, o store.UpdateOptions, fn func(*changing) error) error {
	o.Foreign = e.writesForeign()
	o.Made = func(undo *memory.UndoEntry) { api.Note(ctx, undo) }
	if p := e.prover(); p != nil {
		o.Signer = p
	}
	return e.store.Update(ctx, o, func(locked *store.Tx) error {
		tx := &changing{locked, e.now()}
		if tx.TookOver() {
			e.tellTakenOver(tx)
		}
		if err := fn(tx); err != nil {
			return err
		}
		e.countAccesses(tx)
		e.learn(tx)
		if !tx.Changed() {
			return nil
		}
		if team, err := tx.TeamConfig(); err != nil || !settings.TracksIndex(team) {
			return nil //nolint:nilerr // settings that cannot be read do not count
		}
		return writeIndex(tx)
	})
}

// tellTakenOver logs and announces, once, that the counters in the work tree were taken over.
func (e *Engine) tellTakenOver(tx *changing) {
	text := "took over the counters and settings in the work tree; from now on they are in " + e.store.Places().Clone
	tx.note(nil, memory.Event{Action: memory.ActionTakenOver, Why: text})
	if e.notice != nil {
		e.notice(memory.Advise(memory.KindTakenOver, e.store.Places().Clone, text))
	}
}

// use holds what a clone knows about the use of its memories, for scoring them.
type use struct {
	stats    store.Stats
	sessions int // sessions so far
	settings settings.Settings
	said     *saying
	truth    *truth
}

// priority scores a memory as of now.
func (u use) priority(m memory.Memory) (float64, priority.Breakdown) {
	return priority.Score(u.scored(&m), u.settings.PriorityProfile)
}

// scored returns what a memory is scored by.
func (u *use) scored(m *memory.Memory) priority.Use {
	st := u.of(m.ID)
	return priority.Use{Difficulty: m.Difficulty, Importance: string(memory.ImportanceOf(m.Tags)),
		Accesses: st.Use, SessionsSinceAccess: u.since(st)}
}

// prior is rounded for a memory that is not copied: a search compares many.
func (u *use) prior(m *memory.Memory) float64 {
	return memory.Round2(priority.Of(u.scored(m), u.settings.PriorityProfile))
}

// of returns what this clone knows about a memory's use. One that it sees for the
// first time counts as accessed now: being stored is the first access.
func (u *use) of(id memory.ID) memory.Stats { return u.known(u.stats[id]) }

// known fills in the use of a memory that the stats do not have, or that the predecessor counted.
func (u *use) known(st memory.Stats) memory.Stats {
	switch {
	case st.Use == 0 && st.AccessCount == 0:
		st.Use, st.LastSession = priority.Opened, u.sessions
	case st.Use == 0: // as the predecessor counts, without the first one
		st.Use = priority.Opened + float64(st.AccessCount)
	}
	return st
}

// since returns how many sessions ago a memory was accessed.
func (u *use) since(st memory.Stats) int { return max(0, u.sessions-st.LastSession) }

// rounded returns the priority as people and models see it.
func (u use) rounded(m memory.Memory) float64 { return u.prior(&m) }

// usage reads what scoring needs. A damaged stats or state file counts as empty: only the order
// suffers, and check reports the file. A file of a newer version is an error.
func usage(v *store.View) (use, *store.State, error) {
	stats, err := tolerate(v.Stats())
	if err != nil {
		return use{}, nil, err
	}
	state, err := tolerate(v.State())
	if err != nil {
		return use{}, nil, err
	}
	conf := settingsOf(v, state)
	return use{stats: stats, sessions: state.SessionCount, settings: conf,
		said: &saying{view: v, settings: conf}}, state, nil
}

// usage is [usage] for an answer of this engine.
func (e *Engine) usage(v *store.View) (use, *store.State, error) {
	u, state, err := e.startUsage(v)
	if err == nil {
		u.said.open = !e.guarded
	}
	return u, state, err
}

// startUsage is [usage] as a session's start has it.
func (e *Engine) startUsage(v *store.View) (use, *store.State, error) {
	u, state, err := usage(v)
	if err == nil {
		u.said.proofs = e.prover
		u.truth = e.truth(v)
	}
	return u, state, err
}

// tolerate treats a damaged file as the empty value that came with the error.
func tolerate[T any](v T, err error) (T, error) {
	if memory.CodeOf(err) == memory.CodeUnreadable {
		return v, nil
	}
	return v, err
}

// touch counts an access of a memory in u.stats.
func (u use) touch(m memory.Memory, now time.Time) memory.Stats {
	st := u.of(m.ID)
	st.Use = u.settings.PriorityProfile.Access(st.Use, u.since(st), priority.Opened)
	st.AccessCount++
	st.Phase, st.FadedAt = memory.Full, time.Time{} // a memory that is opened comes back into sight
	st.AccessedAt = now.UTC().Truncate(time.Second)
	st.LastSession = u.sessions
	u.stats[m.ID] = st
	return st
}

// isMissing reports whether err is about something that does not exist.
func isMissing(err error) bool {
	var e *memory.Error
	return errors.As(err, &e) && e.Code == memory.CodeNotFound
}

// receiptOf answers a change of a memory.
func receiptOf(m memory.Memory, message memory.Note) api.Receipt {
	return api.Receipt{Success: true, ID: m.ID, Message: message, Difficulty: m.Difficulty, Tags: m.PlainTags(),
		Importance: m.Marked()}
}

// timeOrNil returns nil for the zero time.
func timeOrNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
