package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"ltm/internal/regular"
	"ltm/memory"
)

// errNotFolder is for what is not a directory where one is expected.
var errNotFolder = errors.New("not a folder")

// openFolder opens a folder of the store. A link in its place is refused: it
// could make one folder of two. So is a pipe, which is not to be opened at all,
// because that waits until somebody writes.
func openFolder(root *os.Root, name string) (*os.Root, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errNotFolder}
	}
	return root.OpenRoot(name)
}

// openPath opens a folder by its path, through links.
func openPath(path string) (*os.Root, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: path, Err: errNotFolder}
	}
	return os.OpenRoot(path)
}

// openNamed opens a store that was named outright. Any directory could be named so:
// one that holds other things is refused, and an empty one is as if it were missing.
func openNamed(path string) (*os.Root, error) {
	root, err := openPath(path)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{memoriesDir, archivesDir, LocalFolder} {
		if _, err := root.Lstat(name); err == nil {
			return root, nil
		}
	}
	defer root.Close()
	folder, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	switch names, err := folder.Readdirnames(1); {
	case errors.Is(err, io.EOF):
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	case len(names) == 0:
		return nil, err
	}
	kind, subject := memory.KindStoreForeign, path
	if inside := filepath.Join(path, filepath.FromSlash(Folder)); isDir(inside) {
		kind, subject = memory.KindStoreInside, inside
	}
	return nil, memory.NewError(memory.CodeInvalid, kind, subject, "%s is not a store: it holds other things, and no memories", path)
}

// notOurs says whether err tells of something that ltm never writes.
func notOurs(err error) bool {
	return errors.Is(err, regular.ErrSize) || errors.Is(err, regular.ErrKind)
}
