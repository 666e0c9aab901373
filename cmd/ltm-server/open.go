package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"ltm/packet"
	"ltm/server"
	"ltm/server/postgres"
	"ltm/server/sqlite"
	"ltm/server/threads"
)

// database is what the operator's commands need of a store.
type database interface {
	server.Storage

	// Dump writes all that there is at one moment, while others go on.
	Dump(ctx context.Context, w io.Writer) error

	// BackedUp notes when a dump was written to its place.
	BackedUp(ctx context.Context, at time.Time) error

	// Restore reads a dump into an empty database, whole or not at all.
	Restore(ctx context.Context, r io.Reader) error

	// Rewrite rewrites the tables of Postgres.
	Rewrite(ctx context.Context) error

	// Threads is the memory of applications.
	Threads() threads.Storage

	// Audit calls a function for each line of the audit log, the oldest first.
	Audit(ctx context.Context, each func(server.AuditEntry) error) error

	// Check returns a sentence for each contradiction in the database.
	Check(ctx context.Context) (faults []string, err error)
}

// openTime is how long opening a database may take, a migration included.
const openTime = 5 * time.Minute

// open opens the database that the options name. Unless create is set, a missing file is an error, so
// that a slip of the pen does not start an empty database.
func (a *app) open(ctx context.Context, create bool) (database, error) {
	return a.openDatabase(ctx, sqlite.Options{MustExist: !create})
}

// openDatabase opens it with options for a file of SQLite.
func (a *app) openDatabase(ctx context.Context, o sqlite.Options) (database, error) {
	if a.options.db == "" {
		return nil, invalid("--db or LTM_SERVER_DB names one", "no database is named, and there is no home directory")
	}
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	if a.options.postgres() {
		return a.openPostgres(ctx)
	}
	s, err := sqlite.Open(ctx, a.options.db, o)
	switch {
	case errors.Is(err, fs.ErrNotExist) && o.MustExist:
		return nil, &fault{status: exitNotFound, message: "there is no database " + a.options.db,
			next: "\"ltm-server init\" makes it; --db or LTM_SERVER_DB names another"}
	case errors.Is(err, sqlite.ErrForeign):
		return nil, &fault{status: exitInvalid, message: a.options.db + " is a file of another kind", cause: err,
			next: "--db or LTM_SERVER_DB names another"}
	case errors.Is(err, sqlite.ErrLinked):
		return nil, &fault{status: exitConflict, message: "cannot serve " + a.options.db, cause: err}
	case errors.Is(err, sqlite.ErrServed):
		return nil, &fault{status: exitConflict, message: "cannot serve " + a.options.db, cause: err,
			next: "stop that server, or give this one other data (--db, or --dir of dev); several need Postgres"}
	case err != nil:
		return nil, failed("cannot open the database", err)
	}
	return s, nil
}

// openPostgres opens a database of Postgres. Its errors do not show the password.
func (a *app) openPostgres(ctx context.Context) (database, error) {
	s, err := postgres.Open(ctx, a.options.db, postgres.Options{MaxConns: a.options.connections})
	if err == nil {
		return s, nil
	}
	next := cmp.Or(step(err), "see that Postgres runs and lets this user in; --db or LTM_SERVER_DB names another")
	return nil, &fault{status: statusOf(err), message: "cannot open " + a.options.shownDatabase(), next: next,
		cause: err}
}

// withStorage opens the database for a command, whose changes are the operator's, and closes it after it.
func (a *app) withStorage(ctx context.Context, do func(context.Context, database) error) error {
	s, err := a.open(ctx, false)
	if err != nil {
		return err
	}
	if err := do(server.ByOperator(ctx), s); err != nil {
		return errors.Join(err, s.Close())
	}
	if err := s.Close(); err != nil {
		return failed("cannot close the database", err)
	}
	return nil
}

// withThreads is withStorage for the memory of applications.
func (a *app) withThreads(ctx context.Context, do func(context.Context, threads.Storage) error) error {
	return a.withStorage(ctx, func(ctx context.Context, s database) error { return do(ctx, s.Threads()) })
}

// onStorage returns what a command does that works on the database, and onThreads on the memory of applications.
func (a *app) onStorage(do func(context.Context, database, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, given []string) error {
		return a.withStorage(c.Context(), func(ctx context.Context, s database) error { return do(ctx, s, given) })
	}
}

func (a *app) onThreads(do func(context.Context, threads.Storage, []string) error) func(*cobra.Command,
	[]string) error {
	return a.onStorage(func(ctx context.Context, s database, given []string) error {
		return do(ctx, s.Threads(), given)
	})
}

// newID returns a ULID of a time.
func (a *app) newID(at time.Time) (string, error) {
	id, err := packet.NewIDs(func() time.Time { return at }, rand.Reader).New()
	if err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return id, nil
}
