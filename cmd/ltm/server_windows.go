package main

import (
	"errors"
	"os/exec"

	"ltm/memory"
)

// become runs a program in the place of this one. Ctrl-C and Ctrl-Break reach both, and this
// process waits for what the program makes of them.
func (a *app) become(path string, args []string) error {
	cmd := exec.Command(path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = a.stdin, a.stdout, a.stderr
	err := cmd.Run()
	var ended *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ended):
		return companionStatus(ended.ExitCode())
	}
	return &memory.Error{Code: memory.CodeStorage, Kind: memory.KindCopyFailed, Message: "cannot run " + path, Err: err}
}
