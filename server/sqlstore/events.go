package sqlstore

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"ltm/server/conversation"
	"ltm/server/threads"
)

// eventColumns is what eventInto reads.
const eventColumns = "e.seq, e.id, e.thread, e.session, e.role, e.lang, e.agent, e.own_key, e.importance, " +
	"e.unembedded, e.occurred, e.recorded, e.meta, e.body"

func eventInto(e *threads.Event) []any {
	return []any{&e.Seq, &e.ID, &e.Thread, &e.Session, &e.Role, &e.Lang, &e.Agent, &e.Key, &e.Importance,
		&e.Unembedded, instant(&e.Occurred), instant(&e.Recorded), meta(&e.Meta), &e.Text}
}

// Event implements [threads.View].
func (m *memory) Event(id string) (threads.Event, error) {
	return one(m.tx, "SELECT "+eventColumns+" FROM events e WHERE e.app = $1 AND e.id = $2 AND e.subject = $3",
		[]any{m.app, id, m.subject}, eventInto)
}

// EventByKey implements [threads.View].
func (m *memory) EventByKey(thread, key string) (threads.Event, error) {
	return one(m.tx, "SELECT "+eventColumns+` FROM events e WHERE e.subject = $1 AND e.thread = $2 AND e.own_key = $3
		AND e.own_key <> `+m.s.words.empty, []any{m.subject, thread, key}, eventInto)
}

// pageOf is how many rows are read at once where it is not known how many are needed.
const pageOf = 500

// Events implements [threads.View].
func (m *memory) Events(q threads.EventQuery) ([]threads.Event, error) {
	q.Before = cmp.Or(q.Before, math.MaxInt64)
	limit := most(q.Limit)
	fits := func(e threads.Event) bool {
		return (q.Thread == "" || e.Thread == q.Thread) && e.Seq > q.After && e.Seq < q.Before &&
			q.Filter.Event(e)
	}
	var found []threads.Event
	var err error
	switch {
	case q.IDs != nil:
		found, err = byIDs(m, "SELECT "+eventColumns+
			" FROM events e WHERE e.app = $1 AND +e.subject = $2 AND e.id IN (", q.IDs, eventInto)
		found = slices.DeleteFunc(found, func(e threads.Event) bool { return !fits(e) })
		slices.SortFunc(found, func(a, b threads.Event) int { return cmp.Compare(a.Seq, b.Seq) })
		if q.Newest {
			slices.Reverse(found)
		}
		found = found[:min(int64(len(found)), limit)]
	default:
		found, err = m.scanEvents(q, limit, fits)
	}
	if q.Newest {
		slices.Reverse(found)
	}
	return found, err
}

// scanEvents returns events in their order, or backwards if the newest are asked for.
func (m *memory) scanEvents(q threads.EventQuery, limit int64, fits func(threads.Event) bool) ([]threads.Event, error) {
	query, order := "SELECT "+eventColumns+" FROM events e WHERE e.subject = $1 AND e.seq > $2 AND e.seq < $3", "e.seq"
	if q.Thread != "" {
		query += " AND e.thread = $5"
	}
	if q.Newest {
		order += " DESC"
	}
	query += " ORDER BY " + order + " LIMIT $4"
	after, before := q.After, q.Before
	var found []threads.Event
	for {
		size := limit - int64(len(found))
		if q.Filter != nil {
			size = pageOf
		}
		args := []any{m.subject, after, before, size}
		if q.Thread != "" {
			args = append(args, q.Thread)
		}
		page, err := collect(m.tx, query, args, eventInto)
		if err != nil {
			return nil, err
		}
		for _, e := range page {
			if int64(len(found)) < limit && fits(e) {
				found = append(found, e)
			}
		}
		if int64(len(page)) < size || int64(len(found)) >= limit {
			return found, nil
		}
		if last := page[len(page)-1].Seq; q.Newest {
			before = last
		} else {
			after = last
		}
	}
}

