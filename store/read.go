package store

import (
	"bytes"
	"io"
	"io/fs"
	"os"

	"ltm/internal/busyfile"
)

// readBounded reads a regular file of at most limit bytes.
func readBounded(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := busyfile.Lstat(root, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errNotRegular}
	}
	if info.Size() > limit {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errTooLarge}
	}
	f, err := busyfile.Open(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// The size is only a first guess: the file may change while it is read.
	data := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if _, err := data.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, err
	}
	if int64(data.Len()) > limit {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errTooLarge}
	}
	return data.Bytes(), nil
}
