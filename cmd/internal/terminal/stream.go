package terminal

import "golang.org/x/term"

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
