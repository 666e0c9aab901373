package store

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"ltm/internal/atomicfile"
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
	return &memory.Error{Code: memory.CodeStorage, Message: fmt.Sprintf("cannot %s %s", doing, name), Hint: hint, Err: atomicfile.Cause(err)}
}
