package sqlstore

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"time"

	"ltm/server/threads"
)

// originSize is how many bytes of a database's name a cursor has.
const originSize = 8

// cursorOf returns the cursor of a place in the feed.
func cursorOf(origin []byte, at point) string {
	b := append([]byte{}, origin[:originSize]...)
	b = binary.BigEndian.AppendUint64(b, uint64(at.xact))
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint64(b, uint64(at.seq)))
}

// parseCursor undoes cursorOf. "" is the beginning.
func parseCursor(origin []byte, cursor string) (at point, err error) {
	if cursor == "" {
		return point{}, nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(b) != originSize+16 || string(b[:originSize]) != string(origin[:originSize]) {
		return point{}, threads.ErrCursor
	}
	at = point{int64(binary.BigEndian.Uint64(b[originSize:])), int64(binary.BigEndian.Uint64(b[originSize+8:]))}
	if at.xact < 0 || at.seq < 0 {
		return point{}, threads.ErrCursor
	}
	return at, nil
}

// point is a place in the feed: that of a line, or the zero value before all of them.
type point struct{ xact, seq int64 }

// before reports whether a place comes before another.
func (p point) before(q point) bool {
	return cmp.Or(cmp.Compare(p.xact, q.xact), cmp.Compare(p.seq, q.seq)) < 0
}

// later returns the later of two places.
func later(p, q point) point {
	if p.before(q) {
		return q
	}
	return p
}

// Changes implements [threads.Storage].
func (s *Threads) Changes(
	ctx context.Context, app, user, after string, limit int,
) (changes []threads.Change, next string, err error) {
	err = s.s.read(ctx, func(t *tx) error {
		var origin []byte
		if err := t.get("SELECT o.id FROM origins o", nil, &origin); err != nil {
			return err
		}
		n, err := t.app(app)
		if err != nil {
			return err
		}
		purged, end, err := t.feed(n)
		if err != nil {
			return err
		}
		from := end
		if after != threads.FromNow {
			from, err = parseCursor(origin, after)
		}
		switch {
		case err != nil:
			return err
		case after != "" && after != threads.FromNow && from.before(purged):
			return threads.ErrPurged
		}
		changes, err = t.lines(n, user, from, limit, origin)
		if err != nil {
			return err
		}
		next = cursorOf(origin, later(from, end))
		if int64(len(changes)) == most(limit) {
			next = changes[len(changes)-1].Cursor
		}
		return nil
	})
	return changes, next, err
}

// feed returns the last place of which an application's feed has lost lines, and its end.
func (t *tx) feed(app int64) (purged, end point, err error) {
	var ended int64 // a transaction from before it may still run, if little is kept
	err = t.get("SELECT a.purged_xact, a.purged_seq, CASE WHEN a.purged_"+t.s.words.ended+" THEN 1 ELSE 0 END "+
		"FROM apps a WHERE a.seq = $1", []any{app}, &purged.xact, &purged.seq, &ended)
	if err != nil {
		return purged, end, err
	}
	err = t.get("SELECT c.xact, c.seq FROM changes c WHERE c.app = $1 AND c."+t.s.words.ended+
		" ORDER BY c.xact DESC, c.seq DESC LIMIT 1", []any{app}, &end.xact, &end.seq)
	if errors.Is(err, threads.ErrNotFound) {
		err = nil
	}
	if ended > 0 {
		end = later(purged, end)
	}
	return purged, end, err
}

// lines returns lines of an application's feed after a place.
func (t *tx) lines(app int64, user string, after point, limit int, origin []byte) (all []threads.Change, err error) {
	query, args := `SELECT c.xact, c.seq, c.name, c.kind, c.id, c.op, c.at FROM changes c WHERE c.app = $1
		AND (c.xact, c.seq) > ($2, $3) AND `+thereStill("c")+" AND c."+t.s.words.ended,
		[]any{app, after.xact, after.seq, most(limit)}
	if user != "" {
		query, args = query+" AND c.name = $5", append(args, user)
	}
	err = t.each(query+" ORDER BY c.xact, c.seq LIMIT $4", args, func(scan func(...any) error) error {
		var c threads.Change
		var at point
		var op int64
		err := scan(&at.xact, &at.seq, &c.User, &c.Kind, &c.ID, &op, instant(&c.At))
		c.Cursor, c.Op = cursorOf(origin, at), "put"
		if op == opDelete {
			c.Op = "delete"
		}
		all = append(all, c)
		return err
	})
	return all, err
}

// AddUsage implements [threads.Storage].
func (s *Threads) AddUsage(ctx context.Context, u threads.Usage) error {
	return s.s.write(ctx, func(t *tx) error {
		app, err := t.app(u.App)
		if err != nil {
			return err
		}
		_, err = t.exec(`INSERT INTO usages (app, day, requests, input, output, estimated, micros)
			VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (app, day) DO UPDATE SET
			requests = usages.requests + excluded.requests, input = usages.input + excluded.input,
			output = usages.output + excluded.output, estimated = usages.estimated + excluded.estimated,
			micros = usages.micros + excluded.micros`,
			app, u.Day, u.Requests, u.Input, u.Output, u.Estimated, u.Micros)
		return err
	})
}

// Usage implements [threads.Storage].
func (s *Threads) Usage(ctx context.Context, day string) ([]threads.Usage, error) {
	return list(ctx, s.s, `SELECT a.id, u.day, u.requests, u.input, u.output, u.estimated, u.micros
		FROM usages u JOIN apps a ON a.seq = u.app WHERE u.day = $1 AND a.deleted IS NULL ORDER BY a.id`,
		[]any{day}, func(u *threads.Usage) []any {
			return []any{&u.App, &u.Day, &u.Requests, &u.Input, &u.Output, &u.Estimated, &u.Micros}
		})
}

// ofSubjects are the tables that have rows of subjects.
func ofSubjects() []string {
	return []string{"reactions", "summaries", "claims", "acts", "vectors", "jobs", "events", "threads", "changes"}
}

// ErasedSince implements [threads.Storage].
func (s *Threads) ErasedSince(ctx context.Context, since time.Time) ([]threads.Erased, error) {
	return in(ctx, s.s.readAll, func(t *tx) ([]threads.Erased, error) {
		return collect(t, "SELECT e.app_id, e.name, e.kind, e.id, e.at FROM erased e WHERE e.at >= $1 "+
			"ORDER BY e.at, e.seq", []any{stamp(since)}, func(e *threads.Erased) []any {
			return []any{&e.Subject.App, &e.Subject.User, &e.Kind, &e.ID, instant(&e.At)}
		})
	})
}

// Repeat implements [threads.Storage].
func (s *Threads) Repeat(ctx context.Context, erased []threads.Erased) (map[string]int64, error) {
	gone := map[string]int64{}
	for _, e := range erased {
		some, err := s.repeat(ctx, e)
		if err != nil {
			return gone, err
		}
		if err := s.noteRepeated(ctx, e); err != nil {
			return gone, err
		}
		for table, n := range some {
			gone[table] += n
		}
	}
	return gone, nil
}

// noteRepeated notes an erasure also if nothing was there: what comes later under the same name is not meant.
func (s *Threads) noteRepeated(ctx context.Context, e threads.Erased) error {
	return s.s.writeAll(ctx, func(t *tx) error {
		again, err := t.noteErased(0, 0, e)
		if err != nil || !again {
			return err
		}
		return t.eraseLater(e)
	})
}

// repeat deletes what was erased before, if it is there.
func (s *Threads) repeat(ctx context.Context, e threads.Erased) (gone map[string]int64, err error) {
	switch {
	case e.Kind == threads.KindUser && e.Subject.User == "":
		gone, err = s.DeleteApp(ctx, e.Subject.App, e.At)
	case e.Kind == threads.KindUser:
		gone, err = s.Erase(ctx, e.Subject, e.At)
	default:
		err = s.Change(ctx, e.Subject, func(tx threads.Tx) error {
			gone = map[string]int64{}
			switch e.Kind {
			case threads.KindThread:
				gone["threads"] = 1
				return tx.DeleteThread(e.ID, e.At)
			case threads.KindEvent:
				gone["events"] = 1
				return tx.DeleteEvent(e.ID, e.At)
			case threads.KindAct:
				gone["acts"] = 1
				return tx.DeleteActs([]string{e.ID}, e.At)
			}
			return threads.ErrNotFound
		})
	}
	if errors.Is(err, threads.ErrNotFound) {
		return nil, nil
	}
	return gone, err
}

// DeleteApp implements [threads.Apps].
func (s *Threads) DeleteApp(ctx context.Context, id string, at time.Time) (map[string]int64, error) {
	gone := map[string]int64{}
	var app int64
	err := s.s.write(ctx, func(t *tx) error {
		err := t.get("SELECT a.seq FROM apps a WHERE a.id = $1", []any{id}, &app)
		if err != nil {
			return err
		}
		if err := t.must("UPDATE apps SET deleted = COALESCE(deleted, $1) WHERE seq = $2", at, app); err != nil {
			return err
		}
		return t.audited(ctx, at, "app.delete", id, "")
	})
	if err != nil {
		return nil, err
	}
	return gone, s.deleteRest(ctx, app, id, at, gone)
}

// purgeApps ends what [Threads.DeleteApp] began and did not end.
func (s *Threads) purgeApps(ctx context.Context) error {
	type begun struct {
		app int64
		id  string
		at  time.Time
	}
	left, err := list(ctx, s.s, "SELECT a.seq, a.id, a.deleted FROM apps a WHERE a.deleted IS NOT NULL", nil,
		func(b *begun) []any { return []any{&b.app, &b.id, instant(&b.at)} })
	if err != nil {
		return err
	}
	for _, b := range left {
		if err := s.deleteRest(ctx, b.app, b.id, b.at, map[string]int64{}); err != nil {
			return err
		}
	}
	return nil
}

// deleteRest deletes what is left of an application that is marked as deleted, and counts it.
func (s *Threads) deleteRest(ctx context.Context, app int64, id string, at time.Time, gone map[string]int64) error {
	return s.inSteps(ctx, gone, func(t *tx, gone map[string]int64) (bool, error) {
		return t.deleteApp(app, id, at, gone)
	})
}

// deleteApp deletes one subject of an application, or at last the application itself, and counts it. It reports whether
// there is more to do.
func (t *tx) deleteApp(app int64, id string, at time.Time, gone map[string]int64) (more bool, err error) {
	var one int64
	if err := t.get("SELECT a.seq FROM apps a WHERE a.seq = $1"+t.s.words.lock, []any{app}, &one); err != nil {
		if errors.Is(err, threads.ErrNotFound) {
			return false, nil // another was faster
		}
		return false, err
	}
	var subject int64
	err = t.get("SELECT s.seq FROM subjects s WHERE s.app = $1 ORDER BY s.name LIMIT 1"+t.s.words.lock, []any{app},
		&subject)
	if err != nil && !errors.Is(err, threads.ErrNotFound) {
		return false, err
	}
	tables, column, of := []string{"app_keys", "usages", "changes"}, "app", app
	if more = err == nil; more {
		if rest, err := t.eraseSome(subject, gone); err != nil || rest {
			return true, err
		}
		tables, column, of = ofSubjects(), "subject", subject
	}
	for _, table := range tables {
		if err := t.count(gone, table, "DELETE FROM "+table+" WHERE "+column+" = $1", of); err != nil {
			return false, err
		}
	}
	if more {
		gone["subjects"] = 1
		return true, t.must("DELETE FROM subjects WHERE seq = $1", subject)
	}
	gone["apps"] = 1
	_, err = t.noteErased(app, 0, threads.Erased{Subject: threads.Subject{App: id},
		Ref: threads.Ref{Kind: threads.KindUser}, At: at})
	if err != nil {
		return false, err
	}
	return false, t.must("DELETE FROM apps WHERE seq = $1", app)
}
