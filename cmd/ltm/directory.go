package main

import (
	"os"

	"ltm/memory"
)

// enter goes to the directory that -C names. Every path is relative to it from then on.
func (a *app) enter() error {
	if a.dir == "" {
		return nil
	}
	if err := os.Chdir(a.dir); err != nil {
		return &memory.Error{Code: memory.CodeInvalid, Message: "cannot go to that directory", Hint: "-C takes a directory; nothing was changed", Err: err}
	}
	return nil
}