// byIDs reads rows by their ids, in no order; a query ends with an open list of them, and has the numbers of the
// application and the subject before. The lists have few lengths, so that there are few queries.
func byIDs[T any](m *memory, query string, ids []string, into func(*T) []any) (all []T, err error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	for len(ids) > 0 {
		size := 1
		if len(ids) > 1 {
			size = 8
		}
		if len(ids) > 8 {
			size = 64
		}
		n := min(size, len(ids))
		args := []any{m.app, m.subject}
		for i := range size {
			args = append(args, ids[min(i, n-1)])
		}
		page, err := collect(m.tx, query+places(3, size)+")", args, into)
		if err != nil {
			return nil, err
		}
		all, ids = append(all, page...), ids[n:]
	}
	return all, nil
}

// AddEvent implements [threads.Tx].
func (m *memory) AddEvent(e threads.Event) (int64, error) {
	if err := bounded(e.ID, e.Thread, e.Key); err != nil {
		return 0, err
	}
	n, err := m.exec(m.s.inserts.event, m.app, m.subject, m.last+1, e.ID, e.Thread, e.Session, string(e.Role), e.Lang,
		e.Agent, e.Key, e.Importance, e.Unembedded, e.Occurred, e.Recorded, []byte(e.Meta), e.Text)
	if err == nil && n == 0 {
		if _, err = m.Thread(e.Thread); err == nil {
			err = threads.ErrTaken
		}
	}
	if err != nil {
		return 0, err
	}
	return m.next(), m.fed(threads.KindEvent, e.ID, opPut, e.Recorded)
}

// SetEventMeta implements [threads.Tx].
func (m *memory) SetEventMeta(id string, meta threads.Meta) error {
	err := m.must("UPDATE events SET meta = $1 WHERE app = $2 AND id = $3 AND subject = $4",
		[]byte(meta), m.app, id, m.subject)
	if err == nil {
		err = m.removed()
	}
	if err != nil {
		return err
	}
	return m.fed(threads.KindEvent, id, opPut, m.now())
}

// DeleteEvent implements [threads.Tx].
func (m *memory) DeleteEvent(id string, at time.Time) error {
	err := m.must("DELETE FROM events WHERE app = $1 AND id = $2 AND subject = $3", m.app, id, m.subject)
	if err != nil {
		return err
	}
	reacted, err := m.exec("DELETE FROM reactions WHERE subject = $1 AND event = $2", m.subject, id)
	if err == nil && reacted > 0 {
		err = m.fed(threads.KindReaction, id, opDelete, at)
	}
	if err != nil {
		return err
	}
	for _, statement := range []string{
		"DELETE FROM acts WHERE subject = $1 AND event = $2 AND event <> " + m.s.words.empty,
		"DELETE FROM jobs WHERE subject = $1 AND cause = $2",
	} {
		if _, err := m.exec(statement, m.subject, id); err != nil {
			return err
		}
	}
	if err := m.forget(threads.KindEvent, id); err != nil {
		return err
	}
	return errors.Join(m.fed(threads.KindEvent, id, opDelete, at), m.erased(threads.KindEvent, id, at))
}

// text returns a text of ours as a literal of a query.
func (t *tx) text(s string) string { return "CAST('" + s + "' AS " + t.s.words.bytes + ")" }

// Reaction implements [threads.View].
func (m *memory) Reaction(event string) (threads.Reaction, error) {
	return one(m.tx, "SELECT "+reactionColumns+" FROM reactions r WHERE r.subject = $1 AND r.event = $2",
		[]any{m.subject, event}, reactionInto)
}

// reactionColumns is what reactionInto reads.
const reactionColumns = "r.event, r.name, r.created, r.updated"

func reactionInto(r *threads.Reaction) []any {
	return []any{&r.Event, &r.Name, instant(&r.CreatedAt), instant(&r.UpdatedAt)}
}

