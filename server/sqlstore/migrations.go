package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"

	"ltm/server"
)

// Versions is the table that says which migrations a database has.
const Versions = "ltm_migrations"

// Migrations are the steps from an empty database to the newest version. They only go forward.
type Migrations struct {
	provider *goose.Provider
	Newest   int64
}

// NewMigrations reads the migrations for a database: files like migrations/0001_name.sql.
func NewMigrations(dialect goose.Dialect, db *sql.DB, embedded fs.FS) (Migrations, error) {
	files, err := fs.Sub(embedded, "migrations")
	if err != nil {
		return Migrations{}, err
	}
	p, err := goose.NewProvider(dialect, db, files, goose.WithTableName(Versions),
		goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return Migrations{}, err
	}
	sources := p.ListSources()
	return Migrations{provider: p, Newest: sources[len(sources)-1].Version}, nil
}

// Version returns the version of a database that has the table of versions. [server.ErrNewer].
func (m Migrations) Version(ctx context.Context, db *sql.DB) (int64, error) {
	var v sql.NullInt64
	err := db.QueryRowContext(ctx, "SELECT max(version_id) FROM "+Versions+" WHERE is_applied").Scan(&v)
	if err == nil && v.Int64 > m.Newest {
		err = fmt.Errorf("%w: version %d, this program knows %d", server.ErrNewer, v.Int64, m.Newest)
	}
	return v.Int64, err
}

// Up brings a database to a version. No other process may migrate it meanwhile.
func (m Migrations) Up(ctx context.Context, version int64) error {
	_, err := m.provider.UpTo(ctx, version)
	return err
}
