//go:build !unix && !(windows && (amd64 || arm64))

package hookguard

import (
	"io"
	"os"
)

// Contain returns where a hook writes its own line.
func Contain() io.Writer { return os.Stderr }
