package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	sqlite "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"ltm/server/sqlstore"
)

// Options are the choices in opening a file.
type Options struct {
	// BusyTimeout is how long a change waits for another process; 5 seconds if zero.
	BusyTimeout time.Duration

	// Limit is the most time that one operation takes; 20 seconds if zero.
	Limit time.Duration

	// Readers is how many connections read at once; twice the number of processors if zero.
	Readers int

	// MustExist refuses to make a new file.
	MustExist bool

	// Server keeps the file for this process as its only server. Commands may still open it. [ErrServed].
	Server bool

	// Patience is for how long a purge that must rewrite the file waits for a time of at least Quiet (5 seconds if
	// zero) in which this process changes nothing; a change that comes before the file is half written stops it, and it
	// tries again later. After that, or if it is zero, changes wait.
	Patience, Quiet time.Duration
}

// applicationID is in the header of each of our files: "ltms".
const applicationID = 0x6c746d73

// ErrForeign is returned for a file that another program made.
var ErrForeign = errors.New("not a database of ltm-server")

// Open opens a file, which is made if it is missing, and brings it to the newest version.
// [server.ErrNewer], [ErrForeign], [ErrServed], [fs.ErrNotExist] with MustExist.
func Open(ctx context.Context, path string, o Options) (*sqlstore.Store, error) {
	store, _, err := open(ctx, path, o)
	return store, err
}

// open is Open, and returns the keeper of the file, too.
func open(ctx context.Context, path string, o Options) (*sqlstore.Store, *keeper, error) {
	defaults(&o)
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, nil, err
	}
	if err := place(path, o.MustExist); err != nil {
		return nil, nil, err
	}
	if err := whole(path); err != nil {
		return nil, nil, fmt.Errorf("database %s: %w", path, err)
	}
	release := func() error { return nil }
	if o.Server {
		if release, err = claim(path); err != nil {
			return nil, nil, fmt.Errorf("database %s: %w", path, err)
		}
	}
	store, k, err := openClaimed(ctx, path, o, release)
	if err != nil {
		return nil, nil, errors.Join(err, release())
	}
	return store, k, nil
}

// openClaimed is open for a file that no other server has. Closing the store releases it.
func openClaimed(ctx context.Context, path string, o Options, release func() error) (*sqlstore.Store, *keeper, error) {
	var newest int64
	check, err := unmoved(path)
	if err == nil {
		newest, err = prepare(ctx, path, o)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("database %s: %w", path, err)
	}
	w, err := connect(path, o, "journal_mode(wal)", "journal_size_limit(67108864)", "cache_size(-16384)")
	if err != nil {
		return nil, nil, err
	}
	w.SetMaxOpenConns(1)
	r, err := connect(path, o, "query_only(1)", "cache_size(-16384)")
	if err != nil {
		return nil, nil, errors.Join(err, w.Close())
	}
	r.SetMaxOpenConns(o.Readers)
	r.SetMaxIdleConns(o.Readers)
	hasty := o // a context does not end SQLite's wait for another process
	hasty.BusyTimeout = min(o.BusyTimeout, hurriedTime)
	hurried, err := connect(path, hasty)
	if err != nil {
		return nil, nil, errors.Join(err, w.Close(), r.Close())
	}
	hurried.SetMaxOpenConns(1)
	k, err := newKeeper(path, o, w)
	if err != nil {
		return nil, nil, errors.Join(err, w.Close(), r.Close(), hurried.Close())
	}
	d := dialect(path, r, o, k)
	d.Version, d.Hurried, d.Unmoved, d.Closed = newest, hurried, check, release
	d.Room = func() error { return room(path) }
	d.Free = func() (uint64, error) { return free(filepath.Dir(path)) }
	store := sqlstore.New(w, r, d)
	if err := store.Ping(ctx); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("database %s: %w", path, err), store.Close())
	}
	return store, k, nil
}

// hurriedTime is how long a change waits for others that can be left out.
const hurriedTime = 100 * time.Millisecond

// defaults fills in what is not given.
func defaults(o *Options) {
	o.BusyTimeout = cmp.Or(o.BusyTimeout, 5*time.Second)
	o.Limit = cmp.Or(o.Limit, 20*time.Second)
	o.Readers = cmp.Or(o.Readers, 2*runtime.GOMAXPROCS(0))
	o.Quiet = cmp.Or(o.Quiet, 5*time.Second)
}

