package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"ltm/internal/fs/regular"
	"ltm/memory"
)

const lockFile = "lock"

// lock takes the clone's lock, and waits for it at most as long as wait. The work trees
// of a clone share one lock, as they share their counters.
//
// In one process only one call at a time waits for the lock file, so that a lock that is
// never released costs one thread, however many calls give up.
func (s *Store) lock(ctx context.Context, clone *os.Root, wait time.Duration) (unlock func(), err error) {
	limit := limit{ctx: ctx, wait: wait}
	defer limit.end()
	busy := func() error {
		return memory.NewError(memory.CodeBusy, memory.KindLockHeld, s.places.Store,
			"another process has held the lock of the store for more than %s", wait)
	}
	select {
	case s.turn <- struct{}{}:
	default:
		select {
		case s.turn <- struct{}{}:
		case <-limit.done():
			return nil, busy()
		}
	}
	l, gone, err := acquire(&limit, clone, s.places.Clone)
	switch {
	case gone != nil:
		go func() {
			<-gone
			<-s.turn
		}()
		return nil, busy()
	case err != nil:
		<-s.turn
		return nil, storageError(err, "lock", filepath.Join(s.places.Clone, lockFile))
	}
	return func() {
		_ = l.Close()
		<-s.turn
	}, nil
}

// DropLock removes the lock file, and the clone's directory if nothing else is in it, unless another process has the
// lock. One that waits for it gets an error, and one that comes later makes the file again.
func (s *Store) DropLock(ctx context.Context) {
	if s.places.Local {
		return
	}
	clone, err := regular.OpenPath(s.places.Clone)
	if err != nil {
		return
	}
	defer clone.Close()
	if _, err := clone.Lstat(lockFile); err == nil {
		unlock, err := s.lock(ctx, clone, 0)
		if err != nil {
			return
		}
		gone := clone.Remove(lockFile)
		unlock()
		if gone != nil { // Windows removes no open file
			_ = clone.Remove(lockFile)
		}
	}
	_ = os.Remove(s.places.Clone)
}

// LockDirectory locks a directory itself, among those that call it, and leaves no file in it. It takes no lock where
// there is none for directories, as on Windows.
func LockDirectory(ctx context.Context, dir string, wait time.Duration) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	l := flock.New(dir, flock.SetFlag(os.O_RDONLY))
	_, err = l.TryLockContext(ctx, 10*time.Millisecond)
	if errors.Is(err, context.DeadlineExceeded) {
		_ = l.Close()
		return nil, memory.NewError(memory.CodeBusy, memory.KindLockHeld, dir,
			"another process has held the lock of %s for more than %s", dir, wait)
	}
	return func() { _ = l.Close() }, nil
}

// limit ends a wait. Its time begins with the first wait: most calls wait for nothing, and a timer takes a
// hook's process longer than the lock.
type limit struct {
	ctx    context.Context
	wait   time.Duration
	cancel context.CancelFunc // nil: nothing was waited for yet
}

func (l *limit) done() <-chan struct{} {
	if l.cancel == nil {
		l.ctx, l.cancel = context.WithTimeout(l.ctx, l.wait)
	}
	return l.ctx.Done()
}

func (l *limit) end() {
	if l.cancel != nil {
		l.cancel()
	}
}

// acquire takes the lock of a directory. If the limit ends first, it releases the lock as soon
// as it gets it, and then closes gone.
//
// Waiters queue in the kernel, which is about first come, first served. Processes that poll instead can starve.
func acquire(limit *limit, root *os.Root, dir string) (got *flock.Flock, gone <-chan struct{}, err error) {
	if _, err := regular.Info(root, lockFile); err != nil {
		return nil, nil, err
	}
	// The file is made through the root, which follows no link out of the directory, and
	// then opened by its path, which does not make it.
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
	case <-limit.done():
	}
	late := make(chan struct{})
	go func() {
		<-done
		_ = l.Close()
		close(late)
	}()
	return nil, late, nil
}

// checked returns the lock if the locked file is the one in the directory, and not one to
// which a link led that was in its place for a moment.
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

// lockInQueue waits for the lock, also when a signal interrupts the call.
func lockInQueue(l *flock.Flock) error {
	for {
		if err := l.Lock(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
