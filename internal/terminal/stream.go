package terminal

import "golang.org/x/term"

// descriptor is a stream that the system knows by a number.
type descriptor interface{ Fd() uintptr }

// Is reports whether a stream is a terminal.
func Is(stream any) bool {
	f, ok := stream.(descriptor)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Width returns the columns of a terminal, or 0 if the stream does not say.
func Width(stream any) int {
	if f, ok := stream.(descriptor); ok {
		if w, _, err := term.GetSize(int(f.Fd())); err == nil {
			return max(0, w)
		}
	}
	return 0
}

// fd returns the number of a stream, or one that no stream has.
func fd(stream any) uintptr {
	if f, ok := stream.(descriptor); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}
