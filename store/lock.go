package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"ltm/memory"
)

const lockFile = ".lock"

// lock takes the store's lock, waiting at most wait. The file is opened through
// the root first, so that a symbolic link in its place is refused.
//
// Who has to wait does so in the system's queue, which is about first come, first
// served: processes that ask again and again can starve one of them. Within a
// process one call waits there for all, so that a lock which is held for ever
// costs one thread, however many calls give up.
func (s *Store) lock(ctx context.Context, root *os.Root, wait time.Duration) (unlock func(), err error) {
	f, err := root.OpenFile(lockFile, os.O_RDWR|os.O_CREATE, filePerm)
	if err != nil {
		return nil, storageError(err, "open", lockFile)
	}
	f.Close()
	busy := memory.Errorf(memory.CodeBusy, "nothing was changed; try again",
		"another process has held the lock of the store for more than %s", wait)
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, busy
	}
	l := flock.New(filepath.Join(s.dir, lockFile), flock.SetPermissions(filePerm))
	release := func() {
		_ = l.Close()
		<-s.turn
	}
	ok, err := l.TryLock()
	if err == nil && !ok {
		done := make(chan error, 1)
		go func() { done <- lockInQueue(l) }()
		select {
		case err = <-done:
		case <-ctx.Done():
			go func() { // it comes too late, and is let go at once
				<-done
				release()
			}()
			return nil, busy
		}
	}
	if err != nil {
		release()
		return nil, storageError(err, "lock", lockFile)
	}
	return release, nil
}

// lockInQueue waits until it has the lock, through signals.
func lockInQueue(l *flock.Flock) error {
	for {
		if err := l.Lock(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
