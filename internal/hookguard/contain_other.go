//go:build !unix && !(windows && (amd64 || arm64))

package hookguard

import (
	"io"
	"os"
)

// Contain returns the writer for the line that a hook writes itself.
func Contain() io.Writer { return os.Stderr }
