package main

import (
	"context"
	"io/fs"
	"strings"

	"ltm/internal/fs/regular"
	"ltm/memory"
)

// maxShownFile is the size limit of a file of the project that the page shows, in bytes.
const maxShownFile = 2 << 20

// files has the files of a project's work tree.
type files struct{ top string } // "": there are none

// ReadFile implements [web.Files]. A path with a link in it is refused: a link may lead out of the project, or into
// git's directory.
func (f files) ReadFile(_ context.Context, path string) ([]byte, error) {
	data, err := f.read(path)
	if err != nil {
		return nil, &memory.Error{Code: memory.CodeNotFound, Subject: path, Message: "that file cannot be shown",
			Err: err}
	}
	return data, nil
}

func (f files) read(path string) ([]byte, error) {
	if f.top == "" {
		return nil, fs.ErrNotExist
	}
	root, err := regular.OpenPath(f.top)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // it was only read
	for {
		dir, rest, deeper := strings.Cut(path, "/")
		if !deeper {
			return regular.Read(root, path, maxShownFile)
		}
		next, err := regular.OpenDir(root, dir)
		if err != nil {
			return nil, err
		}
		_ = root.Close()
		root, path = next, rest
	}
}
