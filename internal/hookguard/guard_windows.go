//go:build amd64 || arm64

//lint:file-ignore U1000 the assembly beside this file calls enter, and has the variables

package hookguard

import (
	"io"
	"os"
	"unsafe"
)

// What runs before the runtime, or when it fails, has no heap: its state is in
// variables.
var (
	block     *environment // set by prepare, as the next three are
	ourExit   uintptr      // the assembly's functions
	ourFail   uintptr
	ourWrite  uintptr
	realExit  uintptr // the system's ExitProcess; 0: the runtime still calls it directly
	realWrite uintptr // the system's WriteFile
	said      uint32  // what standard error got: nothing, a part of a line (1), or a line (2)
)

// entered is how the assembly calls enter. A call by name would load the goroutine
// from thread-local storage, and there is none yet.
var entered = enter

// prepare is in the assembly.
func prepare()

// environment is the start of the process environment block, as winternl.h has it.
type environment struct {
	_          [2]uintptr
	image      unsafe.Pointer // where the program is in memory
	_          uintptr
	parameters *struct {
		_       [112]byte
		size    uint16 // of the command line, in bytes
		_       uint16
		command *uint16
	}
}

// Contain returns where a hook writes its own line. From then on a failure of the
// runtime ends the process with status 1, and adds at most one line to standard
// error, or none after an own line.
//
// It changes the whole process, and is for one that handles a hook.
func Contain() io.Writer {
	prepare()
	guard()
	return ownLine{}
}

// ownLine is standard error for a hook's own line.
type ownLine struct{}

func (ownLine) Write(line []byte) (int, error) {
	said = 2
	return os.Stderr.Write(line)
}

// enter runs before the runtime, after prepare: there is no goroutine, and neither
// it nor what it calls may allocate, grow the stack, panic, write a pointer or call
// the assembly.
//
//go:nosplit
func enter() {
	if p := block.parameters; isHook(unsafe.Pointer(p.command), uintptr(p.size)/2) {
		guard()
	}
}

// isHook reports whether the first argument of a command line of n characters is
// "hook".
//
//go:nosplit
func isHook(line unsafe.Pointer, n uintptr) bool {
	i, quoted := uintptr(0), false
	for i < n && (quoted || !isBlank(char(line, i))) {
		if char(line, i) == '"' {
			quoted = !quoted
		}
		i++
	}
	for i < n && isBlank(char(line, i)) {
		i++
	}
	quoted = i < n && char(line, i) == '"'
	if quoted {
		i++
	}
	if i+4 > n || char(line, i) != 'h' || char(line, i+1) != 'o' || char(line, i+2) != 'o' || char(line, i+3) != 'k' {
		return false
	}
	i += 4
	if quoted {
		return i < n && char(line, i) == '"' && (i+1 == n || isBlank(char(line, i+1)))
	}
	return i == n || isBlank(char(line, i))
}

//go:nosplit
func char(line unsafe.Pointer, i uintptr) uint16 { return *(*uint16)(unsafe.Add(line, 2*i)) }

//go:nosplit
func isBlank(c uint16) bool { return c == ' ' || c == '\t' }

// guard makes the runtime call the assembly's functions instead of the system's.
//
// Only the runtime calls the system through the program's table of imports. What Go
// code calls, os.Exit among it, is looked up by name when it is needed.
//
//go:nosplit
func guard() {
	exit := imported(block.image, "ExitProcess")
	if realExit != 0 || exit == nil {
		return
	}
	realExit, *exit = *exit, ourExit
	if fail := imported(block.image, "RaiseFailFastException"); fail != nil {
		*fail = ourFail
	}
	if write := imported(block.image, "WriteFile"); write != nil {
		realWrite, *write = *write, ourWrite
	}
}

// imported returns where the table of imports of the program in memory at image has
// the address of a function, or nil. Go's linker puts the table into memory that
// can be written to.
//
//go:nosplit
func imported(image unsafe.Pointer, name string) *uintptr {
	header := unsafe.Add(image, number(image, 0x3c))
	const directory = 24 + 112 + 8 // of imports, after the signature and the file's header
	library := unsafe.Add(image, number(header, directory))
	for ; number(library, 12) != 0; library = unsafe.Add(library, 20) {
		names := unsafe.Add(image, number(library, 0))
		address := unsafe.Add(image, number(library, 16))
		for number(names, 0) != 0 {
			if isByName := number(names, 4) == 0; isByName && same(unsafe.Add(image, number(names, 0)+2), name) {
				return (*uintptr)(address)
			}
			names, address = unsafe.Add(names, 8), unsafe.Add(address, 8)
		}
	}
	return nil
}

// number returns the 32-bit number at an offset.
//
//go:nosplit
func number(p unsafe.Pointer, offset uintptr) uintptr {
	return uintptr(*(*uint32)(unsafe.Add(p, offset)))
}

// same reports whether the bytes at p are name and a zero.
//
//go:nosplit
func same(p unsafe.Pointer, name string) bool {
	for i := range len(name) {
		if *(*byte)(unsafe.Add(p, i)) != name[i] {
			return false
		}
	}
	return *(*byte)(unsafe.Add(p, len(name))) == 0
}
