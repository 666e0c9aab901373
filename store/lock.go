package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"ltm/memory"
)

const lockFile = ".lock"

// lock takes the store's lock, waiting at most wait; where work trees have their
// counters in common, the lock of these as well.
//
// Within a process one call after the other waits, so that a lock which is held
// for ever costs one thread, however many calls give up.
func (s *Store) lock(ctx context.Context, v *View, wait time.Duration) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	busy := memory.Errorf(memory.CodeBusy, "nothing was changed; try again",
		"another process has held the lock of the store for more than %s", wait)
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, busy
	}
	places := []lockPlace{{v.root, s.dir}}
	if v.shared {
		places = append(places, lockPlace{v.volatile, v.volatileDir})
	}
	var held []*flock.Flock
	release := func() {
		for _, l := range slices.Backward(held) {
			_ = l.Close()
		}
	}
	for _, place := range places {
		l, gone, err := acquire(ctx, place)
		switch {
		case gone != nil:
			release()
			go func() {
				<-gone
				<-s.turn
			}()
			return nil, busy
		case err != nil:
			release()
			<-s.turn
			return nil, storageError(err, "lock", lockFile)
		}
		held = append(held, l)
	}
	return func() {
		release()
		<-s.turn
	}, nil
}

// lockPlace is a folder with a lock, and its path.
type lockPlace struct {
	root *os.Root
	dir  string
}

// acquire takes the lock of one folder. When ctx ends first, the lock is let go
// as soon as it comes, and gone is closed.
//
// Who has to wait does so in the system's queue, which is about first come, first
// served: of processes that ask again and again, some starve.
func acquire(ctx context.Context, p lockPlace) (got *flock.Flock, gone <-chan struct{}, err error) {
	if _, err := regular(p.root, lockFile); err != nil {
		return nil, nil, err
	}
	// Through the root first, so that what comes in its place meanwhile is no link.
	f, err := p.root.OpenFile(lockFile, os.O_RDWR|os.O_CREATE, filePerm)
	if err != nil {
		return nil, nil, err
	}
	f.Close()
	l := flock.New(filepath.Join(p.dir, lockFile), flock.SetPermissions(filePerm))
	if ok, err := l.TryLock(); ok || err != nil {
		return l, nil, err
	}
	done := make(chan error, 1)
	go func() { done <- lockInQueue(l) }()
	select {
	case err := <-done:
		return l, nil, err
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

// lockInQueue waits until it has the lock, through signals.
func lockInQueue(l *flock.Flock) error {
	for {
		if err := l.Lock(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
