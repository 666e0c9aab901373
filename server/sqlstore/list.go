package sqlstore

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ltm/server"
)

// ListPackets implements [server.Packets].
func (s *Store) ListPackets(ctx context.Context, q server.PacketQuery) ([]server.PacketEntry, error) {
	return in(ctx, s.read, func(t *tx) ([]server.PacketEntry, error) {
		scope, err := t.readScope(q.Caller, q.Team)
		if err != nil {
			return nil, err
		}
		terms, err := t.rarestFirst(scope, askedFor(q))
		if err != nil {
			return nil, err
		}
		query, args := listing(scope, terms, q)
		return collect(t, query, args, func(e *server.PacketEntry) []any {
			return []any{&e.ID, &e.Parent, &e.Goal, &e.Project, packed(&e.Tags), maybeText(&e.Author),
				instant(&e.Created), &e.Version}
		})
	})
}

// maybeText is a destination for a text. NULL is the empty one.
func maybeText(to *string) scanner {
	return func(src any) error {
		b, _ := src.([]byte)
		*to = string(b)
		return nil
	}
}

// readScope returns the scope that a caller may list.
func (t *tx) readScope(caller, team string) (scope int64, err error) {
	if team == "" {
		_, scope, err = t.user(caller)
	} else {
		_, scope, err = t.teamOf(caller, team)
	}
	return scope, err
}

// askedFor returns the terms of a query, without repeats.
func askedFor(q server.PacketQuery) [][]byte {
	var terms [][]byte
	for _, word := range q.Words {
		terms = append(terms, term(byWord, word))
	}
	for kind, text := range map[string]string{byTag: q.Tag, byProject: q.Project, byParent: q.Parent} {
		if text != "" {
			terms = append(terms, term(kind, text))
		}
	}
	slices.SortFunc(terms, bytes.Compare)
	return slices.CompactFunc(terms, bytes.Equal)
}

// enough is how many packets of a term are counted. Of two terms that have so many, the one whose newest ones reach
// further back is the rarer.
const enough = 1000

// rarity is how many packets have a term, up to enough, and the time of the oldest one that was counted.
type rarity struct{ packets, since int64 }

// rarestFirst sorts terms by how many packets have them: the rarest is gone through, and the others
// are looked up.
func (t *tx) rarestFirst(scope int64, terms [][]byte) ([][]byte, error) {
	if len(terms) < 2 {
		return terms, nil
	}
	have := map[string]rarity{}
	for _, one := range terms {
		var r rarity
		err := t.get(`SELECT count(*), COALESCE(min(created), 0) FROM (SELECT created FROM terms
			WHERE scope = $1 AND term = $2 ORDER BY created DESC, id DESC LIMIT $3) counted`,
			[]any{scope, one, enough}, &r.packets, &r.since)
		if err != nil {
			return nil, err
		}
		have[string(one)] = r
	}
	slices.SortStableFunc(terms, func(a, b []byte) int {
		one, other := have[string(a)], have[string(b)]
		return cmp.Or(cmp.Compare(one.packets, other.packets), cmp.Compare(one.since, other.since))
	})
	return terms, nil
}

// listing returns the query for a page of a scope. Its order is that of the index that it goes
// through, backwards, so it reads no more than it returns. Other terms are looked up one by one: with OFFSET, Postgres
// makes no join of it, whose generic plan compares all packets of one term with all of another.
func listing(scope int64, terms [][]byte, q server.PacketQuery) (string, []any) {
	args := []any{scope}
	arg := func(a any) string {
		args = append(args, a)
		return fmt.Sprintf("$%d", len(args))
	}
	var b strings.Builder
	b.WriteString("SELECT p.id, p.parent, p.goal, p.project, p.tags, u.display, p.created, p.version FROM ")
	along := "p"
	if len(terms) == 0 {
		b.WriteString("packets p LEFT JOIN users u ON u.id = p.author_id WHERE p.scope = $1 AND p.deleted IS NULL")
	} else {
		along = "a"
		b.WriteString("terms a JOIN packets p ON p.scope = a.scope AND p.id = a.id " +
			"LEFT JOIN users u ON u.id = p.author_id WHERE a.scope = $1 AND a.term = " + arg(terms[0]))
		for _, one := range terms[1:] {
			b.WriteString(" AND EXISTS (SELECT 1 FROM terms b WHERE b.scope = a.scope AND b.term = " + arg(one) +
				" AND b.created = a.created AND b.id = a.id LIMIT 1 OFFSET 0)")
		}
	}
	if !q.Since.IsZero() {
		b.WriteString(" AND " + along + ".created >= " + arg(q.Since))
	}
	if q.After != nil {
		fmt.Fprintf(&b, " AND (%s.created, %[1]s.id) < (%s, %s)", along, arg(q.After.Created), arg(q.After.ID))
	}
	fmt.Fprintf(&b, " ORDER BY %s.created DESC, %[1]s.id DESC LIMIT %s", along, arg(max(q.Limit, 0)))
	return b.String(), args
}
