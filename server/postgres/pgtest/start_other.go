//go:build !unix

package pgtest

// start finds no binaries: there is no private cluster on this system.
func start() (running, error) { return running{}, errNone }
