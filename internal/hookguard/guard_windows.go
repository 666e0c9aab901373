//go:build amd64 || arm64

//lint:file-ignore U1000 the assembly in this directory calls enter and uses the variables

package hookguard

import (
	"io"
	"os"
	"unsafe"
)

// Code that runs before the runtime, or after it failed, has no heap: its state is in
// variables.
var (
	block     *environment // set by prepare, as the next three are
	ourExit   uintptr      // the assembly's functions
	ourFail   uintptr
	ourWrite  uintptr
	realExit  uintptr // the system's ExitProcess; 0: the runtime still calls it directly
	realWrite uintptr // the system's WriteFile
	said      uint32  // what standard error got so far: nothing (0), a part of a line (1), a line (2)
)

// entered is how the assembly calls enter. A call by name would load the goroutine
// from thread-local storage, which does not exist yet.
var entered = enter

// prepare, in assembly, sets the variables above.
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

// Contain returns the writer for the line that a hook writes itself. After this call a
// failure of the runtime ends the process with status 1 and adds at most one line to
// standard error, or none if the hook has written its own.
//
// Contain changes the whole process: call it only in one that handles a hook.
func Contain() io.Writer {
	prepare()
	guard()
	return ownLine{}
}

// ownLine writes the hook's own line to standard error.
type ownLine struct{}

func (ownLine) Write(line []byte) (int, error) {
	said = 2
	return os.Stderr.Write(line)
}

// enter runs before the runtime, after prepare. There is no goroutine: neither enter
// nor the functions that it calls may allocate, grow the stack, panic, write a pointer
// or call the assembly.
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

// guard makes the runtime call the functions in assembly instead of the system's.
//
// Only the runtime calls the system through the import table of the program. Functions
// that Go code calls, as os.Exit does, are looked up by name when they are needed.
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

// imported returns the place of a function's address in the import table of the
// program that is in memory at image, or nil. Go's linker puts the table into writable
// memory.
//
//go:nosplit
func imported(image unsafe.Pointer, name string) *uintptr {
	header := unsafe.Add(image, number(image, 0x3c))
	const directory = 24 + 112 + 8 // of imports: after the signature and the file header
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
