//go:build !windows

package store

import (
	"os"

	"github.com/google/renameio/v2"
)

// replaceDurable replaces a file atomically and waits until the file and its
// name are on the disk.
func replaceDurable(root *os.Root, name string, data []byte) error {
	if err := renameio.WriteFile(name, data, filePerm, renameio.WithRoot(root)); err != nil {
		return err
	}
	return syncDir(root)
}

// syncDir makes renames and removals in the folder durable.
func syncDir(root *os.Root) error {
	dir, err := root.Open(".")
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}
