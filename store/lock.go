package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"ltm/internal/regular"
	"ltm/memory"
)

const lockFile = "lock"

// lock takes the clone's lock, waiting at most wait. All work trees of a clone have
// one, because they share their counters.
//
// Within a process one call after the other waits, so that a lock which is held
// forever costs one thread, however many calls give up.
func (s *Store) lock(ctx context.Context, clone *os.Root, wait time.Duration) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	busy := memory.NewError(memory.CodeBusy, memory.KindLockHeld, s.places.Store,
		"another process has held the lock of the store for more than %s", wait)
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, busy
	}
	l, gone, err := acquire(ctx, clone, s.places.Clone)
	switch {
	case gone != nil:
		go func() {
			<-gone
			<-s.turn
		}()
		return nil, busy
	case err != nil:
		<-s.turn
		return nil, storageError(err, "lock", filepath.Join(s.places.Clone, lockFile))
	}
	return func() {
		_ = l.Close()
		<-s.turn
	}, nil
}

// acquire takes the lock of a directory. When ctx ends first, the lock is released
// as soon as it comes, and gone is closed.
//
// Waiters queue in the kernel, which is about first come, first served: of
// processes that ask again and again, some starve.
func acquire(ctx context.Context, root *os.Root, dir string) (got *flock.Flock, gone <-chan struct{}, err error) {
	if _, err := regular.Info(root, lockFile); err != nil {
		return nil, nil, err
	}
	// It is made through the root, which follows no link out of the directory, and
	// then opened by its path without being made.
	f, err := root.OpenFile(lockFile, os.O_RDWR|os.O_CREATE, filePerm)
	if err != nil {
		return nil, nil, err
	}
	f.Close()
	l := flock.New(filepath.Join(dir, lockFile), flock.SetFlag(os.O_RDWR))
	if ok, err := l.TryLock(); ok || err != nil {
		return checked(l, root, err)
	}
	done := make(chan error, 1)
	go func() { done <- lockInQueue(l) }()
	select {
	case err := <-done:
		return checked(l, root, err)
	case <-ctx.Done():
	}
	late := make(chan struct{})
	go func() {
		<-done
		_ = l.Close()
		close(late)
	}()
	return nil, late, nil
}

// checked makes sure that the file that was locked is the one in the directory,
// not one that a link which was put in its place for a moment leads to.
func checked(l *flock.Flock, root *os.Root, err error) (*flock.Flock, <-chan struct{}, error) {
	if err != nil {
		return nil, nil, err
	}
	locked, err := l.Stat()
	if err == nil {
		var there os.FileInfo
		if there, err = root.Lstat(lockFile); err == nil && !os.SameFile(locked, there) {
			err = regular.ErrKind
		}
	}
	if err != nil {
		_ = l.Close()
		return nil, nil, err
	}
	return l, nil, nil
}

// lockInQueue waits until it has the lock, through signals.
func lockInQueue(l *flock.Flock) error {
	for {
		if err := l.Lock(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
