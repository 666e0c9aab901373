package emulated

import "syscall"

// Wine reports whether this process runs under Wine. It looks for a function in a system library
// that Windows does not have.
func Wine() bool { return syscall.NewLazyDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil }
