package store

import (
	"os"

	"ltm/internal/busyfile"
)

// replaceDurable replaces a file atomically and waits until its bytes are on the
// disk. renameio does not exist for Windows.
func replaceDurable(root *os.Root, name string, data []byte) error {
	tmp, err := tempName(name)
	if err != nil {
		return err
	}
	if err := createFile(root, tmp, data, filePerm, true); err != nil {
		return err
	}
	if err := busyfile.Rename(root, tmp, name); err != nil {
		_ = root.Remove(tmp)
		return err
	}
	return nil
}

// syncDir does nothing: Windows has no way to sync a folder.
func syncDir(*os.Root) error { return nil }
