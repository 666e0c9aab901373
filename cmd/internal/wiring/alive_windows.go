package wiring

import (
	"errors"

	"golang.org/x/sys/windows"
)

// alive reports whether a process runs, whoever it belongs to. That it can be opened is
// not enough: a process that has ended remains until the last handle to it is closed.
func alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	process, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	defer windows.CloseHandle(process)
	event, err := windows.WaitForSingleObject(process, 0)
	return err != nil || event != windows.WAIT_OBJECT_0
}
