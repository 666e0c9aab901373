package main

import "os"

// enter changes to the directory given with -C. From then on, paths are relative to it.
func (a *app) enter() error {
	if a.dir == "" {
		return nil
	}
	a.from, _ = os.Getwd()
	if err := os.Chdir(a.dir); err != nil {
		return unusable("-C takes a directory", "cannot go to that directory", err)
	}
	return nil
}
