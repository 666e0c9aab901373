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

// openNamed opens a store that was named outright. Any directory could be named so:
// one that holds other things is refused, and an empty one is as if it were missing.
func openNamed(path string) (*os.Root, error) {
	root, err := regular.OpenPath(path)
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
