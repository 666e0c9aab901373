package atomicfile

import (
	"cmp"
	"os"
)

// fewFiles is up to how many files are synced one by one: that does not wait for what other programs write.
const fewFiles = 32

// SyncFiles waits until the bytes of files of a directory are on disk. For many files on Linux it
// syncs the whole file system once, which takes about as long as one file.
func SyncFiles(root *os.Root, names []string) error {
	if len(names) > fewFiles && syncFS(root) {
		return nil
	}
	for _, name := range names {
		if err := syncFile(root, name); err != nil {
			return err
		}
	}
	return SyncDir(root, ".") // which on macOS also makes the disk write what it has buffered
}

func syncFile(root *os.Root, name string) error {
	f, err := root.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = flush(f)
	err = cmp.Or(err, f.Close())
	return err
}
