package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ltm/server"
)

// A Dialect is what differs between databases, beside the words of their statements.
type Dialect struct {
	// Version is the newest version of the database that this program knows.
	Version int64

	// Several reports that it is Postgres, which several change at once; otherwise it is SQLite, which has one writer.
	Several bool

	// Limit is the most time that a change or an answer may take, tries and waiting included.
	Limit time.Duration

	// Classify reports what an error of the database means.
	Classify func(err error) Fault

	// Changing is called before each transaction of changes that can share one, and Written after it. They may be nil.
	Changing, Written func()

	// Hurried is a connection for changes that are left out rather than waited for. It may be nil. The
	// store closes it.
	Hurried *sql.DB

	// Probe is a connection of its own that tells a database which does not answer at all from one that is busy. It
	// may be nil. The store closes it.
	Probe *sql.DB

	// Filling opens connections for a [Store.Restore], which closes them. Nil: it goes the way of changes.
	Filling func() (*sql.DB, error)

	// Vectors is what the database can do with vectors itself. Nil: it keeps their bytes, and they are compared here.
	Vectors *Vectors

	// VectorsBy says what compares vectors, and why the database does not if it could.
	VectorsBy string

	// Purged is called after a purge, and removes what is left of the bytes. It may be nil.
	Purged func(ctx context.Context) error

	// Rewrite rewrites tables, so that their files hold nothing of what was removed. Nil if a purge does so.
	Rewrite func(ctx context.Context, tables []string) error

	// Check looks for faults of the database itself. It may be nil.
	Check func(ctx context.Context) ([]string, error)

	// Unmoved checks that the database is still where it was opened; its error is a cause of [server.ErrAway]. It may
	// be nil.
	Unmoved func() error

	// Room reports by an error that there is no room for the largest change; the error is a cause of [server.ErrFull].
	// It may be nil.
	Room func() error

	// Free returns how many bytes are free on the disk of the database. It may be nil.
	Free func() (uint64, error)

	// Closing is called before the store is closed, and Closed after it. They may be nil.
	Closing, Closed func() error
}

// A Fault is what an error of a database means.
type Fault int

// The faults.
const (
	Broken Fault = iota // not known to be one of the others
	Lost                // a lost race or a deadlock: nothing happened, and the same may succeed now
	Busy                // the same may succeed soon: others are at work
	Twice               // a unique index refuses a row
	Full                // there is no room on the database's disk
	Away                // the node or the file is gone, or does not take changes
)

// Store is a [server.Storage] in a database.
type Store struct {
	d          Dialect
	words      words
	w, r       *sql.DB
	queries    sync.Map     // a query: what the dialect makes of it
	prepared   sync.Map     // a prepared: its statement
	statements atomic.Int64 // in prepared
	group      group
	inserts    inserts
	purged     atomic.Int64 // when a purge last succeeded, in microseconds; 0: not yet
	failing    atomic.Bool  // a change found the disk full or the database gone, and no Ping found them well since
	close      func() error

	busy, full, away atomic.Int64 // operations that failed so
}

var _ server.Storage = (*Store)(nil)

// New returns a store in a database that has all migrations. Changes go through w, and other questions
// through r, which may be the same. The store closes both.
func New(w, r *sql.DB, d Dialect) *Store {
	s := &Store{d: d, words: wordsOf(d.Several), w: w, r: r}
	s.inserts = newInserts(s.words)
	s.close = sync.OnceValue(s.shut)
	return s
}

// Ping implements [server.Storage]. A database that was migrated meanwhile to what this program should leave alone is
// gone for it. After a change that found the disk full or the database gone, it changes something
// itself until that succeeds: reading would not show it, and a server that is not ready may be sent no changes. Small
// changes of others prove nothing, since they find room where the one that failed does not.
func (s *Store) Ping(ctx context.Context) error {
	if s.failing.Swap(false) {
		if err := s.change(ctx); err != nil {
			s.failing.Store(true)
			return err
		}
	}
	return s.limited(ctx, func(ctx context.Context) error {
		t := &tx{ctx: ctx, s: s, tx: s.r, db: s.r, passing: true}
		if s.d.Probe != nil {
			t.tx = s.d.Probe
		}
		var now int64
		err := t.get(version, nil, &now)
		if err == nil {
			if err = newer(now, s.d.Version); err != nil {
				err = fmt.Errorf("%w: %w", server.ErrAway, err)
			}
		}
		return err
	})
}

