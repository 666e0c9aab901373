package worktree

import "io/fs"

// inodeOf returns 0: to learn the number of a file, this system has to open it.
func inodeOf(fs.FileInfo) int64 { return 0 }
