package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ltm/server"
	"ltm/server/conversation"
	"ltm/server/threads"
)

// Threads is a [threads.Storage] in the database of a [Store].
type Threads struct{ s *Store }

var _ threads.Storage = (*Threads)(nil)

// Threads returns the part of the store that is for applications.
func (s *Store) Threads() threads.Storage { return &Threads{s} }

// everyone is in the place of the number of an application or a subject where all are meant.
const everyone = -1

// scope says whose rows the rest of the transaction is about. Without it, a database that has such a wall shows
// none.
func (t *tx) scope(app, subject int64) error {
	if t.s.words.scope == "" {
		return nil
	}
	_, err := t.exec(t.s.words.scope, app, subject)
	return err
}

// ofAll lets what runs in a transaction at the rows of all subjects.
func ofAll(run func(*tx) error) func(*tx) error {
	return func(t *tx) error {
		if err := t.scope(everyone, everyone); err != nil {
			return err
		}
		return run(t)
	}
}

// writeAll and readAll are [Store.write] and [Store.read] for what concerns several subjects.
func (s *Store) writeAll(ctx context.Context, change func(*tx) error) error {
	return s.write(ctx, ofAll(change))
}

func (s *Store) readAll(ctx context.Context, ask func(*tx) error) error {
	return s.read(ctx, ofAll(ask))
}

// app returns the number of an application, and limits the rest of the transaction to it.
func (t *tx) app(id string) (app int64, err error) {
	err = t.get("SELECT a.seq FROM apps a WHERE a.id = $1 AND a.deleted IS NULL", []any{id}, &app)
	if err != nil {
		return 0, err
	}
	return app, t.scope(app, everyone)
}

// memory is the rows of a subject within a transaction.
type memory struct {
	*tx
	who           threads.Subject
	app, subject  int64 // 0: no such row, because no row has this number
	version, last int64
	made          bool      // by this change
	put           bool      // something was put or deleted
	grown         bool      // the version is another one
	by            string    // who deletes, for the audit log; "": the server itself, as it was told to
	lost          error     // the job that the change was for has another worker
	at            time.Time // the latest time that the change was told
}

var (
	_ threads.Tx   = (*memory)(nil)
	_ threads.View = (*memory)(nil)
)

// memoryOf returns the rows of a subject, and limits the transaction to them.
func (t *tx) memoryOf(who threads.Subject, lock string) (*memory, error) {
	m := &memory{tx: t, who: who}
	if t.s.words.scope == "" {
		return m, m.find()
	}
	var err error
	if m.app, err = t.app(who.App); err != nil {
		return m, err
	}
	err = t.get("SELECT s.seq, s.version, s.last FROM subjects s WHERE s.app = $1 AND s.name = $2"+lock,
		[]any{m.app, who.User}, &m.subject, &m.version, &m.last)
	if err != nil {
		return m, err
	}
	return m, t.scope(m.app, m.subject)
}

// find looks for the application and the subject at once, where no wall has to be told of one before the other.
func (m *memory) find() error {
	err := m.get(`SELECT a.seq, COALESCE(s.seq, 0), COALESCE(s.version, 0), COALESCE(s.last, 0) FROM apps a
		LEFT JOIN subjects s ON s.app = a.seq AND s.name = $2 WHERE a.id = $1 AND a.deleted IS NULL`,
		[]any{m.who.App, m.who.User}, &m.app, &m.subject, &m.version, &m.last)
	if err == nil && m.subject == 0 {
		err = threads.ErrNotFound
	}
	return err
}

// lockMemory is memoryOf for a change: with the subject locked, and created if needed.
func (t *tx) lockMemory(who threads.Subject) (*memory, error) {
	m, err := t.memoryOf(who, t.s.words.lock)
	if !errors.Is(err, threads.ErrNotFound) || m.app == 0 {
		return m, err
	}
	err = t.add("INSERT INTO subjects (app, name, version, last) VALUES ($1, $2, 0, 0)", m.app, who.User)
	made := err == nil
	if err != nil && !errors.Is(err, threads.ErrTaken) {
		return m, err
	}
	m, err = t.memoryOf(who, t.s.words.lock)
	if errors.Is(err, threads.ErrNotFound) {
		err = errLost // who else made it has erased it
	}
	m.made = made
	return m, err
}

// Change implements [threads.Storage].
func (s *Threads) Change(ctx context.Context, who threads.Subject, change func(threads.Tx) error) error {
	if err := bounded(who.User); err != nil {
		return err
	}
	return s.s.write(ctx, func(t *tx) error {
		m, err := t.lockMemory(who)
		if err != nil {
			return err
		}
		m.by = server.ActorOf(ctx)
		if err := change(m); err != nil {
			return err
		}
		return m.close()
	})
}

// close ends a change.
func (m *memory) close() error {
	switch {
	case m.lost != nil:
		return m.lost
	case m.grown:
		return m.must("UPDATE subjects SET version = version + 1, last = $1 WHERE seq = $2", m.last, m.subject)
	case m.made && !m.put:
		_, err := m.run("DELETE FROM subjects WHERE seq = $1", m.subject) // it has never been there
		return err
	}
	return nil
}

// View implements [threads.Storage].
func (s *Threads) View(ctx context.Context, who threads.Subject, look func(threads.View) error) error {
	return s.s.read(ctx, func(t *tx) error {
		m, err := t.memoryOf(who, "")
		if err != nil && !errors.Is(err, threads.ErrNotFound) {
			return err
		}
		return look(m)
	})
}

// Version implements [threads.View].
func (m *memory) Version() (int64, error) {
	if m.subject == 0 {
		return 0, nil
	}
	return m.subject<<versionBits + m.current(), nil
}

