package terminal

import (
	"errors"

	"golang.org/x/term"
)

// ErrEnded is returned when the program is asked to end while it waits.
var ErrEnded = errors.New("ended")

// ReadSecret reads a line from a terminal, which does not show what is typed. If ended is closed
// meanwhile, it puts the terminal into its old mode and fails with [ErrEnded]; the read lasts until
// the process exits.
func ReadSecret(in any, ended <-chan struct{}) ([]byte, error) {
	f, ok := in.(descriptor)
	if !ok {
		return nil, errors.New("not a terminal")
	}
	number := int(f.Fd())
	before, err := term.GetState(number)
	if err != nil {
		return nil, err
	}
	type line struct {
		text []byte
		err  error
	}
	read := make(chan line, 1)
	go func() {
		text, err := term.ReadPassword(number)
		read <- line{text, err}
	}()
	select {
	case got := <-read:
		return got.text, got.err
	case <-ended:
		_ = term.Restore(number, before)
		return nil, ErrEnded
	}
}
