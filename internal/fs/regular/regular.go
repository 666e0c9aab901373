// Package regular reads regular files through an [os.Root]. It never opens a pipe, which would
// block, and never follows a link in place of a file. Every read has a size limit.
package regular

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"ltm/internal/fs/busyfile"
)

// The reasons for refusing a file. The errors of this package wrap them.
var (
	ErrKind = errors.New("not a regular file")
	ErrSize = errors.New("too large")
)

// Info describes a file, or returns nil if it does not exist. It fails with [ErrKind] if the name
// is that of a directory, a link or a device.
func Info(root *os.Root, name string) (fs.FileInfo, error) {
	info, err := stat(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return info, err
}

func stat(root *os.Root, name string) (fs.FileInfo, error) {
	info, err := busyfile.Lstat(root, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrKind}
	}
	return info, nil
}

// Read returns the content of a file. It fails with [ErrSize] if the file has more than limit bytes.
func Read(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := stat(root, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, &fs.PathError{Op: "read", Path: name, Err: ErrSize}
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
		return nil, &fs.PathError{Op: "read", Path: name, Err: ErrSize}
	}
	return data.Bytes(), nil
}

// Tail returns at most the last n bytes of a file, and reports whether they are all of it. A missing file is empty.
func Tail(root *os.Root, name string, n int64) (tail []byte, whole bool, err error) {
	info, err := Info(root, name)
	if err != nil || info == nil {
		return nil, true, err
	}
	f, err := busyfile.Open(root, name)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	from := max(0, info.Size()-n)
	tail, err = io.ReadAll(io.NewSectionReader(f, from, n))
	return tail, from == 0, err
}

// A file that is written twice within one tick of the file system's clock keeps its size and time. File systems that
// keep whole seconds need longer.
const (
	settledAfter       = 50 * time.Millisecond
	settledAfterCoarse = 2500 * time.Millisecond
)

// Settled reports whether a file that was written last at one time and seen at another, in nanoseconds since 1970,
// cannot change any more without another size or time.
func Settled(written, seen int64) bool {
	wait := settledAfter
	if written%int64(time.Second) == 0 {
		wait = settledAfterCoarse
	}
	return written+int64(wait) < seen
}
