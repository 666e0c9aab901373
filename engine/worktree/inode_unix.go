//go:build unix

package worktree

import (
	"io/fs"
	"syscall"
)

// inodeOf returns the number of a file, which another one in its place does not have.
func inodeOf(info fs.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(st.Ino)
	}
	return 0
}
