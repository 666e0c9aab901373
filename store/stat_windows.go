//go:build windows

package store

import "os"

// stat looks at one file of an open folder without following links.
func stat(_ *os.File, root *os.Root, name string) (Stamp, bool, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return Stamp{}, false, err
	}
	return stampOf(info), info.Mode().IsRegular(), nil
}
