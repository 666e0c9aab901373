package sqlstore

import (
	"errors"
	"math"
	"time"

	"ltm/server/threads"
)

// most returns how many rows a query returns at most, if that is limited.
func most(limit int) int64 {
	if limit <= 0 {
		return math.MaxInt64
	}
	return int64(limit)
}

// meta is a destination for a JSON object. Without one it is nil.
func meta(to *threads.Meta) scanner {
	return func(src any) error {
		*to = nil
		if b, _ := src.([]byte); len(b) > 0 {
			*to = append(threads.Meta{}, b...)
		}
		return nil
	}
}

// threadColumns is what threadInto reads.
const threadColumns = "t.id, t.agent, t.title, t.meta, t.core, t.created, t.updated, t.cursor"

func threadInto(t *threads.Thread) []any {
	return []any{&t.ID, &t.Agent, &t.Title, meta(&t.Meta), instant(&t.CoreAt), instant(&t.CreatedAt),
		instant(&t.UpdatedAt), &t.Cursor}
}

// Thread implements [threads.View].
func (m *memory) Thread(id string) (threads.Thread, error) {
	return one(m.tx, "SELECT "+threadColumns+" FROM threads t WHERE t.app = $1 AND t.id = $2 AND t.subject = $3",
		[]any{m.app, id, m.subject}, threadInto)
}

// Threads implements [threads.View].
func (m *memory) Threads(q threads.ThreadQuery) ([]threads.Thread, error) {
	query, args := "SELECT "+threadColumns+" FROM threads t WHERE t.subject = $1", []any{m.subject}
	if q.Agent != "" {
		query, args = query+" AND t.agent = $2", append(args, q.Agent)
	}
	if q.After != nil {
		query += " AND (t.created, t.id) < (" + places(len(args)+1, 2) + ")"
		args = append(args, q.After.At, q.After.ID)
	}
	query += " ORDER BY t.created DESC, t.id DESC LIMIT " + places(len(args)+1, 1)
	return collect(m.tx, query, append(args, most(q.Limit)), threadInto)
}

