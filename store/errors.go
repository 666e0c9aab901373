package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"ltm/internal/regular"
	"ltm/memory"
)

// storageError says in one voice what the disk refused.
func storageError(err error, doing, name string) error {
	var known *memory.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	hint := "look at the folder and its disk; nothing was lost"
	switch {
	case errors.Is(err, errNotFolder), errors.Is(err, regular.ErrKind):
		hint = "put the real one in its place, or move it away; nothing was lost"
	case errors.Is(err, regular.ErrSize):
		hint = "make it smaller, or move it away; nothing was lost"
	case errors.Is(err, fs.ErrPermission) && (doing == "read" || doing == "open"):
		hint = "make it readable for this user; nothing was lost"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		hint = "make the folder writable for this user; nothing was lost"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		hint = "free some space on its disk; nothing was lost"
	}
	return &memory.Error{Code: memory.CodeStorage, Message: fmt.Sprintf("cannot %s %s", doing, name), Hint: hint, Err: cause(err)}
}

// cause drops the paths that os errors carry: the message names the file
// already, and they may be those of a temporary one.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
