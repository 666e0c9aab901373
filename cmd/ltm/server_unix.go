//go:build unix

package main

import (
	"os"
	"syscall"

	"ltm/memory"
)

// become replaces this process by a program, so that signals, the terminal and the exit status are the program's own.
func (a *app) become(path string, args []string) error {
	err := syscall.Exec(path, append([]string{path}, args...), os.Environ())
	return &memory.Error{Code: memory.CodeStorage, Kind: memory.KindCopyFailed, Message: "cannot run " + path, Err: err}
}
