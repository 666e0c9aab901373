package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"time"

	"ltm/server/sqlstore"
)

// Filling returns the connection of a restore.
func Filling(path string, o Options) (*sql.DB, error) { return fillingConnection(path, o) }

// Scrubbing returns the connection that rewrites a file.
func Scrubbing(path string, o Options) (*sql.DB, error) { return scrubbing(path, o) }

// MigrateTo brings an empty or older file to a version, as the program of that version did.
func MigrateTo(ctx context.Context, path string, version int64) (newest int64, err error) {
	o := Options{}
	defaults(&o)
	path, err = filepath.Abs(path)
	if err != nil {
		return 0, err
	}
	if err := place(path, false); err != nil {
		return 0, err
	}
	db, err := connect(path, o)
	if err != nil {
		return 0, err
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	m, err := migrations(db)
	if err != nil || version == 0 {
		return m.Newest, err
	}
	return m.Newest, migrate(ctx, db, m, path, 0, version)
}

// SetAside copies a file as before a migration to a version.
func SetAside(ctx context.Context, path string, version int64) error {
	o := Options{}
	defaults(&o)
	db, err := connect(path, o)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	return setAside(ctx, db, path, version)
}

// Calm is what waits for pauses between the changes of a store.
type Calm struct{ c *calm }

// OpenCalm opens a new file.
func OpenCalm(ctx context.Context, path string) (*sqlstore.Store, Calm, error) {
	store, k, err := open(ctx, path, Options{})
	return store, Calm{k.calm}, err
}

// GiveWay does something in a pause.
func (c Calm) GiveWay(ctx context.Context, patience, quiet time.Duration, do func(context.Context) error) error {
	return c.c.giveWay(ctx, patience, quiet, do)
}

// Changes returns how many transactions of changes there were.
func (c Calm) Changes() int {
	c.c.mu.Lock()
	defer c.c.mu.Unlock()
	return c.c.changes
}

// OpenLimited opens a file, and returns what limits the pages of it.
func OpenLimited(ctx context.Context, path string) (*sqlstore.Store, func(pages int) error, error) {
	store, k, err := open(ctx, path, Options{})
	return store, func(pages int) error {
		_, err := k.w.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", pages))
		return err
	}, err
}
