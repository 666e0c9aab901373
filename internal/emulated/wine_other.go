//go:build !windows

package emulated

// Wine reports whether this process runs under Wine, which only runs programs for Windows.
func Wine() bool { return false }
