//go:build unix

package hookguard

import (
	"io"
	"os"
	"runtime/debug"
	"syscall"

	"golang.org/x/sys/unix"
)

// Contain returns the writer for the line that a hook writes itself. A failure of the runtime after this call ends the
// process with a signal, and the runtime's text does not reach standard error.
//
// Contain changes the whole process: call it only in one that handles a hook.
func Contain() io.Writer {
	debug.SetTraceback("crash")
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return os.Stderr
	}
	defer null.Close()
	own, err := unix.FcntlInt(2, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return os.Stderr
	}
	// The lowest free number from 2 on is 2, and nothing else runs yet that could take
	// it. It must not stay closed: the runtime would write into the file that gets it.
	_ = unix.Close(2)
	if _, err := unix.FcntlInt(null.Fd(), unix.F_DUPFD, 2); err != nil {
		_, _ = unix.FcntlInt(uintptr(own), unix.F_DUPFD, 2)
	}
	return os.NewFile(uintptr(own), os.Stderr.Name())
}