// versionBits is the size of a subject's own number of changes. The number of the subject, which is never
// reused, precedes it: a version does not come back when a subject does.
const versionBits = 40

// current returns the number of changes, with this one if it has changed something.
func (m *memory) current() int64 {
	if m.grown {
		return m.version + 1
	}
	return m.version
}

// Changed implements [threads.View].
func (m *memory) Changed(after int64) ([]threads.Ref, bool, error) {
	if m.subject == 0 || after>>versionBits != m.subject {
		return nil, false, nil
	}
	after &= 1<<versionBits - 1
	var pruned int64
	err := m.get("SELECT s.pruned FROM subjects s WHERE s.seq = $1", []any{m.subject}, &pruned)
	if err != nil || after < pruned || after > m.current() {
		return nil, false, err
	}
	refs, err := collect(m.tx, "SELECT DISTINCT c.kind, c.id FROM changes c WHERE c.subject = $1 AND c.version > $2 "+
		"AND c.kind IN ($3, $4, $5) ORDER BY c.kind, c.id", []any{m.subject, after, string(threads.KindEvent),
		string(threads.KindSummary), string(threads.KindClaim)},
		func(r *threads.Ref) []any { return []any{&r.Kind, &r.ID} })
	return refs, err == nil, err
}

// Imported implements [threads.View].
func (m *memory) Imported() (int64, error) {
	if m.subject == 0 {
		return 0, nil
	}
	return one(m.tx, "SELECT s.imported FROM subjects s WHERE s.seq = $1", []any{m.subject}, single[int64])
}

// SetImported implements [threads.Tx].
func (m *memory) SetImported(seq int64) error {
	return m.must("UPDATE subjects SET imported = $1 WHERE seq = $2", seq, m.subject)
}

// next returns the number of a new row of the subject.
func (m *memory) next() int64 {
	m.last++
	return m.last
}

// time notes a time that the change was told.
func (m *memory) time(at time.Time) time.Time {
	if at.After(m.at) {
		m.at = at
	}
	return at
}

// The operations of the feed.
const (
	opPut = iota
	opDelete
)

// fed writes a line of the feed.
func (m *memory) fed(kind threads.Kind, id string, op int, at time.Time) error {
	m.put, m.grown = true, true
	_, err := m.exec(`INSERT INTO changes (app, subject, version, xact, name, kind, id, op, at)
		VALUES ($1, $2, $3, `+m.s.words.xact+`, $4, $5, $6, $7, $8)`, m.app, m.subject, m.current(), m.who.User,
		string(kind), id, op, stamp(m.time(at)))
	return err
}

// feedRows writes lines of the feed for the rows of a table that are about to be deleted: those that a condition
// holds for, in which $1 is the subject and $2 a text.
func (m *memory) feedRows(kind threads.Kind, table, id, condition, text string, at time.Time) error {
	m.put, m.grown = true, true
	_, err := m.exec(fmt.Sprintf(`INSERT INTO changes (app, subject, version, xact, name, kind, id, op, at)
		SELECT app, subject, CAST($3 AS bigint), %[1]s, CAST($4 AS %[2]s), CAST($5 AS %[2]s), %[3]s, CAST($6 AS bigint),
			CAST($7 AS bigint) FROM %[4]s WHERE %[5]s ORDER BY %[3]s`, m.s.words.xact, m.s.words.bytes, id, table, condition),
		m.subject, text, m.current(), m.who.User, string(kind), opDelete, stamp(m.time(at)))
	return err
}

// now returns the latest time that the change was told, or else the clock's: the feed has a time for what the
// change does without one.
func (m *memory) now() time.Time {
	if m.at.IsZero() {
		return time.Now()
	}
	return m.at
}

// OwnerOf implements [threads.Storage].
func (s *Threads) OwnerOf(ctx context.Context, app, thread string) (string, error) {
	return in(ctx, s.s.read, func(t *tx) (string, error) {
		n, err := t.app(app)
		if err != nil {
			return "", err
		}
		return one(t, `SELECT s.name FROM threads t JOIN subjects s ON s.seq = t.subject
			WHERE t.app = $1 AND t.id = $2`, []any{n, thread}, single[string])
	})
}

// Users implements [threads.Storage].
func (s *Threads) Users(ctx context.Context, app, after string, limit int) ([]string, error) {
	return in(ctx, s.s.read, func(t *tx) ([]string, error) {
		n, err := t.app(app)
		if err != nil {
			return nil, err
		}
		return collect(t, "SELECT s.name FROM subjects s WHERE s.app = $1 AND s.name > $2 ORDER BY s.name LIMIT $3",
			[]any{n, after, most(limit)}, single[string])
	})
}

// Counts implements [threads.Storage]. "state < 1" is pending: for "= 0", Postgres reads the index of all pending jobs.
func (s *Threads) Counts(ctx context.Context, who threads.Subject) (c threads.Counts, err error) {
	found, err := in(ctx, s.s.read, func(t *tx) ([]threads.Counts, error) {
		n, err := t.app(who.App)
		if err != nil {
			return nil, err
		}
		return collect(t, `SELECT (SELECT count(*) FROM threads t WHERE t.subject = s.seq),
			(SELECT count(*) FROM claims c WHERE c.subject = s.seq),
			(SELECT count(*) FROM claims c WHERE c.subject = s.seq AND c.state = $3),
			(SELECT count(*) FROM jobs j WHERE j.subject = s.seq AND j.state < 1)
			FROM subjects s WHERE s.app = $1 AND s.name = $2`, []any{n, who.User, string(conversation.Suggested)},
			func(c *threads.Counts) []any { return []any{&c.Threads, &c.Claims, &c.Suggested, &c.Jobs} })
	})
	if len(found) > 0 {
		c = found[0]
	}
	return c, err
}
