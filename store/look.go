package store

import (
	"context"
	"errors"
	"io/fs"

	"ltm/memory"
	"ltm/store/scan"
)

// The results of a look at a directory of memories.
type (
	// Snapshot is a directory of memory files at one moment.
	Snapshot = scan.Snapshot

	// Standing is what memories of the same priority are ordered by.
	Standing = scan.Standing

	// Record is what a Snapshot has of one memory.
	Record = scan.Record

	// Stamp is the size and time of a file.
	Stamp = scan.Stamp
)

// RefsSum returns the sum of hashes of a memory's id with each path that it refers to, 0 if there are none.
func RefsSum(m *memory.Memory) uint64 { return scan.RefsSum(m) }

// StandingOf returns the standing of a memory.
func StandingOf(m *memory.Memory) Standing { return scan.StandingOf(m) }

// MaxFiles is how many files of a directory are looked at.
const MaxFiles = scan.MaxFiles

// MaxLinks is how many links of the memories in a directory count.
const MaxLinks = scan.MaxLinks

// Crowded is the problem of a file that is not read, because others have long headers too.
const Crowded = scan.Crowded

// snapshot looks at a directory once per View. A full look also serves as a quick one.
func (v *View) snapshot(ctx context.Context, folder string, quick bool) (*Snapshot, error) {
	quick = quick && !v.store.Serving()
	for _, l := range []look{{folder, false}, {folder, quick}} {
		if known := v.looked[l]; known != nil {
			return known, nil
		}
	}
	snapshot, temps, err := v.lookAt(ctx, folder, quick)
	if err != nil {
		return nil, err
	}
	if v.looked == nil {
		v.looked, v.temps = map[look]*Snapshot{}, map[string][]string{}
	}
	v.temps[folder] = temps
	v.looked[look{folder, quick}] = snapshot
	return snapshot, nil
}

// lookAt returns a directory's snapshot and the temporary files in it. It reads only
// what changed since this process, or another one, last looked.
func (v *View) lookAt(ctx context.Context, folder string, quick bool) (snapshot *Snapshot, temps []string, err error) {
	if v.root == nil {
		return &Snapshot{}, nil, nil
	}
	dir, err := v.dir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return &Snapshot{}, nil, nil
	}
	if err != nil {
		return nil, nil, storageError(err, "open", folder)
	}
	s := v.store
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.folders[folder]
	if known == nil {
		known = scan.Open(folder+cacheExt, v.cacheRoot(false))
		s.folders[folder] = known
	}
	snapshot, temps, err = known.Snapshot(scan.Look{
		Root: dir, Quick: quick, Now: s.now(), Caches: v.cacheRoot, Context: ctx,
	})
	return snapshot, temps, storageError(err, "read", folder)
}
