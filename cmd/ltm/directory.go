package main

import (
	"os"

	"ltm/memory"
)

// enter changes to the directory given with -C. From then on, paths are relative to it.
func (a *app) enter() error {
	if a.dir == "" {
		return nil
	}
	if err := os.Chdir(a.dir); err != nil {
		return &memory.Error{Code: memory.CodeInvalid, Message: "cannot go to that directory", Hint: "-C takes a directory; nothing was changed", Err: err}
	}
	return nil
}
