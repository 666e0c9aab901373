package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// rewrite rewrites tables, one after another. Each is locked meanwhile; a lock that it cannot get within the
// limit of an operation is an error, since all others that want the table would wait behind it. The sizes of tables
// have no limit, so the time has none.
func rewrite(ctx context.Context, c *pgx.ConnConfig, o Options, tables []string) (err error) {
	conn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	if _, err := conn.Exec(ctx, fmt.Sprintf("SET lock_timeout = %d", o.Limit.Milliseconds())); err != nil {
		return err
	}
	for _, table := range tables {
		if _, err := conn.Exec(ctx, "VACUUM (FULL, ANALYZE) "+pgx.Identifier{table}.Sanitize()); err != nil {
			return fmt.Errorf("table %s: %w", table, err)
		}
	}
	return nil
}
