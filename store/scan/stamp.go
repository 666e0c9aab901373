package scan

import (
	"sync/atomic"
	"time"

	"ltm/internal/fs/regular"
)

// Stamp is the size and time of a file, by which a later look knows whether it changed.
type Stamp struct {
	Size    int64
	ModTime int64 // nanoseconds since 1970
}

// Time returns when the file was last written, to the second.
func (s Stamp) Time() time.Time { return time.Unix(0, s.ModTime).UTC().Truncate(time.Second) }

// stable reports whether a file with this stamp, seen at that time, cannot change any more without
// a change of the stamp. Otherwise it is read again.
func (s Stamp) stable(seen int64) bool { return regular.Settled(s.ModTime, seen) }

// changeTime is when anything about a file last changed, in nanoseconds since 1970, as this process first saw it. Only
// the system sets that time, so it tells what a program hides that sets the time of a stamp. 0 means that it was not
// asked for, or that the system does not say (Windows).
type changeTime struct{ first atomic.Int64 }

// is notes the first time, and reports whether a later one is the same.
func (c *changeTime) is(now int64) bool {
	return c.first.CompareAndSwap(0, now) || c.first.Load() == now
}
