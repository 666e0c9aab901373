package terminal

import "golang.org/x/sys/windows"

// EnableColor makes a console interpret escape sequences, and reports whether it does.
func EnableColor(stream any) bool {
	f, ok := stream.(descriptor)
	if !ok {
		return false
	}
	var mode uint32
	if windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(windows.Handle(f.Fd()), mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
