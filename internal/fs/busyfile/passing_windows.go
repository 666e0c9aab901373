package busyfile

import (
	"errors"
	"syscall"
)

// codeOf returns the number of a Windows error, or 0.
func codeOf(err error) uint32 {
	var code syscall.Errno
	if !errors.As(err, &code) {
		return 0
	}
	return uint32(code)
}
