package hookguard

import (
	"io"
	"os"
	"runtime/debug"

	"golang.org/x/sys/windows"
)

// Contain returns the writer for the line that a hook writes itself. A failure of the runtime after this call ends the
// process with a status of Windows (0xC0000602), and the runtime's text does not reach standard error.
//
// Contain changes the whole process: call it only in one that handles a hook.
func Contain() io.Writer {
	debug.SetTraceback("crash")
	// os.Stderr keeps the handle that it has; the runtime asks for its own each time. The new one is never closed.
	if null, err := windows.Open(os.DevNull, windows.O_WRONLY, 0); err == nil {
		_ = windows.SetStdHandle(windows.STD_ERROR_HANDLE, null)
	}
	return os.Stderr
}
