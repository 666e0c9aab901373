package store

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
)

// storageError returns an error of the file system as one of ltm's, whose kind says what to do.
func storageError(err error, doing, name string) error {
	if err == nil || memory.CodeOf(err) != "" {
		return err
	}
	kind := memory.KindDiskFailed
	switch {
	case errors.Is(err, regular.ErrDir), errors.Is(err, regular.ErrKind):
		kind = memory.KindDiskNotRegular
	case errors.Is(err, regular.ErrSize):
		kind = memory.KindDiskTooLarge
	case errors.Is(err, fs.ErrPermission) && (doing == "read" || doing == "open"):
		kind = memory.KindDiskUnreadable
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		kind = memory.KindDiskUnwritable
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		kind = memory.KindDiskFull
	}
	return &memory.Error{Code: memory.CodeStorage, Kind: kind, Subject: name,
		Message: fmt.Sprintf("cannot %s %s", doing, name), Err: atomicfile.Cause(err)}
}

// notOurs reports whether err is about something that ltm never writes.
func notOurs(err error) bool {
	return errors.Is(err, regular.ErrSize) || errors.Is(err, regular.ErrKind)
}
