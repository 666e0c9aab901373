//go:build unix

package hookguard

import (
	"io"
	"os"
	"runtime/debug"
	"syscall"

	"golang.org/x/sys/unix"
)

// Contain returns where a hook writes its own line. Without a supervisor, it makes
// a failure of the runtime after this call end the process by a signal, which the
// client does not take as "block", and keeps the runtime's text from standard
// error.
//
// It changes the whole process, and is for one that handles a hook.
func Contain() io.Writer {
	if _, ok := supervised(); ok {
		return os.Stderr
	}
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
	// The lowest free number from 2 on is 2. Nothing else runs yet that could take
	// it, and it never stays closed: the runtime would write into what came next.
	_ = unix.Close(2)
	if _, err := unix.FcntlInt(null.Fd(), unix.F_DUPFD, 2); err != nil {
		_, _ = unix.FcntlInt(uintptr(own), unix.F_DUPFD, 2)
	}
	return os.NewFile(uintptr(own), os.Stderr.Name())
}