// change tries a change that changes nothing, and looks whether there is room for the largest one.
func (s *Store) change(ctx context.Context) error {
	err := s.write(ctx, func(t *tx) error {
		_, err := t.run("UPDATE " + Versions + " SET is_applied = is_applied WHERE version_id = 0")
		return err
	})
	if err != nil || s.d.Room == nil {
		return err
	}
	if err := s.d.Room(); err != nil {
		return fmt.Errorf("%w: %w", server.ErrFull, err)
	}
	return nil
}

// Stats implements [server.Storage].
func (s *Store) Stats() server.Stats {
	all := server.Stats{Busy: s.busy.Load(), Full: s.full.Load(), Away: s.away.Load()}
	pools := []*sql.DB{s.w}
	if s.r != s.w {
		pools = append(pools, s.r)
	}
	for _, pool := range pools {
		p := pool.Stats()
		all.Open, all.InUse = all.Open+p.OpenConnections, all.InUse+p.InUse
		all.Waits, all.Waited = all.Waits+p.WaitCount, all.Waited+p.WaitDuration
	}
	if s.d.Free != nil {
		if free, err := s.d.Free(); err == nil {
			all.Free = &free
		}
	}
	if at := s.purged.Load(); at != 0 {
		all.Purged = fromMicros(at)
	}
	return all
}

// Close implements [server.Storage]. It waits for what runs.
func (s *Store) Close() error { return s.close() }

// shut closes the database.
func (s *Store) shut() error {
	var errs []error
	if s.d.Closing != nil {
		errs = append(errs, s.d.Closing())
	}
	if s.r != s.w {
		errs = append(errs, s.r.Close())
	}
	for _, other := range []*sql.DB{s.d.Hurried, s.d.Probe} {
		if other != nil {
			errs = append(errs, other.Close())
		}
	}
	errs = append(errs, s.w.Close())
	if s.d.Closed != nil {
		errs = append(errs, s.d.Closed())
	}
	return errors.Join(errs...)
}

// tries is how often a change is tried that lost a race.
const tries = 20

// write runs a change in a transaction. It may be run several times, so it must set all its results each time.
func (s *Store) write(ctx context.Context, change func(*tx) error) error {
	err := s.limited(ctx, func(ctx context.Context) error {
		for try := 1; ; try++ {
			err := s.transact(ctx, change)
			if err == nil {
				return s.unmoved() // what went into a file that was moved away meanwhile is not acknowledged
			}
			if s.meaning(err) != Lost || try == tries {
				return err
			}
			if err := Pause(ctx, time.Duration(try)*time.Millisecond); err != nil {
				return err
			}
		}
	})
	if errors.Is(err, server.ErrFull) || errors.Is(err, server.ErrAway) {
		s.failing.Store(true)
	}
	return err
}

// unmoved returns [server.ErrAway] if the database is no longer where it was opened.
func (s *Store) unmoved() error {
	if s.d.Unmoved == nil {
		return nil
	}
	if err := s.d.Unmoved(); err != nil {
		return fmt.Errorf("%w: %w", server.ErrAway, err)
	}
	return nil
}

// ask runs a question of one statement, which sees one state anyway.
func (s *Store) ask(ctx context.Context, question func(*tx) error) error {
	return s.limited(ctx, func(ctx context.Context) error {
		t := &tx{ctx: ctx, s: s, tx: s.r, db: s.r}
		defer t.prepare()
		return question(t)
	})
}

// read runs a question in a transaction that sees one state.
func (s *Store) read(ctx context.Context, ask func(*tx) error) error {
	return s.limited(ctx, func(ctx context.Context) error {
		return s.inside(ctx, s.r, &s.words.read, ask)
	})
}