// place creates the directory and the file with modes for their owner alone. SQLite gives the same mode to
// the files that it puts beside it.
func place(path string, mustExist bool) error {
	flags := os.O_RDWR
	if !mustExist {
		flags |= os.O_CREATE
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// header is the size of what a file of SQLite begins with.
const header = 100

// whole refuses what is too short for a database: SQLite takes it for an empty one.
func whole(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.Size() > 0 && info.Size() < header {
		err = ErrForeign
	}
	return err
}

// protect takes a file from others than its owner.
func protect(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows" {
		return err
	}
	return os.Chmod(path, 0o600)
}

// connect returns connections to a file, none of which is open yet. A pragma takes the place of one of the same name:
// the driver sorts them, and the last one would count.
func connect(path string, o Options, pragmas ...string) (*sql.DB, error) {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive of Windows
	}
	q := url.Values{"_txlock": {"immediate"}, "_dqs": {"0"}, "_defensive": {"1"}, "_error_rc": {"1"}}
	usual := []string{
		fmt.Sprintf("busy_timeout(%d)", o.BusyTimeout.Milliseconds()), "synchronous(full)", "foreign_keys(1)",
		"secure_delete(1)", "trusted_schema(0)", "temp_store(memory)", fmt.Sprintf("wal_autocheckpoint(%d)", autoMove),
	}
	q["_pragma"] = append(slices.DeleteFunc(usual, func(u string) bool {
		return slices.ContainsFunc(pragmas, func(p string) bool { return pragmaName(p) == pragmaName(u) })
	}), pragmas...)
	u := url.URL{Scheme: "file", Path: slashed, RawQuery: q.Encode()}
	c, err := sqlite.NewConnector(u.String())
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(patient{c, o.BusyTimeout}), nil
}

// patient opens connections. A new file is switched to a journal of new pages by the first connection for changes, and
// SQLite does not wait for another process that does so at the same time or changes the file: it holds a lock already.
type patient struct {
	driver.Connector
	most time.Duration
}

// Connect implements driver.Connector.
func (p patient) Connect(ctx context.Context) (driver.Conn, error) {
	until := time.Now().Add(p.most)
	for {
		conn, err := p.Connector.Connect(ctx)
		if err == nil || classify(err) != sqlstore.Busy || !time.Now().Before(until) ||
			sqlstore.Pause(ctx, 5*time.Millisecond) != nil {
			return conn, err
		}
	}
}

// fillingCache is how much memory a restore may have for pages, in kibibytes, and once more for sorting.
const fillingCache = 128 << 10

// fillingConnection returns the connection of a restore. Data that does not fit into memory is sorted in temporary
// files.
//
// A new file has a journal of the pages that it had before, which are few, until its first change: what is added is
// written once, in its place, and what is killed is taken back. A file that was in use has a journal of new pages, so
// that all is written twice.
func fillingConnection(path string, o Options) (*sql.DB, error) {
	db, err := connect(path, o, fmt.Sprintf("cache_size(-%d)", fillingCache), "temp_store(file)")
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// pragmaName returns the name of a pragma with a value.
func pragmaName(pragma string) string {
	name, _, _ := strings.Cut(pragma, "(")
	return name
}

// dialect returns what is SQLite's own.
func dialect(path string, r *sql.DB, o Options, k *keeper) sqlstore.Dialect {
	return sqlstore.Dialect{
		Limit:     o.Limit,
		Classify:  classify,
		Changing:  k.calm.change,
		Written:   k.written,
		Closing:   k.close,
		VectorsBy: "the server",
		Filling:   func() (*sql.DB, error) { return fillingConnection(path, o) },
		Purged:    func(ctx context.Context) error { return scrub(ctx, path, o, k) },
		Check:     func(ctx context.Context) ([]string, error) { return integrity(ctx, r) },
	}
}

// classify tells what an error means.
func classify(err error) sqlstore.Fault {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return sqlstore.Broken
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return sqlstore.Busy
	case lib.SQLITE_FULL:
		return sqlstore.Full
	case lib.SQLITE_IOERR, lib.SQLITE_CANTOPEN, lib.SQLITE_READONLY:
		return sqlstore.Away
	case lib.SQLITE_CONSTRAINT:
		return sqlstore.Twice
	}
	return sqlstore.Broken
}

// integrity returns what SQLite finds wrong with a file.
func integrity(ctx context.Context, db *sql.DB) (faults []string, err error) {
	rows, err := db.QueryContext(ctx, "PRAGMA integrity_check")
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var fault string
		if err := rows.Scan(&fault); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
		if fault != "ok" {
			faults = append(faults, fault)
		}
	}
	return faults, errors.Join(rows.Err(), rows.Close())
}