// Reactions implements [threads.View].
func (m *memory) Reactions(thread string, limit int) ([]threads.Reaction, error) {
	query, args := "SELECT "+reactionColumns+" FROM reactions r WHERE r.subject = $1", []any{m.subject, most(limit)}
	if thread != "" {
		query, args = query+" AND r.thread = $3", append(args, thread)
	}
	return collect(m.tx, query+" ORDER BY r.updated DESC, r.event DESC LIMIT $2", args, reactionInto)
}

// PutReaction implements [threads.Tx].
func (m *memory) PutReaction(r threads.Reaction) error {
	var thread string
	err := m.get("SELECT e.thread FROM events e WHERE e.app = $1 AND e.id = $2 AND e.subject = $3",
		[]any{m.app, r.Event, m.subject}, &thread)
	if err != nil {
		return err
	}
	_, err = m.exec(`INSERT INTO reactions (app, subject, event, thread, name, created, updated)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (subject, event) DO UPDATE SET name = excluded.name, updated = excluded.updated`,
		m.app, m.subject, r.Event, thread, r.Name, stamp(r.CreatedAt), stamp(r.UpdatedAt))
	if err != nil {
		return err
	}
	return m.fed(threads.KindReaction, r.Event, opPut, r.UpdatedAt)
}

// DeleteReaction implements [threads.Tx].
func (m *memory) DeleteReaction(event string) error {
	err := m.must("DELETE FROM reactions WHERE subject = $1 AND event = $2", m.subject, event)
	if err != nil {
		return err
	}
	return m.fed(threads.KindReaction, event, opDelete, m.now())
}

// History implements [threads.View].
func (m *memory) History() (h conversation.History, err error) {
	acts, err := m.Acts("")
	if err != nil {
		return h, err
	}
	for _, a := range acts {
		h.Acts = append(h.Acts, a.Act)
	}
	h.Events, err = collect(m.tx, `SELECT e.id, e.thread, e.session, e.role, e.lang, e.occurred, e.recorded
		FROM events e WHERE e.app = $1 AND +e.subject = $2 AND e.id IN (SELECT a.event FROM acts a
			WHERE a.subject = $2 AND a.event <> `+m.s.words.empty+") ORDER BY e.seq", []any{m.app, m.subject},
		func(e *conversation.Event) []any {
			return []any{&e.ID, &e.Thread, &e.Session, &e.Role, &e.Lang, instant(&e.Occurred), instant(&e.Recorded)}
		})
	return h, err
}

// inserts are the statements of each added event, which look at what they depend on themselves: a look before them
// would be a statement more.
type inserts struct {
	event string // unless its thread is missing
	job   string // unless one like it waits
}

func newInserts(w words) inserts {
	return inserts{
		event: orNothing(`INSERT INTO events (app, subject, seq, id, thread, session, role, lang, agent, own_key,
			importance, unembedded, occurred, recorded, meta, body) SELECT ` + typed(w, "nnntttttttnnnntt") + `
			FROM threads t WHERE t.app = $1 AND t.id = $5 AND t.subject = $2`),
		job: `INSERT INTO jobs (app, subject, kind, thread, of_kind, of_id, cause, state, attempts, reason, created,
			run_at, done, lease, leased_to) SELECT ` + typed(w, "nntttttnntnnntn") + `
			WHERE NOT EXISTS (SELECT 1 FROM jobs o WHERE o.subject = $2 AND o.of_kind = $5 AND o.of_id = $6
				AND o.kind = $3 AND o.` + pending + " AND (o.leased_to IS NULL OR o.leased_to <= $11))",
	}
}

// typed returns parameters of which a database does not find out what they are: n is a number, t a text.
func typed(w words, kinds string) string {
	made := make([]string, len(kinds))
	for i, kind := range kinds {
		of := "bigint"
		if kind == 't' {
			of = w.bytes
		}
		made[i] = fmt.Sprintf("CAST($%d AS %s)", i+1, of)
	}
	return strings.Join(made, ", ")
}
