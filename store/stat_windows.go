//go:build windows

package store

import (
	"os"
	"strconv"
	"syscall"
)

// stat looks at one file of an open folder without following links.
func stat(_ *os.File, root *os.Root, name string) (Stamp, bool, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return Stamp{}, false, err
	}
	return stampOf(info), info.Mode().IsRegular(), nil
}

// folderMark tells a folder from others of its name: by when it was made.
func folderMark(root *os.Root) string {
	info, err := root.Stat(".")
	if err != nil {
		return ""
	}
	data, ok := info.Sys().(*syscall.Win32FileAttributeData)
	if !ok {
		return ""
	}
	return strconv.FormatInt(data.CreationTime.Nanoseconds(), 10)
}
