package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// MigrateTo brings an empty or older database to a version, as the program of that version did.
func MigrateTo(ctx context.Context, url string, to int64) (newest int64, err error) {
	c, err := pgx.ParseConfig(url)
	if err != nil {
		return 0, err
	}
	db := stdlib.OpenDB(*c)
	defer func() { _ = db.Close() }()
	m, err := migrations(db)
	if err != nil || to == 0 {
		return m.Newest, err
	}
	return m.Newest, migrate(ctx, db, m, to)
}
