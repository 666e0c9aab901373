//go:build unix

package wiring

import (
	"errors"
	"syscall"
)

// alive reports whether a process runs, whoever it belongs to.
func alive(pid int) bool {
	if pid <= 0 {
		return false // to the system, these are groups of processes
	}
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
