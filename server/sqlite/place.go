package sqlite

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

var (
	// ErrServed is returned for a file that another server has open.
	ErrServed = errors.New("another server uses it")

	// ErrLinked is returned to a server for a file with several names: SQLite would keep a journal for each of them.
	ErrLinked = errors.New("the file has several names (hard links), and changes by one are lost to the others: " +
		"leave it one name")

	// ErrMoved is the cause when a path no longer names the file that was opened.
	ErrMoved = errors.New("the file was moved away, removed or replaced while it was in use: put it back, or restart")
)

// claim keeps a file for one server until release is called. The lock on FILE.serving is the system's: it ends with
// the process, however that ends. [ErrServed] names the process that has it.
func claim(path string) (release func() error, err error) {
	// SQLite puts its journal beside what a link names, so two links to one file are one database
	path, err = filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	if n, err := names(path); err != nil || n > 1 {
		return nil, cmp.Or(err, ErrLinked)
	}
	lock := flock.New(path+".serving", flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDWR))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, err
	}
	if !locked {
		return nil, fmt.Errorf("%w: %s", ErrServed, holder(lock.Path()))
	}
	_ = os.WriteFile(lock.Path(), []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600) // only for what [holder] says
	return lock.Unlock, nil
}

// holder names the process that has a lock, as well as its file says it: on Windows, others cannot read that.
func holder(path string) string {
	data, err := os.ReadFile(path)
	pid := strings.TrimSpace(string(data))
	if err != nil || pid == "" {
		return "a process that has a lock on " + path
	}
	return "process " + pid
}

// largest is the size of the largest change that a request makes at once: a batch of events.
const largest = 16 << 20

// room reports by an error that the disk of a database has no room for the largest change. It writes as much into a
// file beside the database, and removes that. Where it may not create one, only changes can tell.
func room(path string) error {
	path, err := filepath.EvalSymlinks(path) // the journal, too, is beside what a link names
	if err != nil {
		return err
	}
	err = os.WriteFile(path+".room", make([]byte, largest), 0o600)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return errors.Join(err, os.Remove(path+".room"))
}

// unmoved returns a check that a path still names the file that it names now.
func unmoved(path string) (check func() error, err error) {
	opened, err := os.Stat(path)
	return func() error {
		now, err := os.Stat(path)
		switch {
		case err != nil:
			return fmt.Errorf("%w: %w", ErrMoved, err)
		case !os.SameFile(opened, now):
			return fmt.Errorf("%w: %s is another file", ErrMoved, path)
		}
		return nil
	}, err
}
