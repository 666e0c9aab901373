// Package hookguard keeps a hook's promise to the client when Go's runtime
// cannot: the exit status is 0 or 1, and standard error gets at most one line.
//
// The runtime answers a lack of memory, threads or file descriptors, a stack
// overflow, and two goroutines in one map with a page of text and exit status 2,
// which the client takes as "block". No Go code can prevent that, and some of it
// happens before any Go code runs.
//
// So a program for Linux on x86-64 or ARM64 that is linked with [LinkFlags] is
// entered here, before the runtime starts. Called as "hook", it forks: the new
// process is the program; the old one waits for it, passes on one line of what it
// says, and exits with 0 or 1.
//
// A program for Windows on x86-64 or ARM64 that is linked so is entered here, too,
// which costs no process: called as "hook", it changes where the runtime finds the
// system's ExitProcess and WriteFile. What it finds instead makes the status 1, and
// lets one line pass. Linked in another way, it does so in [Contain].
//
// Elsewhere Contain does what Go code can.
//
// The package assumes of the runtime the name of its entry, which the linker's
// interface has too, and that the entry needs the stack as the kernel left it; on
// Windows also that the runtime calls the system by the program's table of imports,
// which the tests show. Where that is wrong, the runtime fails as it always does.
package hookguard

import "os"

// LinkFlags returns what "go build -ldflags" needs for a program of a system to be
// entered here: "" where that is not possible.
func LinkFlags(goos, goarch string) string {
	if (goos == "linux" || goos == "windows") && (goarch == "amd64" || goarch == "arm64") {
		return "-E ltm_start"
	}
	return ""
}

// Client returns the process that started this program. Where there is a
// supervisor, it is the supervisor's parent.
func Client() int {
	if pid, ok := supervised(); ok {
		return pid
	}
	return os.Getppid()
}
