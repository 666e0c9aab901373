package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"ltm/server"
)

// step is how many rows a transaction of a purge removes at most, so that others wait for
// milliseconds.
const step = 100

// Rewrite rewrites all tables, so that their files hold nothing of what was removed. It does nothing where
// each purge does so. Requests wait for the table that they need. [server.ErrBusy].
func (s *Store) Rewrite(ctx context.Context) error {
	if s.d.Rewrite == nil {
		return nil
	}
	err := s.d.Rewrite(ctx, filled())
	if err != nil && s.meaning(err) == Busy {
		err = fmt.Errorf("%w: %w", server.ErrBusy, err)
	}
	return err
}

// Purge implements [server.Storage].
func (s *Store) Purge(ctx context.Context, before time.Time) (server.Purged, error) {
	var p server.Purged
	for _, part := range []struct {
		into *int64
		step func(*tx, time.Time) (int64, error)
	}{
		{&p.Packets, (*tx).purgeScopes},
		{&p.Packets, rows("packets", "seq", "deleted < $1")},
		{&p.Invites, rows("invites", "id", "expires < $1")},
		{&p.Invites, rows("invites", "id", "closed < $1")},
		{&p.Tokens, rows("tokens", "id", "expires < $1")},
		{&p.Tokens, rows("tokens", "id", "revoked < $1")},
		{&p.Devices, rows("devices", "id", "expires < $1")},
		{&p.Teams, owners("teams", "NOT EXISTS (SELECT 1 FROM invites i WHERE i.team_id = o.id)")},
		// who wrote for teams goes, and what they wrote stays
		{&p.Users, owners("users", `NOT EXISTS (SELECT 1 FROM tokens k WHERE k.user_id = o.id)
			AND NOT EXISTS (SELECT 1 FROM teams t WHERE t.owner_id = o.id)`)},
		{&p.Keys, rows("answers", "user_id, name", "began < $1")},
		{&p.AppKeys, rows("app_keys", "id", "expires < $1")},
		{&p.AppKeys, rows("app_keys", "id", "revoked < $1")},
		{&p.Jobs, rows("jobs", "seq", "done < $1")},
		{&p.Changes, (*tx).purgeChanges},
	} {
		if err := s.purge(ctx, before, part.into, part.step); err != nil {
			return p, err
		}
	}
	memory := &Threads{s}
	if err := errors.Join(memory.purgeApps(ctx), memory.purgeErased(ctx)); err != nil {
		return p, err
	}
	if s.d.Purged != nil {
		if err := s.d.Purged(ctx); err != nil {
			return p, err
		}
	}
	s.purged.Store(time.Now().UnixMicro())
	return p, nil
}

// purge takes steps until nothing is left to do.
func (s *Store) purge(ctx context.Context, before time.Time, into *int64, take func(*tx, time.Time) (int64, error),
) error {
	for {
		n, err := in(ctx, s.writeAll, func(t *tx) (int64, error) { return take(t, before) })
		if err != nil {
			return err
		}
		*into += n
		if n == 0 {
			return nil
		}
	}
}

// rows returns a step that removes the rows of a table that a condition holds for.
func rows(table, key, condition string) func(*tx, time.Time) (int64, error) {
	query := fmt.Sprintf("DELETE FROM %[1]s WHERE (%[2]s) IN (SELECT %[2]s FROM %[1]s WHERE %[3]s LIMIT %[4]d)",
		table, key, condition, step)
	return func(t *tx, before time.Time) (int64, error) { return t.exec(query, before) }
}

