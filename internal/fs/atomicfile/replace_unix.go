//go:build !windows

package atomicfile

import (
	"os"

	"github.com/google/renameio/v2"
)

// replace replaces a file of the root itself, which is where renameio puts the temporary file.
func replace(root *os.Root, name string, data []byte) error {
	return renameio.WriteFile(name, data, defaultPerm, renameio.WithRoot(root))
}
