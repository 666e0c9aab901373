package main

import (
	"context"
	"io/fs"
	"path/filepath"

	"ltm/internal/regular"
	"ltm/memory"
)

// maxShownFile is the size limit of a file of the project that the page shows, in bytes.
const maxShownFile = 2 << 20

// files has the files of a project's work tree.
type files struct{ top string } // "": there are none

// ReadFile implements [web.Files]. No link leads out of the project.
func (f files) ReadFile(_ context.Context, path string) ([]byte, error) {
	failed := func(err error) error {
		return &memory.Error{Code: memory.CodeNotFound, Subject: path, Message: "that file cannot be shown", Err: err}
	}
	if f.top == "" {
		return nil, failed(fs.ErrNotExist)
	}
	root, err := regular.OpenPath(f.top)
	if err != nil {
		return nil, failed(err)
	}
	defer root.Close()
	data, err := regular.Read(root, filepath.FromSlash(path), maxShownFile)
	if err != nil {
		return nil, failed(err)
	}
	return data, nil
}
