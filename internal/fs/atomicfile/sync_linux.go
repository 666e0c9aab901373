package atomicfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncFS syncs the file system of a directory, and reports whether it could. Older kernels than
// 5.8 do not report errors of the disk here.
func syncFS(root *os.Root) bool {
	f, err := root.Open(".")
	if err != nil {
		return false
	}
	defer f.Close()
	return unix.Syncfs(int(f.Fd())) == nil
}

func flush(f *os.File) error { return f.Sync() }
