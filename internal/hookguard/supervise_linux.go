//go:build amd64 || arm64

//lint:file-ignore U1000 the assembly in this directory calls supervise

package hookguard

import (
	"syscall"
	"unsafe"
)

// Code that runs before the runtime has no heap and little stack: its state is in
// variables, which nothing else writes.
var (
	guarded bool       // there is a supervisor
	client  uintptr    // its parent
	storage [8]uintptr // thread-local storage until the runtime has its own
	chunk   [4096]byte // of what the hook writes to standard error
	pipe    [2]int32   // standard error of the hook
	status  int32      // of the hook, as wait4 reports it
)

// The supervisor's own messages.
const (
	prefix    = "ltm hook: "
	noFiles   = "ltm hook: the system has no file descriptors left; nothing was changed\n"
	noProcess = "ltm hook: the system cannot start another process; nothing was changed\n"
	killed    = "ltm hook: ended by the system, probably for lack of memory; nothing was lost\n"
)

// supervised returns the id of the supervisor's parent, or false without a supervisor.
func supervised() (parent int, ok bool) { return int(client), guarded }

// supervise returns at once unless the program was called as "hook". Then it returns
// in a new process, which handles the hook. In the old process it waits until the new
// one ends, and exits.
//
// It runs before the runtime. There is no goroutine: neither supervise nor the
// functions that it calls may allocate, grow the stack, panic or write a pointer.
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

// isTerminal reports whether standard input is a terminal. Then a person called the
// program, who sees all of its output as it comes.
//
//go:nosplit
func isTerminal() bool {
	_, e := call(syscall.SYS_IOCTL, 0, syscall.TCGETS, uintptr(unsafe.Pointer(&chunk)))
	return e == 0
}

// begin prepares the new process: it is killed when its supervisor ends, and the pipe
// becomes its standard error.
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

// wait waits, in the old process, for the new one to end, and returns the exit status.
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

// passOn copies one line from the pipe to standard error, reads and drops the rest, and
// reports whether anything was read.
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
			say(prefix) // the runtime's text does not start as ours does
		}
		said = true
		line := uintptr(0)
		for line < n && !whole {
			whole = chunk[line%uintptr(len(chunk))] == '\n' // the remainder avoids a bounds check, which could panic
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

// call makes a system call. The arguments after c are 0, as clone requires.
//
//go:nosplit
func call(trap, a, b, c uintptr) (uintptr, syscall.Errno) {
	r, _, e := syscall.RawSyscall6(trap, a, b, c, 0, 0, 0)
	return r, e
}
