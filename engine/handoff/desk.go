// Package handoff keeps packets in a store: it writes and finds them, and produces the text from which a session
// continues one. It also drafts a packet from a session's record.
//
// A packet is never changed, only continued. The store's notes about it (branch, commit, checks) are in a file of their
// own, and the mark that its work is done is in another, so that merges need nothing but git. These files may come from
// anyone: unusable ones are listed, and do not hide the others.
package handoff

import (
	"context"
	"io"
	"time"

	"ltm/packet"
	"ltm/store"
)

// Repository reports what version control knows. No method fails: unknown values are empty.
type Repository interface {
	// Head returns the branch, the full id of its commit, and the repository as host/owner/repo.
	Head(ctx context.Context) (branch, commit, origin string)

	// Dirty returns up to most paths with changes that were not committed.
	Dirty(ctx context.Context, most int) []string

	// Differ returns how many of some files have changes that are not staged, and whether that is known.
	// It must be fast enough for a hook.
	Differ(ctx context.Context, paths []string) (n int, known bool)

	// Since returns how many commits there are from a commit to the present one, and the paths of up
	// to most files that differ between them. known is false if the commit is not there.
	Since(ctx context.Context, commit string, most int) (commits int, paths []string, known bool)

	// HasBranch reports whether there is a branch of this name, and whether that is known.
	HasBranch(ctx context.Context, name string) (has, known bool)

	// HasFile reports whether the work tree has a file of this path, and whether that is known.
	HasFile(ctx context.Context, path string) (has, known bool)
}

type Options struct {
	Store      *store.Store
	Repository Repository // nil: no version control
	Now        func() time.Time
	Random     io.Reader
	LockWait   time.Duration
	Author     string // the person's name; empty: unknown
	Project    string // the project's name

	Records Records  // nil: there are none, and nothing can be drafted
	Roots   []string // the absolute paths of the project, however it is spelled
}

// Desk carries out the use cases of packets on one store. Several goroutines may use it.
type Desk struct {
	o   Options
	ids *packet.IDs
}

func New(o Options) *Desk { return &Desk{o: o, ids: packet.NewIDs(o.Now, o.Random)} }

// update changes the store under its lock.
func (d *Desk) update(ctx context.Context, create bool, fn func(*store.Tx) error) error {
	return d.o.Store.Update(ctx, store.UpdateOptions{Wait: d.o.LockWait, Create: create}, fn)
}
