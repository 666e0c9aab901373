//go:build !windows

package emulated

// Wine reports whether this process runs under Wine: only programs for Windows do.
func Wine() bool { return false }
