package scan

import (
	"context"
	"os"
	"sync/atomic"
	"time"
)

// Dir is what a process knows of one directory. With a watch the kernel names every
// change since the last look; without one each look compares stamps. A Dir must not be
// used by two goroutines at once.
type Dir struct {
	name     string // of the cache file
	state    *folderState
	snapshot *Snapshot
	watch    *watch // nil: not watched
	cache    scanCache
	reads    atomic.Uint64
}

// Open returns a Dir with what other processes left in the cache file of that name.
// caches is the directory of the caches, or nil if it does not exist yet.
func Open(cache string, caches *os.Root) *Dir {
	d := &Dir{name: cache, cache: loadCache(caches, cache)}
	d.state = d.cache.state
	return d
}

// Look is how to look at a directory.
type Look struct {
	Root  *os.Root
	Quick bool // believe stable files without looking at them, so that edits in place can be missed
	Watch bool // ask the kernel which files change, where it reports all of them; then Context does not count
	Now   time.Time

	Context context.Context // ends the look; nil: never

	// Caches opens the directory of the caches, or returns nil if it does not exist. With
	// make, it makes a missing one.
	Caches func(make bool) *os.Root
}

// Snapshot looks at the directory, reading the files that changed since this process,
// or another one, last did. temps are the temporary files there, by name. If the context ends first, the error is that
// of the context; the next look, of any process, goes on from what was read.
func (d *Dir) Snapshot(l Look) (snapshot *Snapshot, temps []string, err error) {
	state, err := d.newState(l)
	if err != nil && state != nil {
		d.state, d.snapshot = state, nil
		d.cache.save(l.Caches, d.name, state)
	}
	if err != nil {
		return nil, nil, err
	}
	if d.snapshot == nil || len(state.files) != len(d.state.files) || !sameFiles(state.files, d.state.files) {
		d.snapshot = state.snapshot()
	}
	d.state = state
	if d.worthSaving() {
		d.cache.save(l.Caches, d.name, d.state)
	}
	return d.snapshot, d.state.temps, nil
}

// Watched reports whether the kernel names the files that change, so that the time of a
// look does not depend on how many there are.
func (d *Dir) Watched() bool { return d.watch != nil }

// sameFiles reports whether two lists have the same elements, not equal ones.
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

func (d *Dir) newState(l Look) (*folderState, error) {
	c := scanner{root: l.Root, now: l.Now.UnixNano(), reads: &d.reads, ctx: context.Background()}
	if !l.Watch {
		if l.Context != nil {
			c.ctx = l.Context
		}
		return c.scan(d.state, l.Quick)
	}
	info, err := l.Root.Lstat(".") // before the watch is asked: a change in between is looked at once more
	if err != nil {
		return nil, err
	}
	if !d.watch.watches(info) {
		d.watch.close()
		d.watch = newWatch(l.Root)                        // before the scan, so that no change falls in between
		return c.scan(d.state, l.Quick && d.watch == nil) // the watch does not know of edits before it
	}
	switch names, complete := d.watch.changes(); {
	case !complete || d.state == nil || len(d.state.files) >= MaxFiles:
		return c.scan(d.state, false)
	case len(names) > 0 || d.state.ripens(c.now):
		return c.update(d.state, stampOf(info), names)
	}
	return d.state, nil
}

// ripens reports whether files, or the directory, would be stable by now if they have
// not changed.
func (f *folderState) ripens(now int64) bool {
	return (f.young || !f.stamp.stable(f.seen)) && now-f.seen > int64(stableAfterCoarse)
}

// worthSaving reports whether to write the cache. A process that watches waits until
// all files are stable: others would have to look at the rest again.
func (d *Dir) worthSaving() bool {
	if d.state == d.cache.state {
		return false
	}
	return d.watch == nil || d.cache.state == nil || !d.state.young && d.state.stamp.stable(d.state.seen)
}
