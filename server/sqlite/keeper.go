package sqlite

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"ltm/server/sqlstore"
)

const (
	// autoMove is how many pages the journal may have before a change itself moves them into the file, and waits for
	// it. The keeper does so earlier, while changes go on.
	autoMove = 16384

	moveAfter  = 2000                  // pages that the keeper moves at once
	beginAfter = 8192                  // pages after which changes wait for the last of them: the journal starts over
	lookAfter  = 20 * time.Millisecond // since a change
)

// keeper moves pages from the journal into the file while changes go on. SQLite would let a change do it, every 1,000
// pages, for which it and those behind it wait several times as long as for their own write.
//
// Pages can be moved at any time, but the journal starts over only when all have been: so when it has become long, the
// keeper moves the few that are left in the place of a change.
type keeper struct {
	w      *sql.DB // the connection of changes
	db     *sql.DB // its own
	wake   chan struct{}
	stop   context.CancelFunc
	ended  chan struct{}
	moving sync.Mutex // held while pages are moved
	calm   *calm
}

// newKeeper starts a keeper, which opens the file after the first change.
func newKeeper(path string, o Options, w *sql.DB) (*keeper, error) {
	db, err := connect(path, o)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	ctx, stop := context.WithCancel(context.Background())
	k := &keeper{w: w, db: db, wake: make(chan struct{}, 1), stop: stop, ended: make(chan struct{}),
		calm: &calm{last: time.Now()}}
	go k.work(ctx)
	return k, nil
}

// written tells the keeper of a change.
func (k *keeper) written() {
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// close ends the keeper, and waits for it.
func (k *keeper) close() error {
	k.stop()
	<-k.ended
	return k.db.Close()
}

// work moves pages until the context ends. Failed work is left to the next change.
func (k *keeper) work(ctx context.Context) {
	defer close(k.ended)
	for {
		select {
		case <-k.wake:
		case <-ctx.Done():
			return
		}
		if sqlstore.Pause(ctx, lookAfter) != nil {
			return
		}
		pages, left, err := k.checkpoint(ctx, k.db, "NOOP")
		if err == nil && left >= moveAfter {
			k.move(ctx, pages >= beginAfter)
		}
	}
}

// move moves the pages of the journal. With anew, the next change starts the journal over.
func (k *keeper) move(ctx context.Context, anew bool) {
	k.moving.Lock()
	defer k.moving.Unlock()
	_, _, err := k.checkpoint(ctx, k.db, "PASSIVE")
	if err == nil && anew {
		_, _, _ = k.checkpoint(ctx, k.w, "PASSIVE")
	}
}

// checkpoint returns how many pages the journal has, and how many of them are not in the file.
func (k *keeper) checkpoint(ctx context.Context, db *sql.DB, mode string) (pages, left int, err error) {
	var busy, moved int
	err = db.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &pages, &moved)
	return pages, pages - moved, err
}
