package scan

import (
	"io/fs"
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

func stampOf(info fs.FileInfo) Stamp {
	return Stamp{info.Size(), info.ModTime().UnixNano()}
}
