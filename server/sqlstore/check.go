package sqlstore

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// fromMicros undoes [time.Time.UnixMicro].
func fromMicros(n int64) time.Time { return time.UnixMicro(n).UTC() }

// Check looks for contradictions in the database, and returns a sentence for each. It reads everything,
// and changes nothing.
func (s *Store) Check(ctx context.Context) (faults []string, err error) {
	err = s.whole(ctx, s.r, &s.words.read, func(t *tx) error {
		faults, err = t.faults(append(rowRules(false), termRules()...))
		return err
	})
	if err != nil || s.d.Check == nil {
		return faults, err
	}
	more, err := s.d.Check(ctx)
	return append(faults, more...), err
}

// faults returns what contradicts rules.
func (t *tx) faults(rules []rule) (faults []string, err error) {
	for _, rule := range rules {
		var n int64
		if err := t.get(rule.counts, nil, &n); err != nil {
			return nil, err
		}
		if n != 0 {
			faults = append(faults, fmt.Sprintf(rule.says, n))
		}
	}
	return faults, nil
}

// A rule counts what contradicts it.
type rule struct{ says, counts string }

// rowRules are the rules between the tables of a dump. In a dump, unlike in a database, no erasure is under way.
func rowRules(dump bool) []rule {
	return append([]rule{
		{"%d scopes count other packets or bytes than they have", `SELECT count(*) FROM scopes s
			WHERE s.deleted IS NULL AND (s.packets <> (SELECT count(*) FROM packets p
					WHERE p.scope = s.seq AND p.deleted IS NULL)
				OR s.bytes <> (SELECT COALESCE(sum(length(p.body)), 0) FROM packets p
					WHERE p.scope = s.seq AND p.deleted IS NULL))`},
		{"%d scopes belong to no one", `SELECT count(*) FROM scopes s
			WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.scope = s.seq)
			AND NOT EXISTS (SELECT 1 FROM teams t WHERE t.scope = s.seq)`},
		{"%d packets are in no scope", `SELECT count(*) FROM packets p
			WHERE p.deleted IS NULL AND NOT EXISTS (SELECT 1 FROM scopes s WHERE s.seq = p.scope)`},
		{"%d deleted packets have texts", `SELECT count(*) FROM packets WHERE deleted IS NOT NULL
			AND (length(body) > 0 OR length(goal) > 0 OR length(terms) > 0)`},
		{"%d teams have an owner who is not in them", `SELECT count(*) FROM teams t WHERE t.deleted IS NULL
			AND NOT EXISTS (SELECT 1 FROM members m WHERE m.team_id = t.id AND m.user_id = t.owner_id)`},
		{"%d members are deleted", `SELECT count(*) FROM members m JOIN users u ON u.id = m.user_id
			JOIN teams t ON t.id = m.team_id WHERE u.deleted IS NOT NULL OR t.deleted IS NOT NULL`},
	}, memoryRules(dump)...)
}

// termRules are the rules of the index of terms.
func termRules() []rule {
	return []rule{
		{"%d entries of the index belong to no packet", `SELECT count(*) FROM terms x WHERE NOT EXISTS
			(SELECT 1 FROM packets p WHERE p.id = x.id AND p.scope = x.scope AND p.created = x.created
				AND p.deleted IS NULL)`},
		{"%d entries of the index are missing", `SELECT CAST(COALESCE(sum(length(terms)), 0) / 12 AS bigint) -
			(SELECT count(*) FROM terms) FROM packets WHERE deleted IS NULL`},
	}
}

// memoryRules are the rules of applications' memory.
func memoryRules(dump bool) []rule {
	outlive := func(table string) bool {
		return table == "changes" || !dump && slices.ContainsFunc(bulks(), func(b bulk) bool { return b.name == table })
	}
	rules := []rule{
		{"%d subjects have rows with higher numbers than they gave", `SELECT count(*) FROM subjects s WHERE s.last < (
			SELECT COALESCE(max(n), 0) FROM (SELECT max(e.seq) AS n FROM events e WHERE e.subject = s.seq
				UNION ALL SELECT max(a.seq) FROM acts a WHERE a.subject = s.seq
				UNION ALL SELECT max(m.seq) FROM summaries m WHERE m.subject = s.seq) numbers)`},
		{"%d events are in no thread", `SELECT count(*) FROM events e WHERE NOT EXISTS (SELECT 1 FROM threads t
			WHERE t.app = e.app AND t.id = e.thread AND t.subject = e.subject)
			AND ` + ofSomeone("e")},
		{"%d summaries are of no thread", `SELECT count(*) FROM summaries e WHERE NOT EXISTS (SELECT 1 FROM threads t
			WHERE t.app = e.app AND t.id = e.thread AND t.subject = e.subject)`},
		{"%d reactions are to no event", `SELECT count(*) FROM reactions r WHERE NOT EXISTS (SELECT 1 FROM events e
			WHERE e.app = r.app AND e.id = r.event AND e.subject = r.subject)`},
	}
	for _, table := range ofSubjects() {
		if !outlive(table) {
			rules = append(rules, rule{"%d rows of " + table + " are of no subject", "SELECT count(*) FROM " + table +
				" o WHERE NOT EXISTS (SELECT 1 FROM subjects s WHERE s.seq = o.subject AND s.app = o.app)"})
		}
	}
	return rules
}