// purgeScopes removes packets of a deleted user or team. A deleted scope gets none any more.
func (t *tx) purgeScopes(before time.Time) (int64, error) {
	var scope int64
	// Not EXISTS, which may be planned as a look at all packets.
	err := t.get(`SELECT seq FROM (SELECT s.seq AS seq, (SELECT p.seq FROM packets p
			WHERE p.scope = s.seq AND p.deleted IS NULL LIMIT 1) AS has FROM scopes s WHERE s.deleted < $1) found
		WHERE has IS NOT NULL LIMIT 1`,
		[]any{before}, &scope)
	if errors.Is(err, server.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	found, err := collect(t, "SELECT "+keptColumns+" FROM packets p WHERE p.scope = $1 AND p.deleted IS NULL LIMIT $2",
		[]any{scope, step}, keptInto)
	if err != nil {
		return 0, err
	}
	for _, k := range found {
		if err := t.dropTerms(k.scope, k.id, k.created, k.terms); err != nil {
			return 0, err
		}
		if _, err := t.exec("DELETE FROM packets WHERE seq = $1", k.seq); err != nil {
			return 0, err
		}
	}
	return int64(len(found)), nil
}

// owners returns a step that removes deleted rows of a table whose rows have a scope, with their scopes.
func owners(table, condition string) func(*tx, time.Time) (int64, error) {
	return func(t *tx, before time.Time) (int64, error) { return t.purgeOwners(table, condition, before) }
}

func (t *tx) purgeOwners(table, condition string, before time.Time) (int64, error) {
	found := map[int64]string{}
	err := t.each("SELECT o.scope, o.id FROM "+table+" o WHERE o.deleted < $1 AND "+condition+" LIMIT $2",
		[]any{before, step}, func(scan func(...any) error) error {
			var scope int64
			var id string
			err := scan(&scope, &id)
			found[scope] = id
			return err
		})
	if err != nil {
		return 0, err
	}
	for scope, id := range found {
		if _, err := t.exec("DELETE FROM "+table+" WHERE id = $1", id); err != nil {
			return 0, err
		}
		if _, err := t.exec("DELETE FROM scopes WHERE seq = $1", scope); err != nil {
			return 0, err
		}
	}
	return int64(len(found)), nil
}

// purgeChanges removes lines of the feed, and notes up to which version those of a subject are incomplete, and up to
// which place those of an application.
func (t *tx) purgeChanges(before time.Time) (int64, error) {
	pruned, purged := map[int64]int64{}, map[int64]point{}
	var lines []int64
	err := t.each(`SELECT c.seq, c.xact, c.app, c.subject, c.version FROM changes c WHERE c.at < $1
		ORDER BY c.at, c.seq LIMIT $2`,
		[]any{before, step}, func(scan func(...any) error) error {
			var at point
			var app, subject, version int64
			err := scan(&at.seq, &at.xact, &app, &subject, &version)
			pruned[subject] = max(pruned[subject], version)
			purged[app] = later(purged[app], at)
			lines = append(lines, at.seq)
			return err
		})
	if err != nil {
		return 0, err
	}
	for _, app := range slices.Sorted(maps.Keys(purged)) {
		_, err := t.exec(`UPDATE apps SET purged_xact = $1, purged_seq = $2 WHERE seq = $3
			AND (purged_xact, purged_seq) < ($1, $2)`, purged[app].xact, purged[app].seq, app)
		if err != nil {
			return 0, err
		}
	}
	for _, subject := range slices.Sorted(maps.Keys(pruned)) {
		_, err := t.exec("UPDATE subjects SET pruned = $1 WHERE seq = $2 AND pruned < $1", pruned[subject], subject)
		if err != nil {
			return 0, err
		}
	}
	for _, line := range lines {
		if _, err := t.exec("DELETE FROM changes WHERE seq = $1", line); err != nil {
			return 0, err
		}
	}
	return int64(len(lines)), nil
}

// Totals implements [server.Storage].
func (s *Store) Totals(ctx context.Context) (n server.Totals, err error) {
	err = s.readAll(ctx, func(t *tx) error {
		n = server.Totals{}
		return t.get(`SELECT
			(SELECT count(*) FROM users WHERE deleted IS NULL),
			(SELECT count(*) FROM tokens WHERE revoked IS NULL),
			(SELECT count(*) FROM teams WHERE deleted IS NULL),
			(SELECT count(*) FROM invites WHERE closed IS NULL),
			(SELECT CAST(COALESCE(sum(packets), 0) AS bigint) FROM scopes WHERE deleted IS NULL),
			(SELECT CAST(COALESCE(sum(bytes), 0) AS bigint) FROM scopes WHERE deleted IS NULL),
			(SELECT count(*) FROM apps WHERE deleted IS NULL),
			(SELECT count(*) FROM app_keys WHERE revoked IS NULL),
			(SELECT count(*) FROM subjects),
			(SELECT at FROM dones WHERE name = $1)`, []any{backupDone},
			&n.Users, &n.Tokens, &n.Teams, &n.Invites, &n.Packets, &n.Bytes, &n.Apps, &n.AppKeys, &n.Subjects,
			instant(&n.BackedUp))
	})
	return n, err
}
