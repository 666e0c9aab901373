//go:build windows

package scan

import (
	"io/fs"
	"os"
	"path/filepath"

	"ltm/internal/fs/busyfile"
)

// stat looks at one file of an open directory without following links. A name that
// Windows reserves for a device is reported as missing, since it cannot be opened.
func stat(_ *os.File, root *os.Root, name string) (Stamp, bool, error) {
	if !filepath.IsLocal(name) {
		return Stamp{}, false, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	info, err := busyfile.Lstat(root, name)
	if err != nil {
		return Stamp{}, false, err
	}
	return stampOf(info), info.Mode().IsRegular(), nil
}
