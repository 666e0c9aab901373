package terminal

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// descriptor is a stream with a file descriptor.
type descriptor interface{ Fd() uintptr }

// Is reports whether a stream is a terminal.
func Is(stream any) bool {
	f, ok := stream.(descriptor)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width returns the width of a terminal in columns, or 0 if it is not known.
func Width(stream any) int {
	if f, ok := stream.(descriptor); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			return max(0, w)
		}
	}
	return 0
}

// fd returns the file descriptor of a stream, or an invalid one.
func fd(stream any) uintptr {
	if f, ok := stream.(descriptor); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

// ErrEnded is returned when the program is asked to end while it waits.
var ErrEnded = errors.New("ended")

// ReadSecret reads a line from a terminal, which does not show what is typed. If ended is closed meanwhile, it puts the
// terminal into its old mode and fails with [ErrEnded]; the read lasts until the process exits.
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

// Progress writes a text and the elapsed seconds on one line, first after the time after and then at every interval,
// until done is called. done clears the line; once it returns, nothing more is written.
func Progress(w io.Writer, text string, after, every time.Duration) (done func()) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		started, shown := time.Now(), 0
		timer := time.NewTimer(after)
		defer timer.Stop()
		for {
			select {
			case <-stop:
				if shown > 0 {
					fmt.Fprintf(w, "\r%s\r", strings.Repeat(" ", shown))
				}
				return
			case <-timer.C:
				shown, _ = fmt.Fprintf(w, "\r%s, %d s", text, time.Since(started)/time.Second)
				timer.Reset(every)
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(stop)
		<-stopped
	})
}
