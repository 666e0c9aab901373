package terminal

import (
	"context"
	"io"

	"golang.org/x/term"
)

// Keyboard is a terminal that reports every key as it is pressed.
type Keyboard struct {
	keys    <-chan []byte
	fd      int
	restore func()
}

// OpenKeyboard switches a terminal to reporting every key until the context ends, or
// returns false if it cannot. The caller closes it.
func OpenKeyboard(ctx context.Context, in io.Reader) (*Keyboard, bool) {
	f, ok := in.(descriptor)
	if !ok {
		return nil, false
	}
	number := int(f.Fd())
	before, err := term.MakeRaw(number)
	if err != nil {
		return nil, false
	}
	restore := func() { _ = term.Restore(number, before) }
	return &Keyboard{keys: until(ctx, readPieces(in)), fd: number, restore: restore}, true
}

// Close restores the terminal's mode.
func (k *Keyboard) Close() { k.restore() }

// size returns the width and height of the terminal's screen.
func (k *Keyboard) size() (width, height int) {
	width, height, err := term.GetSize(k.fd)
	if err != nil || width == 0 || height == 0 {
		return 80, 24
	}
	return width, height
}

// readPieces returns what is read, piece by piece. Its goroutine lasts until the reader ends,
// because a read cannot be canceled.
func readPieces(in io.Reader) <-chan []byte {
	read := make(chan []byte)
	go func() {
		defer close(read)
		for {
			buffer := make([]byte, 256)
			n, err := in.Read(buffer)
			if err != nil || n == 0 {
				return
			}
			read <- buffer[:n]
		}
	}()
	return read
}

// until passes pieces on until they or the context end.
func until(ctx context.Context, pieces <-chan []byte) <-chan []byte {
	out := make(chan []byte)
	go func() {
		defer close(out)
		for {
			select {
			case <-ctx.Done():
				return
			case data, ok := <-pieces:
				if !ok {
					return
				}
				out <- data
			}
		}
	}()
	return out
}
