package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"ltm/memory"
)

const (
	lockFile = ".lock"

	// lockPoll is how often a waiting process tries again: a change holds the
	// lock for a few milliseconds.
	lockPoll = 2 * time.Millisecond
)

// lock takes the store's lock, waiting at most wait. The file is opened through
// the root first, so that a symbolic link in its place is refused.
func (s *Store) lock(ctx context.Context, root *os.Root, wait time.Duration) (unlock func(), err error) {
	f, err := root.OpenFile(lockFile, os.O_RDWR|os.O_CREATE, filePerm)
	if err != nil {
		return nil, storageError(err, "open", lockFile)
	}
	f.Close()
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	l := flock.New(filepath.Join(s.dir, lockFile), flock.SetPermissions(filePerm))
	ok, err := l.TryLockContext(ctx, lockPoll)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || (err == nil && !ok) {
		return nil, memory.Errorf(memory.CodeBusy, "nothing was changed; try again",
			"another process has held the lock of the store for more than %s", wait)
	}
	if err != nil {
		return nil, storageError(err, "lock", lockFile)
	}
	return func() { _ = l.Close() }, nil
}
