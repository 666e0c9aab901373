package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"time"

	"github.com/gofrs/flock"
	"github.com/pressly/goose/v3"

	"ltm/server/sqlstore"
)

//go:embed migrations/*.sql
var embedded embed.FS

// migrations returns the migrations for a database.
func migrations(db *sql.DB) (sqlstore.Migrations, error) {
	return sqlstore.NewMigrations(goose.DialectSQLite3, db, embedded)
}

// prepare checks that a file is ours, and brings it to the newest version, which it returns. Only one of several
// processes does so, and the others wait for it.
func prepare(ctx context.Context, path string, o Options) (newest int64, err error) {
	db, err := connect(path, o)
	if err != nil {
		return 0, err
	}
	db.SetMaxOpenConns(1)
	defer func() { err = errors.Join(err, db.Close()) }()
	m, err := migrations(db)
	if err != nil {
		return 0, err
	}
	current, err := version(ctx, db, m)
	if err != nil {
		return 0, err
	}
	if err := protect(path); err != nil {
		return 0, err
	}
	if current >= m.Newest {
		return m.Newest, nil
	}
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	waiting, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if ok, err := lock.TryLockContext(waiting, 20*time.Millisecond); !ok {
		return 0, fmt.Errorf("another process migrates it: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if current, err = version(ctx, db, m); err != nil {
		return 0, err
	}
	return m.Newest, migrate(ctx, db, m, path, current, m.Newest)
}

// migrate brings a database from one version to another. It holds the lock.
func migrate(ctx context.Context, db *sql.DB, m sqlstore.Migrations, path string, from, to int64) error {
	if from >= to {
		return nil
	}
	if from > 0 {
		if err := setAside(ctx, db, path, to); err != nil {
			return fmt.Errorf("no backup before the migration, which was not begun: %w", err)
		}
	} else if _, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
		return err
	}
	return m.Up(ctx, to)
}

// version returns the version of a database, 0 if it is empty, and changes nothing.
func version(ctx context.Context, db *sql.DB, m sqlstore.Migrations) (int64, error) {
	var id, tables, ours int64
	// one statement, as another process may be making the file
	err := db.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id), count(*),
		COALESCE(sum(name = $1), 0) FROM sqlite_schema`, sqlstore.Versions).Scan(&id, &tables, &ours)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%w: %w", ErrForeign, err)
	case id == 0 && tables == 0:
		return 0, nil
	case id != applicationID:
		return 0, fmt.Errorf("%w: its application id is %#x", ErrForeign, id)
	case ours == 0:
		return 0, nil // a process ended between the id and the first migration
	}
	return m.Version(ctx, db)
}

// setAside copies a database to a new file beside it.
func setAside(ctx context.Context, db *sql.DB, path string, version int64) error {
	name := path + ".before-" + strconv.FormatInt(version, 10)
	for n := 1; ; n++ {
		to := name
		if n > 1 {
			to += "." + strconv.Itoa(n)
		}
		err := backup(ctx, db, to)
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

// backup copies a database to a new file, while others use it. An unfinished copy is removed.
func backup(ctx context.Context, db *sql.DB, to string) error {
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?1", to); err != nil {
		return errors.Join(err, os.Remove(to))
	}
	return synced(to)
}

// synced writes a file to the disk.
func synced(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