// in runs a function in one of the ways of a [Store], such as [Store.read], and returns its value.
func in[T any](ctx context.Context, way func(context.Context, func(*tx) error) error, run func(*tx) (T, error)) (
	value T, err error) {
	err = way(ctx, func(t *tx) error {
		value, err = run(t)
		return err
	})
	return value, err
}

// limited runs an operation within the dialect's limit of time, and gives its errors their meaning.
func (s *Store) limited(ctx context.Context, run func(context.Context) error) (err error) {
	defer func() { s.count(err) }()
	if err := s.unmoved(); err != nil {
		return err
	}
	inner, cancel := context.WithTimeout(ctx, s.d.Limit)
	defer cancel()
	err = run(inner)
	// A connection that is made at the last moment notices the end of the time before the context does.
	until, _ := inner.Deadline()
	over := inner.Err() != nil || !time.Now().Before(until)
	switch {
	case err == nil:
		return nil
	case over && !errors.Is(ctx.Err(), context.Canceled) && s.hangs():
		return fmt.Errorf("%w: it does not answer: %w", server.ErrAway, errors.Join(ctx.Err(), err))
	case ctx.Err() != nil:
		return fmt.Errorf("%w: %w", ctx.Err(), err)
	case over:
		return fmt.Errorf("%w: no answer within %s: %w", server.ErrBusy, s.d.Limit, err)
	}
	switch s.meaning(err) {
	case Lost, Busy:
		return fmt.Errorf("%w: %w", server.ErrBusy, err)
	case Full:
		return fmt.Errorf("%w: %w", server.ErrFull, err)
	case Away:
		return fmt.Errorf("%w: %w", server.ErrAway, err)
	}
	return err
}

// probeTime is how long a database may take for the least that can be asked.
const probeTime = time.Second

// hangs reports that the database does not even answer a probe. An error that it sends is an answer.
func (s *Store) hangs() bool {
	if s.d.Probe == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), probeTime)
	defer cancel()
	err := s.d.Probe.PingContext(ctx)
	return err != nil && (ctx.Err() != nil || s.meaning(err) == Away)
}

// count counts an operation that failed because of the database.
func (s *Store) count(err error) {
	switch {
	case errors.Is(err, server.ErrBusy):
		s.busy.Add(1)
	case errors.Is(err, server.ErrFull):
		s.full.Add(1)
	case errors.Is(err, server.ErrAway):
		s.away.Add(1)
	}
}

// meaning returns what an error means. An error of the server's own has no fault.
func (s *Store) meaning(err error) Fault {
	if errors.Is(err, errLost) {
		return Lost
	}
	return s.d.Classify(err)
}

// errLost is returned for what another change made wrong between looking and locking.
var errLost = errors.New("changed by another")

// Pause waits. It fails if the context ends before.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// inside runs a function in a transaction, which is committed if it returns nil.
func (s *Store) inside(ctx context.Context, db *sql.DB, o *sql.TxOptions, run func(*tx) error) error {
	inner, err := db.BeginTx(ctx, o)
	if err != nil {
		return err
	}
	t := &tx{ctx: ctx, s: s, tx: inner, db: db}
	if err := run(t); err != nil {
		_ = inner.Rollback() // the error of the change says more
		return err
	}
	if err := inner.Commit(); err != nil {
		return err
	}
	t.prepare()
	return nil
}

// whole is inside for what concerns the whole database.
func (s *Store) whole(ctx context.Context, db *sql.DB, o *sql.TxOptions, run func(*tx) error) error {
	return s.inside(ctx, db, o, func(t *tx) error {
		if err := t.all(s.words.whole); err != nil {
			return err
		}
		return run(t)
	})
}

// Queries returns the queries that the store has run so far, as the database was given them.
func (s *Store) Queries() []string {
	var all []string
	s.queries.Range(func(_, query any) bool {
		all = append(all, query.(string))
		return true
	})
	slices.Sort(all)
	return all
}
