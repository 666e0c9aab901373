//go:build !linux || !(amd64 || arm64)

package hookguard

// supervised reports that there is no supervisor.
func supervised() (parent int, ok bool) { return 0, false }
