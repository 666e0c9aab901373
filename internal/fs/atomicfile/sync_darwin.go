package atomicfile

import (
	"os"
	"syscall"
)

func syncFS(*os.Root) bool { return false }

// flush hands a file to the disk. [os.File.Sync] would also wait until the disk has emptied its
// buffer, which is done once, after the last file.
func flush(f *os.File) error { return syscall.Fsync(int(f.Fd())) }
