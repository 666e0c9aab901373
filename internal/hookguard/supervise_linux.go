//go:build amd64 || arm64

//lint:file-ignore U1000 the assembly beside this file calls supervise

package hookguard

import (
	"syscall"
	"unsafe"
)

// What runs before the runtime has no heap, and little stack: its state is in
// variables. Nothing else writes them.
var (
	guarded bool       // there is a supervisor
	client  uintptr    // its parent
	storage [8]uintptr // thread-local storage until the runtime has its own
	chunk   [4096]byte // of what the hook writes to standard error
	pipe    [2]int32   // through which it does
	status  int32      // with which it ended
)

// What the supervisor says itself.
const (
	prefix    = "ltm hook: "
	noFiles   = "ltm hook: the system has no file descriptors left; nothing was changed\n"
	noProcess = "ltm hook: the system cannot start another process; nothing was changed\n"
	killed    = "ltm hook: ended by the system, probably for lack of memory; nothing was lost\n"
)

// supervised returns the supervisor's parent, and whether there is a supervisor.
func supervised() (parent int, ok bool) { return int(client), guarded }

// supervise returns at once unless the program was called as "hook". Then it
// returns in a new process, which handles the hook, and stays in the old one until
// that ends.
//
// It runs before the runtime: there is no goroutine, and neither it nor what it
// calls may allocate, grow the stack, panic or write a pointer.
//
//go:nosplit
func supervise(argc uintptr, argv *[2]*[5]byte) {
	if argc < 2 || !isHook(argv[1]) || isTerminal() {
		return
	}
	parent, _ := call(syscall.SYS_GETPPID, 0, 0, 0)
	if _, e := call(syscall.SYS_PIPE2, uintptr(unsafe.Pointer(&pipe)), syscall.O_CLOEXEC, 0); e != 0 {
		say(noFiles)
		exit(1)
	}
	hook, e := call(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0)
	if e != 0 {
		say(noProcess)
		exit(1)
	}
	if hook == 0 {
		guarded, client = true, parent
		begin()
		return
	}
	exit(wait(hook))
}

// isHook reports whether an argument is "hook".
//
//go:nosplit
func isHook(arg *[5]byte) bool {
	return arg[0] == 'h' && arg[1] == 'o' && arg[2] == 'o' && arg[3] == 'k' && arg[4] == 0
}

// isTerminal reports whether standard input is a terminal. Then a person called
// the program, and gets all that it says, as it says it.
//
//go:nosplit
func isTerminal() bool {
	_, e := call(syscall.SYS_IOCTL, 0, syscall.TCGETS, uintptr(unsafe.Pointer(&chunk)))
	return e == 0
}

// begin is for the new process: it ends with its supervisor, and its standard
// error is the pipe.
//
//go:nosplit
func begin() {
	call(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0)
	if pipe[0] != 2 {
		call(syscall.SYS_CLOSE, uintptr(pipe[0]), 0, 0)
	}
	if pipe[1] != 2 {
		call(syscall.SYS_DUP3, uintptr(pipe[1]), 2, 0)
		call(syscall.SYS_CLOSE, uintptr(pipe[1]), 0, 0)
	}
}

// wait is for the old process: it waits for the new one, and returns the status
// to exit with.
//
//go:nosplit
func wait(hook uintptr) uintptr {
	call(syscall.SYS_CLOSE, uintptr(pipe[1]), 0, 0)
	said := passOn()
	for {
		if _, e := call(syscall.SYS_WAIT4, hook, uintptr(unsafe.Pointer(&status)), 0); e != syscall.EINTR {
			break
		}
	}
	if status == 0 {
		return 0
	}
	if bySignal := status&0x7f != 0; bySignal && !said {
		say(killed)
	}
	return 1
}

// passOn copies one line from the pipe to standard error, reads the rest, and
// reports whether there was anything.
//
//go:nosplit
func passOn() (said bool) {
	for whole := false; ; {
		n, e := call(syscall.SYS_READ, uintptr(pipe[0]), uintptr(unsafe.Pointer(&chunk)), uintptr(len(chunk)))
		switch {
		case e == syscall.EINTR:
			continue
		case e != 0 || n == 0:
			return said
		}
		if whole {
			continue
		}
		if !said && chunk[0] != 'l' {
			say(prefix) // what the runtime says does not begin as ours does
		}
		said = true
		line := uintptr(0)
		for line < n && !whole {
			whole = chunk[line%uintptr(len(chunk))] == '\n' // the remainder spares a check that could panic
			line++
		}
		call(syscall.SYS_WRITE, 2, uintptr(unsafe.Pointer(&chunk)), line)
	}
}

//go:nosplit
func say(line string) {
	call(syscall.SYS_WRITE, 2, uintptr(unsafe.Pointer(unsafe.StringData(line))), uintptr(len(line)))
}

//go:nosplit
func exit(status uintptr) {
	for {
		call(syscall.SYS_EXIT_GROUP, status, 0, 0)
	}
}

// call is a system call. Arguments that are not given are 0, which clone needs.
//
//go:nosplit
func call(trap, a, b, c uintptr) (uintptr, syscall.Errno) {
	r, _, e := syscall.RawSyscall6(trap, a, b, c, 0, 0, 0)
	return r, e
}
