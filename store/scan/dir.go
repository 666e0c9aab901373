package scan

import (
	"context"
	"os"
	"sync/atomic"
	"time"
)

// Dir is what a process knows about one directory. A Dir must not be used by two goroutines at once.
type Dir struct {
	name     string // of the cache file
	state    *folderState
	snapshot *Snapshot
	cached   *folderState // what the cache file has, as far as this process knows
	saved    time.Time    // when this process wrote it
	reads    atomic.Uint64
}

// saveAfter is how long a process that runs on leaves the cache as it wrote it. Another process reads what has changed
// since.
const saveAfter = time.Minute

// Open returns a Dir with what other processes left in the cache file of that name.
// caches is the directory of the caches, or nil if it does not exist yet.
func Open(cache string, caches *os.Root) *Dir {
	state := loadCache(caches, cache)
	return &Dir{name: cache, state: state, cached: state}
}

// Look is how to look at a directory.
type Look struct {
	Root  *os.Root
	Quick bool // believe stable files without looking at them, so that edits in place can be missed
	Now   time.Time

	Context context.Context // ends the look; nil: never

	// Caches opens the directory of the caches, or returns nil if it does not exist. With make, it makes a missing one.
	Caches func(make bool) *os.Root
}

// Snapshot looks at the directory, reading the files that changed since this process,
// or another one, last did. temps are the temporary files there, by name. If the context ends first, the error is that
// of the context; the next look, of any process, goes on from what was read.
func (d *Dir) Snapshot(l Look) (snapshot *Snapshot, temps []string, err error) {
	c := scanner{root: l.Root, now: l.Now.UnixNano(), reads: &d.reads, long: new(atomic.Int64), ctx: l.Context}
	if c.ctx == nil {
		c.ctx = context.Background()
	}
	state, err := c.scan(d.state, l.Quick)
	if err != nil && state != nil {
		d.state, d.snapshot, d.cached = state, nil, state
		save(l.Caches, d.name, state)
	}
	if err != nil {
		return nil, nil, err
	}
	if d.snapshot == nil || len(state.files) != len(d.state.files) || !sameFiles(state.files, d.state.files) {
		d.snapshot = state.snapshot()
	}
	d.state = state
	if state != d.cached && l.Now.Sub(d.saved) > saveAfter {
		d.cached, d.saved = state, l.Now
		save(l.Caches, d.name, state)
	}
	return d.snapshot, d.state.temps, nil
}

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
