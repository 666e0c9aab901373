package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"ltm/engine/locate"
	"ltm/server/page"
)

// exportPages writes the pages to a directory that is new or empty.
func (a *app) exportPages(ctx context.Context, o uiOptions, place locate.Place) (err error) {
	root, err := emptyDir(o.export)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	options := a.siteOptions(o, place, func() {})
	options.Prepare = nil // there is no later view
	site, err := page.New(options)
	if err != nil {
		return failed("cannot make the pages", err)
	}
	written, err := site.Export(ctx, func(name string, data []byte) error {
		if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
			return err
		}
		return root.WriteFile(name, data, 0o600)
	})
	if err != nil {
		return &fault{status: exitFailure, cause: err,
			message: fmt.Sprintf("the pages in %q are not complete: %d files were written", o.export, written),
			next:    "export to another directory"}
	}
	return a.println(fmt.Sprintf("wrote %d files", written), filepath.Join(o.export, "index.html"))
}

// emptyDir opens a directory that has nothing in it, and makes it if it is not there.
func emptyDir(dir string) (*os.Root, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, failed("cannot make the directory", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, failed("cannot open the directory", err)
	}
	d, err := root.Open(".")
	if err == nil {
		var entries []fs.DirEntry
		entries, err = d.ReadDir(1)
		_ = d.Close() // it was only read
		if len(entries) > 0 {
			return nil, errors.Join(invalid("name a directory that is new or empty; nothing was written",
				"%q is not empty", dir), root.Close())
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, failed("cannot read the directory", errors.Join(err, root.Close()))
	}
	return root, nil
}