// PutThread implements [threads.Tx].
func (m *memory) PutThread(t threads.Thread) error {
	if err := bounded(t.ID, t.Agent); err != nil {
		return err
	}
	renamed, err := m.renames(t)
	if err != nil {
		return err
	}
	n, err := m.exec(`UPDATE threads SET agent = $1, title = $2, meta = $3, core = $4, created = $5, updated = $6,
		cursor = $7 WHERE app = $8 AND id = $9 AND subject = $10`, t.Agent, t.Title, []byte(t.Meta), t.CoreAt,
		stamp(t.CreatedAt), stamp(t.UpdatedAt), t.Cursor, m.app, t.ID, m.subject)
	if err == nil && renamed {
		err = m.removed()
	}
	if err == nil && n == 0 {
		err = m.add(`INSERT INTO threads (app, subject, id, agent, title, meta, core, created, updated, cursor)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, m.app, m.subject, t.ID, t.Agent, t.Title, []byte(t.Meta),
			t.CoreAt, stamp(t.CreatedAt), stamp(t.UpdatedAt), t.Cursor)
	}
	if err != nil {
		return err
	}
	return m.fed(threads.KindThread, t.ID, opPut, t.UpdatedAt)
}

// renames reports whether putting a thread replaces a text.
func (m *memory) renames(t threads.Thread) (bool, error) {
	if m.s.words.removed == "" {
		return false, nil
	}
	old, err := m.Thread(t.ID)
	if errors.Is(err, threads.ErrNotFound) {
		return false, nil
	}
	return replaces(old.Agent, t.Agent) || replaces(old.Title, t.Title) ||
		replaces(string(old.Meta), string(t.Meta)), err
}

// stamp is a time in a column that has one in every row: none is the year 1.
func stamp(at time.Time) int64 { return at.UnixMicro() }

// DeleteThread implements [threads.Tx].
func (m *memory) DeleteThread(id string, at time.Time) error {
	if _, err := m.Thread(id); err != nil {
		return err
	}
	of := []any{m.subject, id}
	const ofThread = "subject = $1 AND thread = $2"
	for _, kind := range []struct {
		kind      threads.Kind
		table, id string
	}{
		{threads.KindReaction, "reactions", "event"}, {threads.KindSummary, "summaries", "id"},
		{threads.KindEvent, "events", "id"},
	} {
		if err := m.feedRows(kind.kind, kind.table, kind.id, ofThread, id, at); err != nil {
			return err
		}
	}
	for _, statement := range []string{
		"DELETE FROM acts WHERE subject = $1 AND event <> " + m.s.words.empty + ` AND event IN (SELECT e.id FROM events e
			WHERE e.subject = $1 AND e.thread = $2)`,
		m.vectorsOf(threads.KindEvent, "events"), m.vectorsOf(threads.KindSummary, "summaries"),
		m.jobsAbout(threads.KindEvent, "events"), m.jobsAbout(threads.KindSummary, "summaries"),
		`DELETE FROM jobs WHERE subject = $1 AND cause IN (SELECT e.id FROM events e
			WHERE e.subject = $1 AND e.thread = $2)`,
		"DELETE FROM jobs WHERE " + ofThread,
		"DELETE FROM reactions WHERE " + ofThread, "DELETE FROM summaries WHERE " + ofThread,
		"DELETE FROM events WHERE " + ofThread,
	} {
		if _, err := m.exec(statement, of...); err != nil {
			return err
		}
	}
	err := m.must("DELETE FROM threads WHERE app = $1 AND id = $2 AND subject = $3", m.app, id, m.subject)
	if err != nil {
		return err
	}
	return errors.Join(m.fed(threads.KindThread, id, opDelete, at), m.erased(threads.KindThread, id, at))
}

// vectorsOf returns the statement that deletes the vectors of rows of a thread, and jobsAbout that for the jobs.
func (t *tx) vectorsOf(kind threads.Kind, table string) string {
	return "DELETE FROM vectors WHERE subject = $1 AND kind = " + t.text(string(kind)) +
		" AND id IN (SELECT o.id FROM " + table + " o WHERE o.subject = $1 AND o.thread = $2)"
}

func (t *tx) jobsAbout(kind threads.Kind, table string) string {
	return "DELETE FROM jobs WHERE subject = $1 AND of_kind = " + t.text(string(kind)) +
		" AND of_id IN (SELECT o.id FROM " + table + " o WHERE o.subject = $1 AND o.thread = $2)"
}

// deletedBy notes in the audit log what a caller deleted: of what has reached its age, the settings and the table
// erased say enough.
func (m *memory) deletedBy(kind threads.Kind, id string, at time.Time) error {
	if m.by == "" {
		return nil
	}
	act, what := string(kind)+".delete", id
	if kind == threads.KindUser {
		act, what = "user.erase", m.who.User
	}
	return m.auditedBy(m.by, at, act, what, m.who.App)
}

// erased notes what was deleted for good, and who did it. What acts state is a claim, whose deletion has its own line.
func (m *memory) erased(kind threads.Kind, id string, at time.Time) error {
	if kind != threads.KindAct {
		if err := m.deletedBy(kind, id, at); err != nil {
			return err
		}
	}
	e := threads.Erased{Subject: m.who, Ref: threads.Ref{Kind: kind, ID: id}, At: at}
	again, err := m.noteErased(m.app, m.subject, e)
	if err != nil || !again {
		return err
	}
	// The note may be of the subject that had the name before.
	if err := m.scope(m.app, everyone); err != nil {
		return err
	}
	if err := m.eraseLater(e); err != nil {
		return err
	}
	return m.scope(m.app, m.subject)
}

// noteErased notes what was permanently deleted. It reports whether that was noted before.
func (t *tx) noteErased(app, subject int64, e threads.Erased) (again bool, err error) {
	err = t.add(`INSERT INTO erased (app, subject, app_id, name, kind, id, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`, app, subject, e.Subject.App, e.Subject.User, string(e.Kind),
		e.ID, stamp(e.At))
	if errors.Is(err, threads.ErrTaken) {
		return true, nil
	}
	return false, err
}

// eraseLater notes that what came back after it was erased is erased again.
func (t *tx) eraseLater(e threads.Erased) error {
	_, err := t.exec("UPDATE erased SET at = $1 WHERE app_id = $2 AND name = $3 AND kind = $4 AND id = $5 AND at < $1",
		stamp(e.At), e.Subject.App, e.Subject.User, string(e.Kind), e.ID)
	return err
}
