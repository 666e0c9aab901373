package store

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"ltm/memory"
	"ltm/store/scan"
)

// Store is a directory of memories and what one clone knows about them. A store that does
// not exist reads as empty; the first [Store.Update] with Create makes it. Several
// goroutines may use a Store, and other processes may change the files at any time.
type Store struct {
	places Places
	now    func() time.Time
	turn   chan struct{} // holds one value while a call has the lock, or waits for it

	serving   atomic.Bool
	readOnly  atomic.Bool
	keepNames func(path string) bool // nil: of every file

	mu      sync.Mutex // guards folders
	folders map[string]*scan.Dir
}

// New returns the store at these places, with now as its clock.
func New(places Places, now func() time.Time) *Store {
	return &Store{places: places, now: now, turn: make(chan struct{}, 1), folders: map[string]*scan.Dir{}}
}

// Serve is for processes that outlive their answers: every look is at every file, also where the time of
// a directory would do.
func (s *Store) Serve() { s.serving.Store(true) }

// KeepNames has only those files of packets stay, empty, when they are removed, of whose path in the store kept reports
// true. Without it, all do. It is called before the store is used.
func (s *Store) KeepNames(kept func(path string) bool) { s.keepNames = kept }

// ReadOnly has the store change no file at all, not even caches and what a killed process left half done, and read no
// caches. Every change is refused. It is for who may read the store of someone else.
func (s *Store) ReadOnly() { s.readOnly.Store(true) }

// Serving reports whether Serve was called.
func (s *Store) Serving() bool { return s.serving.Load() }

func (s *Store) Dir() string { return s.places.Store }

func (s *Store) Places() Places { return s.places }

// Exists reports whether the store's directory exists. If the user named it and it is empty, it does not count. If it
// contains other files, it does, so that its users get the error.
func (s *Store) Exists() bool {
	if !s.places.Named {
		return isDir(s.places.Store)
	}
	root, err := s.open()
	if err == nil {
		root.Close()
	}
	return !errors.Is(err, fs.ErrNotExist)
}

// View calls fn to read the store. fn must not keep the View. A store that does not exist reads as empty.
func (s *Store) View(fn func(*View) error) error {
	s.goOn()
	root, err := s.open()
	if errors.Is(err, fs.ErrNotExist) {
		return fn(&View{store: s})
	}
	if err != nil {
		return storageError(err, "open", s.places.Store)
	}
	v := &View{store: s, root: root}
	defer v.close()
	if v.clone, err = s.openClone(root); err != nil {
		return err
	}
	return fn(v)
}

// UpdateOptions says how [Store.Update] behaves.
type UpdateOptions struct {
	Wait   time.Duration // how long to wait for the lock
	Create bool          // make the store when it is missing; otherwise that is CodeNotFound
	Signer Signer        // signs what is written; may be nil

	// Made is called, under the lock, if memories or packets were changed, with the entry of that in the undo journal,
	// or nil if it cannot be undone. It may be nil.
	Made func(*memory.UndoEntry)

	// Foreign makes what is written count as from elsewhere, until it is approved.
	Foreign bool
}

// Update calls fn to change the store under its lock. A memory's file is on the disk when the call of the [Tx] that
// wrote it returns. Stats and state are written after fn returns nil.
func (s *Store) Update(ctx context.Context, o UpdateOptions, fn func(*Tx) error) error {
	v, err := s.openForChange(o.Create)
	if err != nil {
		return err
	}
	tx := &Tx{View: v, foreign: o.Foreign, signer: o.Signer}
	defer tx.close()
	unlock, err := s.lock(ctx, v.clone, o.Wait)
	if err != nil {
		return err
	}
	defer unlock()
	if err := tx.takeOver(); err != nil {
		return err
	}
	err = fn(tx)
	if err == nil {
		err = tx.commit()
	}
	if written, changed := tx.writeUndo(err); changed && o.Made != nil {
		o.Made(written)
	}
	tx.settleCopies()
	tx.writeLog() // what fn did stands, whatever became of the rest
	return err
}
