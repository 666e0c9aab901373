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

// generation is how many versions of a database programs of all of them can use at once: its migrations only add what
// the programs before leave alone. A migration after which they would be wrong begins the next: 1000, 2000, ….
const generation = 1000

// version is the query for the version of a database.
const version = "SELECT COALESCE(max(version_id), 0) FROM " + Versions + " WHERE is_applied"

// newer returns [server.ErrNewer] for a version that a program of another version should leave alone.
func newer(version, known int64) error {
	if version <= known || version/generation == known/generation {
		return nil
	}
	return fmt.Errorf("%w: version %d, this program knows %d", server.ErrNewer, version, known)
}

// Version returns the version of a database that has the table of versions. [server.ErrNewer].
func (m Migrations) Version(ctx context.Context, db *sql.DB) (v int64, err error) {
	err = db.QueryRowContext(ctx, version).Scan(&v)
	if err == nil {
		err = newer(v, m.Newest)
	}
	return v, err
}

// Up brings a database to a version. No other process may migrate it meanwhile.
func (m Migrations) Up(ctx context.Context, version int64) error {
	_, err := m.provider.UpTo(ctx, version)
	return err
}
