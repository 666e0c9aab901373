//go:build !windows

package sqlite

import "golang.org/x/sys/unix"

// names returns how many names a file has.
func names(path string) (uint64, error) {
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		return 0, err
	}
	return uint64(s.Nlink), nil
}

// free returns how many bytes this user may still write on the file system of a directory.
func free(dir string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil
}
