package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ltm/server"
	"ltm/server/threads"
)

// A user is erased in two parts. The first is one transaction: the row of the subject goes, and with it everything that
// is read by it, as do the rows whose ids the next user of that name may need; and it is noted. What is left has the
// number of a subject that is not there, which no question asks for. The second part removes it, in steps, for which
// others do not wait long; what a killed process left of it, the next purge removes.

// erasedAtOnce is how many rows of a table a step of an erasure removes at most: about 20 ms of work.
const erasedAtOnce = 1000

// bulk is a table of which a subject may have very many rows.
type bulk struct {
	name string
	key  string // with the subject
	goes string // which rows go; "" is all
}

// bulks returns these tables. The line of the feed that says that a user was erased, which has no id, outlives them.
func bulks() []bulk {
	return []bulk{{"events", "seq", ""}, {"vectors", "kind, id, model", ""}, {"jobs", "seq", ""},
		{"changes", "seq", " AND length(id) > 0"}}
}

// thereStill is the condition for lines of the feed whose subject is there, or that say that it is not.
func thereStill(changes string) string {
	return "(length(" + changes + ".id) = 0 OR " + ofSomeone(changes) + ")"
}

// ofSomeone is the condition for rows whose subject is there.
func ofSomeone(table string) string {
	return "EXISTS (SELECT 1 FROM subjects o WHERE o.seq = " + table + ".subject)"
}

// Erase implements [threads.Storage].
func (s *Threads) Erase(ctx context.Context, who threads.Subject, at time.Time) (gone map[string]int64, err error) {
	var subject int64
	err = s.s.write(ctx, func(t *tx) error {
		subject, gone, err = t.eraseSubject(who, server.ActorOf(ctx), at)
		return err
	})
	if err != nil || subject == 0 {
		return gone, err
	}
	return gone, s.inSteps(ctx, gone, func(t *tx, gone map[string]int64) (bool, error) {
		return t.eraseSome(subject, gone)
	})
}

// eraseSubject is the first part. Without such a subject, it returns 0.
func (t *tx) eraseSubject(who threads.Subject, by string, at time.Time) (subject int64, gone map[string]int64,
	err error) {
	gone = map[string]int64{}
	if _, err := t.exec("DELETE FROM answers WHERE user_id = $1", server.AnswerOwner(who)); err != nil {
		return 0, nil, err
	}
	m, err := t.memoryOf(who, t.s.words.lock)
	m.by = by
	if errors.Is(err, threads.ErrNotFound) && m.app != 0 {
		return 0, gone, nil
	}
	if err != nil {
		return 0, nil, err
	}
	for _, table := range []string{"reactions", "summaries", "claims", "acts", "threads"} {
		if err := t.count(gone, table, "DELETE FROM "+table+" WHERE subject = $1", m.subject); err != nil {
			return 0, nil, err
		}
	}
	// Who works on a job must find that it is lost. Not state = 0, for which the index of all pending jobs is taken.
	if err := t.count(gone, "jobs", "DELETE FROM jobs WHERE subject = $1 AND state < 1", m.subject); err != nil {
		return 0, nil, err
	}
	if err := m.fed(threads.KindUser, "", opDelete, at); err != nil {
		return 0, nil, err
	}
	if err := m.erased(threads.KindUser, "", at); err != nil {
		return 0, nil, err
	}
	gone["subjects"] = 1
	return m.subject, gone, t.must("DELETE FROM subjects WHERE seq = $1", m.subject)
}

// count runs a statement, and adds the number of its rows.
func (t *tx) count(gone map[string]int64, table, statement string, args ...any) error {
	n, err := t.exec(statement, args...)
	if n > 0 {
		gone[table] += n
	}
	return err
}

// inSteps takes steps, each a transaction, as long as there may be more to do, and adds up how many rows of which table
// went.
func (s *Threads) inSteps(ctx context.Context, gone map[string]int64,
	take func(*tx, map[string]int64) (more bool, err error)) error {
	for more := true; more; {
		some := map[string]int64{}
		err := s.s.writeAll(ctx, func(t *tx) (err error) {
			clear(some)
			more, err = take(t, some)
			return err
		})
		if err != nil {
			return err
		}
		for table, n := range some {
			gone[table] += n
		}
	}
	return nil
}

// eraseSome is a step of the second part. It reports whether there may be more.
func (t *tx) eraseSome(subject int64, gone map[string]int64) (more bool, err error) {
	for _, b := range bulks() {
		before := gone[b.name]
		err := t.count(gone, b.name, fmt.Sprintf("DELETE FROM %[1]s WHERE subject = $1 AND (%[2]s) IN "+
			"(SELECT %[2]s FROM %[1]s WHERE subject = $1%[3]s LIMIT %[4]d)", b.name, b.key, b.goes, erasedAtOnce),
			subject)
		if err != nil {
			return false, err
		}
		if gone[b.name]-before == erasedAtOnce {
			return true, nil
		}
	}
	return false, nil
}

// purgeErased ends what [Threads.Erase] began and did not end. It goes from subject to subject by the index, and so
// looks at few rows.
func (s *Threads) purgeErased(ctx context.Context) error {
	left := map[int64]bool{}
	err := s.s.readAll(ctx, func(t *tx) error {
		clear(left)
		for _, b := range bulks() {
			query := fmt.Sprintf(`WITH RECURSIVE found (subject) AS (SELECT min(subject) FROM %[1]s UNION ALL
				SELECT (SELECT min(n.subject) FROM %[1]s n WHERE n.subject > found.subject) FROM found
					WHERE found.subject IS NOT NULL)
				SELECT found.subject FROM found WHERE found.subject IS NOT NULL
				AND NOT EXISTS (SELECT 1 FROM subjects s WHERE s.seq = found.subject)
				AND EXISTS (SELECT 1 FROM %[1]s WHERE %[1]s.subject = found.subject%[2]s)`, b.name, b.goes)
			err := t.each(query, nil, func(scan func(...any) error) error {
				var subject int64
				err := scan(&subject)
				left[subject] = true
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	for subject := range left {
		err = errors.Join(err, s.inSteps(ctx, map[string]int64{}, func(t *tx, gone map[string]int64) (bool, error) {
			return t.eraseSome(subject, gone)
		}))
	}
	return err
}
