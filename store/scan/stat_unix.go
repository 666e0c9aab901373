//go:build unix

package scan

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// stat looks at one file of an open directory without following links. It is
// [os.Root.Lstat] without the allocations, because a scan calls it for every memory.
func stat(dir *os.File, _ *os.Root, name string) (s Stamp, changed int64, isRegular bool, err error) {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(int(dir.Fd()), name, &st, unix.AT_SYMLINK_NOFOLLOW)
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return Stamp{}, 0, false, &fs.PathError{Op: "stat", Path: name, Err: err}
		}
		return Stamp{st.Size, st.Mtim.Nano()}, st.Ctim.Nano(), st.Mode&unix.S_IFMT == unix.S_IFREG, nil
	}
}
