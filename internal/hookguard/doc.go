// Package hookguard keeps a hook's promise to the client when Go's runtime fails: the
// exit status is 0 or 1, and standard error gets at most one line.
//
// When memory, threads or file descriptors run out, a stack overflows, or two
// goroutines write to one map, the runtime prints a page of text and exits with
// status 2, which means "block" to the client. Go code cannot prevent that, and some
// of it happens before any Go code runs.
//
// So a program for Linux on x86-64 or ARM64 that is linked with [LinkFlags] starts here, before the runtime. Called as
// "hook", it forks: the child runs the program; the parent waits for it, passes on one line of its standard error, and
// exits with 0 or 1.
//
// A program for Windows on x86-64 or ARM64 that is linked with them starts here too, and needs no second process:
// called as "hook", it replaces the system functions ExitProcess and WriteFile for the runtime. The replacements exit
// with at most 1, and let one line through. A program that is linked otherwise does so in [Contain].
//
// On other systems Contain does what Go code can do.
//
// The package relies on the name of the runtime's entry, which is part of the linker's interface, and on an entry that
// finds the stack as the kernel left it; on Windows also on a runtime that calls the system through the import table of
// the program, which the tests check. If one of these changes, the guard has no effect and the runtime fails in its
// usual way.
package hookguard

import "os"

// LinkFlags returns the value of "go build -ldflags" with which a program for a system
// starts in this package, or "" if that is not possible there.
func LinkFlags(goos, goarch string) string {
	if (goos == "linux" || goos == "windows") && (goarch == "amd64" || goarch == "arm64") {
		return "-E ltm_start"
	}
	return ""
}

// Client returns the id of the process that started this program: with a supervisor,
// the supervisor's parent.
func Client() int {
	if pid, ok := supervised(); ok {
		return pid
	}
	return os.Getppid()
}
