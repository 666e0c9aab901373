package regular

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// ErrDir reports that a directory was expected.
var ErrDir = errors.New("not a directory")

// OpenDir opens a directory in another one. It fails with [ErrDir] for anything else, including a
// link: with links, two names could lead to one directory.
func OpenDir(root *os.Root, name string) (*os.Root, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrDir}
	}
	return root.OpenRoot(name)
}

// OpenPath opens a directory by its path, following links. It fails with [ErrDir] for anything else.
func OpenPath(path string) (*os.Root, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: ErrDir}
	}
	return os.OpenRoot(path)
}

// Names returns the names in a directory, at most so many, in no order.
func Names(root *os.Root, dir string, most int) ([]string, error) {
	f, err := root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(most)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return names, err
}
