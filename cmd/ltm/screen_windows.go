package main

import "golang.org/x/sys/windows"

// enableColor makes a console understand escape sequences, and says whether it
// does.
func enableColor(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	if !ok {
		return false
	}
	var mode uint32
	if windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(windows.Handle(f.Fd()), mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
