package sources

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"ltm/internal/fs/atomicfile"
	"ltm/memory"
)

// Existing says what to do with an existing file of that name.
type Existing int

// The choices for it.
const (
	Keep Existing = iota
	Overwrite
)

// exportPerm is the mode of a new document: memories may be private.
const exportPerm = 0o600

// Write writes a document and waits until it is on disk.
func Write(name string, data []byte, existing Existing) error {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return failed("write", err, name)
	}
	defer root.Close()
	base := filepath.Base(name)
	info, err := root.Lstat(base)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = atomicfile.Create(root, base, data, exportPerm)
	case err != nil:
	case !info.Mode().IsRegular():
		return memory.NewError(memory.CodeConflict, memory.KindExportNotFile, name, "%s is there, and is not a file",
			memory.Quote(name, maxShown))
	case existing == Overwrite:
		err = atomicfile.Replace(root, base, data)
	default:
		err = fs.ErrExist
	}
	if errors.Is(err, fs.ErrExist) {
		return memory.NewError(memory.CodeConflict, memory.KindExportExists, name, "%s exists already",
			memory.Quote(name, maxShown))
	}
	return failed("write", err, name)
}
