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
func stat(_ *os.File, root *os.Root, name string) (s Stamp, changed int64, isRegular bool, err error) {
	if !filepath.IsLocal(name) {
		return Stamp{}, 0, false, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	info, err := busyfile.Lstat(root, name)
	if err != nil {
		return Stamp{}, 0, false, err
	}
	return Stamp{info.Size(), info.ModTime().UnixNano()}, 0, info.Mode().IsRegular(), nil
}
