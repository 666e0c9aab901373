package busyfile

import (
	"io/fs"
	"os"
	"time"
)

// Patience is how long, and how often, a call is retried.
type Patience struct {
	Total   time.Duration // the limit for all pauses together
	First   time.Duration // the first pause; each is twice as long as the one before
	Longest time.Duration // the limit for one pause
	Sleep   func(time.Duration)
}

// usual waits at most a second, which is less than the start of a session takes.
// Most refusals end within the first pauses.
func usual() Patience {
	return Patience{Total: time.Second, First: time.Millisecond, Longest: 50 * time.Millisecond, Sleep: time.Sleep}
}

// brief waits at most a quarter of a second: a reader has many files to read, and
// can report one that it could not open.
func brief() Patience {
	return Patience{Total: time.Second / 4, First: time.Millisecond, Longest: 25 * time.Millisecond, Sleep: time.Sleep}
}

// Try calls do until it succeeds, fails with an error that passing does not accept,
// or the time is up. It returns the last result of do.
func (p Patience) Try(do func() error, passing func(error) bool) error {
	pause, left := p.First, p.Total
	for {
		err := do()
		if err == nil || !passing(err) || left <= 0 || pause <= 0 {
			return err
		}
		pause = min(pause, p.Longest, left)
		p.Sleep(pause)
		left -= pause
		pause *= 2
	}
}

// The numbers of the Windows errors that are worth a retry.
const (
	accessDenied     = 5 // also the answer for a file that is about to be removed
	sharingViolation = 32
	lockViolation    = 33
	deletePending    = 303
	userMappedFile   = 1224
)

// PassingCode reports whether a Windows error can mean that another process has the file open, so that a retry may
// succeed. A file that may never be written gives accessDenied too, which costs the whole time once.
func PassingCode(code uint32) bool {
	switch code {
	case accessDenied, sharingViolation, lockViolation, deletePending, userMappedFile:
		return true
	}
	return false
}

// Passing reports whether a rename or a removal that failed with err may succeed when it is retried.
func Passing(err error) bool { return PassingCode(codeOf(err)) }

// PassingOpen reports whether opening a file for reading, which failed with err, may
// succeed when it is retried. Access denied is not retried: a directory can hold many
// files that this user may not read, and each would cost the whole time.
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
