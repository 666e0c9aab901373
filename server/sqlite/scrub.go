package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"ltm/server"
	"ltm/server/sqlstore"
)

// inMemory is the most bytes of a file that is rewritten through memory. A larger one goes by
// way of a temporary file.
const inMemory = 256 << 20

// scrub rewrites a file without what was deleted, if anything was since it did so last. SQLite overwrites what it
// deletes, but where it moved rows between pages before, it may have left copies in the gaps of pages, and the journal
// has older pages. Reading goes on meanwhile, and changes wait, so with patience it waits for a pause between them.
//
// That something was deleted is noted in the file with the change that did it, and stays noted until the file and the
// journal are without it: who is killed before, leaves it to the next one.
func scrub(ctx context.Context, path string, o Options, k *keeper) error {
	db, err := scrubbing(path, o)
	if err != nil {
		return err
	}
	var state int64
	err = db.QueryRowContext(ctx, "SELECT state FROM removals").Scan(&state)
	if err == nil && state != 0 {
		err = k.calm.giveWay(ctx, o.Patience, o.Quiet, func(hasty context.Context) error {
			k.moving.Lock()
			defer k.moving.Unlock()
			return scrubRemoved(ctx, hasty, db, o)
		})
	}
	if err := errors.Join(busy(ctx, err), db.Close()); err != nil {
		return fmt.Errorf("the file may still have the bytes of what was removed: %w", err)
	}
	return nil
}

// scrubRemoved does so by a connection. Text removed meanwhile is noted again, so it removes the note only if the
// number of this rewriting is in it. When hasty ends before the file is written, nothing has happened.
func scrubRemoved(ctx, hasty context.Context, db *sql.DB, o Options) error {
	const next = "UPDATE removals SET state = 2 + (random() & 0xffffffffffff) RETURNING state"
	var number int64
	err := db.QueryRowContext(ctx, next).Scan(&number)
	if err == nil {
		_, err = db.ExecContext(hasty, "VACUUM")
	}
	if err == nil {
		err = emptyJournal(ctx, db, o.BusyTimeout)
	}
	if err == nil {
		_, err = db.ExecContext(ctx, "UPDATE removals SET state = 0 WHERE state = ?1", number)
	}
	return err
}

// busy says of an error that another process kept the file, if that is what it means.
func busy(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || classify(err) != sqlstore.Busy {
		return err
	}
	return fmt.Errorf("%w: %w", server.ErrBusy, err)
}

// scrubbing returns a connection that rewrites a file.
func scrubbing(path string, o Options) (*sql.DB, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	temporary := "temp_store(memory)"
	if info.Size() > inMemory {
		temporary = "temp_store(file)"
	}
	db, err := connect(path, o, temporary)
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// emptyJournal moves what the journal has into the file and empties it. Most of it is moved while changes go on. What
// reads the journal, or moves it, keeps it from the rest, so it tries again for some time: each time shortly, because
// changes wait meanwhile.
func emptyJournal(ctx context.Context, db *sql.DB, patience time.Duration) error {
	if err := waiting(ctx, db, lookAfter); err != nil {
		return err
	}
	var busy, pages, moved int
	err := db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &pages, &moved)
	for began := time.Now(); err == nil; {
		err = db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
		if err != nil || busy == 0 {
			break
		}
		if time.Since(began) >= patience {
			err = fmt.Errorf("%w: the journal is being read", server.ErrBusy)
			break
		}
		err = sqlstore.Pause(ctx, lookAfter)
	}
	return errors.Join(err, waiting(ctx, db, patience))
}

// waiting sets how long a connection waits for another.
func waiting(ctx context.Context, db *sql.DB, most time.Duration) error {
	_, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout = %d", most.Milliseconds()))
	return err
}
