package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/busyfile"
	"ltm/memory"
)

// RemoveFile removes a file by its path in the store, whatever it holds.
func (tx *Tx) RemoveFile(path string) error {
	dir, name, err := tx.changeFile(path)
	if err != nil {
		return err
	}
	if err := atomicfile.Remove(dir, name); err != nil {
		return storageError(err, "remove", path)
	}
	if id, ok := memory.IDFromFile(name); ok && path == MemoryPath(name) {
		tx.copyUncommitted(undoStep{path: id.Path()})
	}
	return nil
}

// ReplaceFile writes a file of memories/ or archives/ by its path in the store. It is
// for repairs: archives are otherwise write-once.
func (tx *Tx) ReplaceFile(path string, data []byte) error {
	dir, name, err := tx.changeFile(path)
	if err != nil {
		return err
	}
	return storageError(atomicfile.Replace(dir, name, data), "write", path)
}

// ArchiveFile moves a file of memories/ into archives/, whatever it contains, and returns
// its new path. It never replaces another file.
func (tx *Tx) ArchiveFile(path string) (string, error) {
	from, name, err := tx.changeFile(path)
	if err != nil {
		return "", err
	}
	to, err := tx.changeFolder(archivesDir)
	if err != nil {
		return "", err
	}
	target, err := freeName(to, name)
	if err != nil {
		return "", storageError(err, "move", path)
	}
	target = archivesDir + "/" + target
	if err := busyfile.Rename(tx.root, path, target); err != nil {
		return "", storageError(err, "move", path)
	}
	err = errors.Join(atomicfile.SyncDir(to, "."), atomicfile.SyncDir(from, "."))
	return target, storageError(err, "move", path)
}

// freeName returns a name that no file of the directory has: the given one, or one that starts with it.
func freeName(folder *os.Root, name string) (string, error) {
	const longest = 255 - len(".999999") // bytes; file systems allow 255
	free := name
	for i := 1; ; i++ {
		switch _, err := folder.Lstat(free); {
		case errors.Is(err, fs.ErrNotExist):
			return free, nil
		case err != nil:
			return "", err
		}
		free = fmt.Sprintf("%s.%d", strings.ToValidUTF8(name[:min(len(name), longest)], ""), i)
	}
}

// changeFile opens the directory of a file that is about to change, and returns the file's name in it.
func (tx *Tx) changeFile(path string) (dir *os.Root, name string, err error) {
	folder, name, err := splitPath(path)
	if err != nil {
		return nil, "", err
	}
	dir, err = tx.changeFolder(folder)
	return dir, name, err
}

// splitPath splits "memories/NAME" or "archives/NAME", and refuses every other path.
func splitPath(path string) (folder, name string, err error) {
	folder, name, ok := strings.Cut(path, "/")
	if !ok || (folder != memoriesDir && folder != archivesDir) || name == "" || strings.ContainsAny(name, `/\`) ||
		name == ".." {
		return "", "", memory.NewError(memory.CodeInvalid, memory.KindPathOutside, path,
			"%q is not a file of memories/ or archives/", path)
	}
	if runtime.GOOS == "windows" && strings.TrimRight(name, ". ") != name {
		return "", "", memory.NewError(memory.CodeInvalid, memory.KindPathMisleads, path,
			"%q leads to another file: Windows drops dots and spaces at the end of a name", path)
	}
	return folder, name, nil
}
