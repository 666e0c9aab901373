package busyfile

import (
	"io/fs"
	"os"
	"time"
)

// Patience says how long, and how often, something is tried again.
type Patience struct {
	Total   time.Duration // all pauses together are no longer
	First   time.Duration // the first pause; each is twice as long as the one before
	Longest time.Duration // but none is longer
	Sleep   func(time.Duration)
}

// usual waits a second at most, which is less than people wait for a session.
// Most refusals pass within the first pauses.
func usual() Patience {
	return Patience{Total: time.Second, First: time.Millisecond, Longest: 50 * time.Millisecond, Sleep: time.Sleep}
}

// brief waits a quarter of a second at most: a reader has many files to read, and
// can report the one that it could not.
func brief() Patience {
	return Patience{Total: time.Second / 4, First: time.Millisecond, Longest: 25 * time.Millisecond, Sleep: time.Sleep}
}

// Try calls do until it succeeds, fails with an error that does not pass, or has
// been given its time. It returns what do returned last.
func (p Patience) Try(do func() error, passes func(error) bool) error {
	pause, left := p.First, p.Total
	for {
		err := do()
		if err == nil || !passes(err) || left <= 0 || pause <= 0 {
			return err
		}
		pause = min(pause, p.Longest, left)
		p.Sleep(pause)
		left -= pause
		pause *= 2
	}
}

// The errors of Windows that pass, by their numbers.
const (
	accessDenied     = 5 // also what a file says that is about to be gone
	sharingViolation = 32
	lockViolation    = 33
	deletePending    = 303
	userMappedFile   = 1224
)

// PassingCode says whether an error of Windows comes from another process that
// has the file open, and so may pass. A file that may never be written says
// accessDenied, too: that costs the time, once.
func PassingCode(code uint32) bool {
	switch code {
	case accessDenied, sharingViolation, lockViolation, deletePending, userMappedFile:
		return true
	}
	return false
}

// Passing reports whether a rename or a removal that failed may succeed when it is
// tried again.
func Passing(err error) bool { return PassingCode(codeOf(err)) }

// PassingOpen reports whether a file that could not be opened for reading may be
// opened when that is tried again. A file that this person may not read cannot:
// there may be many of them, and each would cost the time.
func PassingOpen(err error) bool {
	code := codeOf(err)
	return code == sharingViolation || code == deletePending
}

// Open is [os.Root.Open] of a file that may be busy.
func Open(root *os.Root, name string) (f *os.File, err error) {
	err = brief().Try(func() error {
		f, err = root.Open(name)
		return err
	}, PassingOpen)
	return f, err
}

// Lstat is [os.Root.Lstat] of a file that may be busy: on Windows it opens the file.
func Lstat(root *os.Root, name string) (info fs.FileInfo, err error) {
	err = brief().Try(func() error {
		info, err = root.Lstat(name)
		return err
	}, PassingOpen)
	return info, err
}

// Rename is [os.Root.Rename] over a file that may be busy.
func Rename(root *os.Root, from, to string) error {
	return usual().Try(func() error { return root.Rename(from, to) }, Passing)
}

// Remove is [os.Root.Remove] of a file that may be busy.
func Remove(root *os.Root, name string) error {
	return usual().Try(func() error { return root.Remove(name) }, Passing)
}
