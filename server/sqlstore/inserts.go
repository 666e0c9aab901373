package sqlstore

import (
	"fmt"
	"strings"
)

// inserts are the statements of each added event, which look at what they depend on themselves: a look before them
// would be a statement more.
type inserts struct {
	event string // unless its thread is missing
	job   string // unless one like it waits
}

func newInserts(w words) inserts {
	return inserts{
		event: orNothing(`INSERT INTO events (app, subject, seq, id, thread, session, role, lang, agent, own_key,
			importance, occurred, recorded, meta, body) SELECT ` + typed(w, "nnntttttttnnntt") + `
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
