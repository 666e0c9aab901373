package sqlstore

import (
	"context"
	"time"

	"ltm/server"
)

// audited notes a change in the audit log, with it. ctx is that of who asked for the change: a transaction may be of
// several.
func (t *tx) audited(ctx context.Context, at time.Time, act, id, within string) error {
	return t.auditedBy(server.ActorOf(ctx), at, act, id, within)
}

func (t *tx) auditedBy(actor string, at time.Time, act, id, within string) error {
	_, err := t.exec("INSERT INTO audit (at, actor, act, id, within) VALUES ($1, $2, $3, $4, $5)", at, actor, act, id,
		within)
	return err
}

// auditPage is how many lines are read at once.
const auditPage = 1000

// Audit calls a function for each line of the audit log, the oldest first.
func (s *Store) Audit(ctx context.Context, each func(server.AuditEntry) error) error {
	for last := int64(0); ; {
		page, err := in(ctx, s.ask, func(t *tx) ([]server.AuditEntry, error) {
			return collect(t, `SELECT a.seq, a.at, a.actor, a.act, a.id, a.within FROM audit a WHERE a.seq > $1
				ORDER BY a.seq LIMIT $2`, []any{last, auditPage}, func(e *server.AuditEntry) []any {
				return []any{&last, instant(&e.At), &e.Actor, &e.Act, &e.ID, &e.Within}
			})
		})
		for _, e := range page {
			if err == nil {
				err = each(e)
			}
		}
		if err != nil || len(page) < auditPage {
			return err
		}
	}
}
