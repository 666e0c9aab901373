package busyfile

import (
	"errors"
	"syscall"
)

// Passing says whether an error may pass when the same is tried again.
func Passing(err error) bool {
	var code syscall.Errno
	return errors.As(err, &code) && PassingCode(uint32(code))
}
