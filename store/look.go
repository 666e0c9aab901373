package store

import (
	"errors"
	"io/fs"
	"os"
	"sync/atomic"
	"time"
)

// folderMemo is what a process knows of one directory: its newest known state and
// that in order. What makes it stale is a change of the directory or of a file in it:
// with a watch the kernel names each, without one every look compares the stamps.
type folderMemo struct {
	state    *folderState
	snapshot *Snapshot
	watch    *watch // nil: not watched
	cache    scanCache
	reads    atomic.Uint64
}

// look brings the memo up to date with the directory.
func (m *folderMemo) look(dir *os.Root, watching, quick bool, now time.Time) error {
	state, err := m.newState(dir, watching, quick, now)
	if err != nil {
		return err
	}
	if m.snapshot == nil || len(state.files) != len(m.state.files) || !sameFiles(state.files, m.state.files) {
		m.snapshot = state.snapshot()
	}
	m.state = state
	return nil
}

// sameFiles reports whether two lists are the same, and not only alike.
func sameFiles(a, b []*fileState) bool {
	if len(a) == 0 || &a[0] == &b[0] {
		return true
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (m *folderMemo) newState(dir *os.Root, watching, quick bool, now time.Time) (*folderState, error) {
	c := scanner{root: dir, now: now.UnixNano(), reads: &m.reads}
	if !watching {
		return c.scan(m.state, quick)
	}
	info, err := dir.Lstat(".") // before the watch is asked: what comes in between is looked at once more
	if err != nil {
		return nil, err
	}
	if !m.watch.watches(info) {
		m.watch.close()
		m.watch = newWatch(dir)                         // before the scan, so that nothing falls in between
		return c.scan(m.state, quick && m.watch == nil) // nothing tells what was edited before
	}
	switch names, complete := m.watch.changes(); {
	case !complete || m.state == nil || len(m.state.files) >= MaxFiles:
		return c.scan(m.state, false)
	case len(names) > 0 || m.state.ripens(c.now):
		return c.update(m.state, stampOf(info), names)
	}
	return m.state, nil
}

// ripens reports whether files, or the directory, would be settled by now if nothing
// has changed.
func (f *folderState) ripens(now int64) bool {
	return (f.young || !f.stamp.settled(f.seen)) && now-f.seen > int64(settleCoarse)
}

// snapshot looks at a directory of memory files, reading what changed since the
// process, or another one, last did. A full look serves for a quick one.
func (v *View) snapshot(folder string, quick bool) (*Snapshot, error) {
	for _, l := range []look{{folder, false}, {folder, quick}} {
		if known := v.looked[l]; known != nil {
			return known, nil
		}
	}
	snapshot, temps, err := v.lookAt(folder, quick)
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

// lookAt brings what the process knows of a directory up to date, and returns it with
// the temporary files there. Cold processes begin with what the cache file holds.
func (v *View) lookAt(folder string, quick bool) (snapshot *Snapshot, temps []string, err error) {
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
	memo := s.folders[folder]
	if memo == nil {
		memo = &folderMemo{cache: loadCache(v.cacheRoot(false), folder)}
		memo.state = memo.cache.state
		s.folders[folder] = memo
	}
	if err := memo.look(dir, s.watching, quick, s.now()); err != nil {
		return nil, nil, storageError(err, "read", folder)
	}
	if memo.worthSaving() {
		memo.cache.save(v, folder, memo.state)
	}
	return memo.snapshot, memo.state.temps, nil
}

// Watched reports whether the system tells which memories change, so that a look at
// them takes the same time however many there are.
func (v *View) Watched() bool {
	s := v.store
	s.mu.Lock()
	defer s.mu.Unlock()
	memo := s.folders[memoriesDir]
	return memo != nil && memo.watch != nil
}

// worthSaving reports whether other processes are to be left what this one knows. One
// that watches waits until it is settled: until then it would have to be looked at
// again all the same.
func (m *folderMemo) worthSaving() bool {
	if m.state == m.cache.state {
		return false
	}
	return m.watch == nil || m.cache.state == nil || !m.state.young && m.state.stamp.settled(m.state.seen)
}

// forget drops what is known of a directory that this process is changing.
func (v *View) forget(folder string) {
	delete(v.looked, look{folder, false})
	delete(v.looked, look{folder, true})
}
