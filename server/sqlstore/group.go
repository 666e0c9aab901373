package sqlstore

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
)

// group lets changes that wait at the same moment share a transaction, so that they wait for the disk together. It
// is for a database with one writer, whose changes run one after another in any case. Each runs within a savepoint:
// one that fails takes back its own alone. Callers are answered once the transaction is on disk, and if it
// fails, each change is run again by itself.
type group struct {
	mu      sync.Mutex
	waiting []*waiter
	running bool
}

// waiter is a change that waits for its turn.
type waiter struct {
	taken bool       // into a transaction; the group's lock guards it
	turn  chan turn  // when it may run
	ran   chan error // what it returned
	ended chan bool  // whether the transaction that it shared is on the disk; if not, nothing has happened
}

// turn is a transaction for a change, or why it could not begin. Without either, the change has one of its own.
type turn struct {
	shared *tx
	err    error
}

// errAbandoned is returned for a change that ended by a panic, or by the end of its goroutine.
var errAbandoned = errors.New("the change did not return")

// together is how many changes share a transaction at most: they have the file for about as many times 100
// microseconds.
const together = 64

// transact runs a change in a transaction, which others may share.
func (s *Store) transact(ctx context.Context, change func(*tx) error) error {
	if s.d.Several {
		return s.inside(ctx, s.w, nil, change)
	}
	w := &waiter{turn: make(chan turn), ran: make(chan error), ended: make(chan bool, 1)}
	s.group.mu.Lock()
	s.group.waiting = append(s.group.waiting, w)
	if !s.group.running {
		s.group.running = true
		go s.lead()
	}
	s.group.mu.Unlock()
	var t turn
	select {
	case t = <-w.turn:
	case <-ctx.Done():
		if s.group.leave(w) {
			return ctx.Err()
		}
		t = <-w.turn
	}
	switch {
	case t.err != nil:
		return t.err
	case t.shared == nil:
		return w.run(func() error { return s.inside(ctx, s.w, nil, change) })
	}
	err := w.run(func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return change(t.shared)
	})
	if !<-w.ended {
		return s.inside(ctx, s.w, nil, change)
	}
	return err
}

// leave reports whether a change was taken out of the queue.
func (g *group) leave(w *waiter) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if w.taken {
		return false
	}
	g.waiting = slices.DeleteFunc(g.waiting, func(other *waiter) bool { return other == w })
	return true
}

// run runs a change in the goroutine that wants it, and tells the leader how it ended, whatever that is.
func (w *waiter) run(change func() error) (err error) {
	err = errAbandoned
	defer func() { w.ran <- err }()
	err = change()
	return err
}

// gather waits as long as others come at once: who was just answered often has a next change. Without it, the first of
// them would have a transaction alone, and all others would wait for two.
func (g *group) gather() {
	for before := -1; ; {
		g.mu.Lock()
		n := len(g.waiting)
		g.mu.Unlock()
		if n == before {
			return
		}
		before = n
		runtime.Gosched()
	}
}

// lead runs what waits, until nothing does.
func (s *Store) lead() {
	for {
		s.group.gather()
		s.group.mu.Lock()
		n := min(len(s.group.waiting), together)
		batch := slices.Clone(s.group.waiting[:n])
		s.group.waiting = s.group.waiting[n:]
		for _, w := range batch {
			w.taken = true
		}
		s.group.running = n > 0
		s.group.mu.Unlock()
		if n > 0 && s.d.Changing != nil {
			s.d.Changing()
		}
		switch n {
		case 0:
			return
		case 1:
			batch[0].turn <- turn{}
			<-batch[0].ran
		default:
			s.together(batch)
		}
		if s.d.Written != nil {
			s.d.Written()
		}
	}
}

// together runs several changes in one transaction.
func (s *Store) together(batch []*waiter) {
	// Not a context of theirs: what ends one of them must not end the others. Nor one with an end, which a driver may
	// have to watch during each statement.
	ctx := context.Background()
	inner, err := s.w.BeginTx(ctx, nil)
	if err != nil {
		for _, w := range batch {
			w.turn <- turn{err: err}
		}
		return
	}
	t := &tx{ctx: ctx, s: s, tx: inner, db: s.w}
	n := 0
	for ; n < len(batch) && err == nil; n++ {
		err = shared(t, batch[n])
	}
	if err == nil {
		err = inner.Commit()
	} else {
		_ = inner.Rollback()
	}
	for _, w := range batch[:n] {
		w.ended <- err == nil
	}
	t.prepare()
	for _, w := range batch[n:] { // the transaction broke before it was their turn
		w.turn <- turn{}
		<-w.ran
	}
}

// shared runs one of several changes of a transaction. It returns an error if the transaction is not whole any more:
// then what the change did is undone with it.
func shared(t *tx, w *waiter) error {
	if _, err := t.exec("SAVEPOINT change"); err != nil {
		w.turn <- turn{err: err}
		return err
	}
	w.turn <- turn{shared: t}
	if <-w.ran != nil {
		if _, err := t.exec("ROLLBACK TO change"); err != nil {
			return err
		}
	}
	_, err := t.exec("RELEASE change")
	return err
}
