//go:build unix

package main

import (
	"io"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// client is the standard input of a server: the end of a pipe or socket that a client writes to.
type client struct{ *os.File }

// fromClient returns standard input with a method that reports whether its other end is closed.
func fromClient(stdin io.Reader) io.Reader {
	if f, ok := stdin.(*os.File); ok {
		return client{f}
	}
	return stdin
}

// HungUp reports whether the other end is closed, even if there is input left to read.
func (c client) HungUp() (hungUp bool) {
	conn, err := c.SyscallConn()
	if err != nil {
		return false
	}
	poll := unix.PollFd{}
	if runtime.GOOS == "linux" {
		poll.Events = 0x2000 // POLLRDHUP: a socket of which one direction is shut down
	}
	err = conn.Control(func(fd uintptr) {
		poll.Fd = int32(fd)
		polled := []unix.PollFd{poll}
		n, err := unix.Poll(polled, 0)
		hungUp = err == nil && n > 0 && polled[0].Revents != 0
	})
	return err == nil && hungUp
}
