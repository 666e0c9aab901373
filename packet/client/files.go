package client

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"time"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
)

// narrow takes a directory from everyone but the person. It fails if others may write to it and that
// cannot be changed, and leaves one that all share, such as /tmp.
func narrow(root *os.Root, path string) error {
	info, err := root.Stat(".")
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&others == 0 {
		return err
	}
	if info.Mode()&fs.ModeSticky == 0 && root.Chmod(".", dirPerm) == nil || info.Mode().Perm()&othersWrite == 0 {
		return nil
	}
	return memory.NewError(memory.CodeStorage, memory.KindRemoteExposed, path,
		"no token is kept in %s: others may change it", path)
}

// staleAfter is the age from which no process is still writing a temporary file.
const staleAfter = time.Minute

// sweep removes temporary files, which can hold a secret.
func sweep(root *os.Root) {
	atomicfile.Sweep(root, ".", func(_ string, info fs.FileInfo) bool {
		return time.Since(info.ModTime()) > staleAfter
	})
}

// write writes a file whole, with the mode of a secret whatever it had before.
func write(root *os.Root, name string, data []byte, replace bool) error {
	if replace {
		return atomicfile.Overwrite(root, name, data, filePerm)
	}
	return atomicfile.Publish(root, name, data, filePerm)
}

// failed returns the error about a file or directory.
func failed(verb, path string, err error) error {
	if _, ok := errors.AsType[*memory.Error](err); ok || err == nil {
		return err
	}
	cause := atomicfile.Cause(err)
	kind := memory.KindDiskFailed
	switch {
	case errors.Is(cause, fs.ErrPermission) && (verb == "open" || verb == "read"):
		kind = memory.KindDiskUnreadable
	case errors.Is(cause, fs.ErrPermission):
		kind = memory.KindDiskUnwritable
	case errors.Is(cause, regular.ErrKind), errors.Is(cause, regular.ErrDir):
		kind = memory.KindDiskNotRegular
	case errors.Is(cause, regular.ErrSize):
		kind = memory.KindDiskTooLarge
	}
	return &memory.Error{Code: memory.CodeStorage, Kind: kind, Subject: path,
		Message: "cannot " + verb + " " + path, Err: cause}
}
