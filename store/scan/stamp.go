package scan

import (
	"sync/atomic"
	"time"
)

// Stamp is the size and time of a file, by which a later look knows whether it changed.
type Stamp struct {
	Size    int64
	ModTime int64 // nanoseconds since 1970
}

// Time returns when the file was last written, to the second.
func (s Stamp) Time() time.Time { return time.Unix(0, s.ModTime).UTC().Truncate(time.Second) }

// A file that is written twice within one tick of the file system's clock keeps its
// stamp. So a file that was read within stableAfter of its own time is read again.
// File systems that keep whole seconds need longer.
const (
	stableAfter       = 50 * time.Millisecond
	stableAfterCoarse = 2500 * time.Millisecond
)

// stable reports whether a file with this stamp, seen at that time, cannot change any more without
// a change of the stamp.
func (s Stamp) stable(seen int64) bool {
	wait := stableAfter
	if s.ModTime%int64(time.Second) == 0 {
		wait = stableAfterCoarse
	}
	return s.ModTime+int64(wait) < seen
}

// changeTime is when anything about a file last changed, in nanoseconds since 1970, as this process first saw it. Only
// the system sets that time, so it tells what a program hides that sets the time of a stamp. 0 means that it was not
// asked for, or that the system does not say (Windows).
type changeTime struct{ first atomic.Int64 }

// is notes the first time, and reports whether a later one is the same.
func (c *changeTime) is(now int64) bool {
	return c.first.CompareAndSwap(0, now) || c.first.Load() == now
}
