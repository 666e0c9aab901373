//go:build windows

package store

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// A rename over a file that a virus scanner or another reader holds open is
// refused on Windows for a moment; it is tried again for up to a second.
const (
	renameTries = 50
	renamePause = 20 * time.Millisecond
)

// replaceDurable replaces a file atomically and waits until its bytes are on the
// disk. renameio does not exist for Windows.
func replaceDurable(root *os.Root, name string, data []byte) error {
	tmp, err := tempName(name)
	if err != nil {
		return err
	}
	err = createFile(root, tmp, data, filePerm, true)
	for try := 0; err == nil; try++ {
		if err = root.Rename(tmp, name); err == nil {
			return nil
		}
		if try >= renameTries || !errors.Is(err, fs.ErrPermission) {
			break
		}
		time.Sleep(renamePause)
		err = nil
	}
	_ = root.Remove(tmp)
	return err
}

// syncDir does nothing: Windows has no way to sync a folder.
func syncDir(*os.Root) error { return nil }
