package postgres

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"ltm/server/sqlstore"
)

//go:embed migrations/*.sql
var embedded embed.FS

// prepare checks that a database is ours, brings it to the newest version, which it returns, and looks for pgvector.
func prepare(ctx context.Context, c *pgx.ConnConfig, o Options) (e extension, newest int64, err error) {
	db := stdlib.OpenDB(*c) // without a limit: a migration may take long
	defer func() { err = errors.Join(err, db.Close()) }()
	m, err := sqlstore.NewMigrations(goose.DialectPostgres, db, embedded)
	if err != nil {
		return e, 0, err
	}
	limited, cancel := context.WithTimeout(ctx, o.Limit)
	defer cancel()
	current, err := version(limited, db, m)
	if err == nil && current < m.Newest {
		err = migrate(ctx, db, m, m.Newest)
	}
	if err != nil {
		return e, 0, err
	}
	return extend(ctx, db), m.Newest, nil
}

// migrate brings a database to a version, while others that want to do the same wait.
func migrate(ctx context.Context, db *sql.DB, m sqlstore.Migrations, to int64) (err error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }() // which ends the lock, whatever happened
	if err := lock(ctx, conn); err != nil {
		return fmt.Errorf("another server migrates it: %w", err)
	}
	defer func() {
		_, unlocked := conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", sqlstore.LockKey)
		err = errors.Join(err, unlocked)
	}()
	if current, err := version(ctx, db, m); err != nil || current >= to {
		return err
	}
	return m.Up(ctx, to)
}

// lock waits up to a minute for the lock.
func lock(ctx context.Context, conn *sql.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	_, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", sqlstore.LockKey)
	return err
}

// version returns the version of a database, 0 if it is empty, and changes nothing.
func version(ctx context.Context, db *sql.DB, m sqlstore.Migrations) (int64, error) {
	var versions, others int
	err := db.QueryRowContext(ctx, `SELECT COALESCE(sum(CASE WHEN relname = $1 THEN 1 ELSE 0 END), 0),
			COALESCE(sum(CASE WHEN relname IN ('scopes', 'users', 'tokens', 'teams', 'members', 'invites', 'packets',
				'terms', 'devices', 'answers', 'apps', 'app_keys', 'subjects', 'threads', 'events', 'summaries', 'acts',
				'claims', 'reactions', 'vectors', 'jobs', 'changes', 'erased', 'usages', 'origins',
				'audit', 'disabled', 'dones', 'rates') THEN 1 ELSE 0 END), 0)
		FROM pg_class WHERE relkind IN ('r', 'p', 'v') AND relnamespace = current_schema()::regnamespace`,
		sqlstore.Versions).Scan(&versions, &others)
	switch {
	case err != nil:
		return 0, err
	case versions > 0:
		return m.Version(ctx, db)
	case others > 0:
		return 0, fmt.Errorf("%w: its schema has tables of the same names", ErrForeign)
	}
	return 0, nil
}
