package emulated

import "syscall"

// Wine reports whether this process runs under Wine, by a function of its system
// library that Windows does not have.
func Wine() bool { return syscall.NewLazyDLL("ntdll.dll").NewProc("wine_get_version").Find() == nil }
