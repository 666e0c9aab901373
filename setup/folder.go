package setup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/busyfile"
	"ltm/internal/fs/regular"
	"ltm/internal/git/gitdir"
	"ltm/memory"
)

const (
	dirPerm = 0o755

	// maxBytes bounds the files that are added to.
	maxBytes = 8 << 20

	// maxLinks bounds how many symbolic links lead to a file.
	maxLinks = 8
)

// folder is a project's directory. Neither a name nor a symbolic link leads out of it.
type folder struct{ root *os.Root }

func openFolder(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, storageError(err, "open", dir)
	}
	return &folder{root}, nil
}

func (f *folder) close() { _ = f.root.Close() }

// file is one file as it was found. name is where it is after all symbolic links.
type file struct {
	name string
	data []byte      // nil: missing
	perm fs.FileMode // 0: as the umask has it
}

// read reads a file. A missing file or directory is not an error.
func (f *folder) read(name string) (file, error) {
	real, info, err := f.resolve(name)
	if errors.Is(err, fs.ErrNotExist) {
		return file{name: real}, nil
	}
	if err != nil {
		return file{}, storageError(err, "read", name)
	}
	data, err := regular.Read(f.root, real, maxBytes)
	switch {
	case errors.Is(err, regular.ErrKind):
		return file{}, refuseFile(name, "is not a regular file")
	case errors.Is(err, regular.ErrSize):
		return file{}, refuseFile(name, "is too large")
	case err != nil:
		return file{}, storageError(err, "read", name)
	}
	return file{real, data, info.Mode().Perm()}, nil
}

// resolve follows the symbolic links of a name. Git's directory is no part of the project for them.
func (f *folder) resolve(name string) (real string, info fs.FileInfo, err error) {
	asked := name
	for range maxLinks {
		if !gitdir.Within(asked) && f.isWithinGit(name) {
			return name, nil, refuseFile(asked,
				"is a symbolic link that leads out of the project, into git's directory")
		}
		info, err = f.root.Lstat(name)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return name, info, err
		}
		target, err := f.root.Readlink(name)
		if err != nil {
			return name, nil, err
		}
		target = filepath.ToSlash(target)
		if path.IsAbs(target) || !fs.ValidPath(path.Join(path.Dir(name), target)) {
			return name, nil, refuseFile(name, "is a symbolic link that leads out of the project")
		}
		name = path.Join(path.Dir(name), target)
	}
	return name, nil, refuseFile(name, "is a symbolic link that leads nowhere")
}

// isWithinGit reports whether a name, or the directory that it is in after all links, is in git's directory.
func (f *folder) isWithinGit(name string) bool {
	top, err := filepath.EvalSymlinks(f.root.Name())
	if err != nil {
		return false
	}
	dir, err := filepath.EvalSymlinks(filepath.Join(top, filepath.FromSlash(path.Dir(name))))
	if err != nil {
		return gitdir.Within(filepath.FromSlash(name)) // it does not exist
	}
	rel, err := filepath.Rel(top, filepath.Join(dir, path.Base(name)))
	return err == nil && gitdir.Within(rel)
}

// real returns where a file is after all symbolic links, also those that lead to its directories, or would be.
func (f *folder) real(name string) string {
	if to, _, err := f.resolve(name); err == nil || errors.Is(err, fs.ErrNotExist) {
		name = to
	}
	top := f.root.Name()
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if real, err := filepath.EvalSymlinks(filepath.Join(top, filepath.FromSlash(dir))); err == nil {
			return filepath.Join(real, filepath.FromSlash(strings.TrimPrefix(name, dir)))
		}
	}
	if real, err := filepath.EvalSymlinks(top); err == nil {
		top = real
	}
	return filepath.Join(top, filepath.FromSlash(name))
}

// exists reports whether there is something of that name.
func (f *folder) exists(name string) bool {
	_, err := f.root.Lstat(name)
	return err == nil
}

// sweep removes, from a directory, the temporary files that a killed run left of files with these names.
func (f *folder) sweep(dir string, own ...string) {
	atomicfile.Sweep(f.root, dir, func(target string, _ fs.FileInfo) bool { return slices.Contains(own, target) })
}

// put writes a file at one stroke, or removes it.
func (f *folder) put(file file) error {
	if file.data == nil {
		return busyfile.Remove(f.root, file.name)
	}
	staged, err := atomicfile.Stage(f.root, file.name, file.data, file.perm)
	if err != nil {
		return err
	}
	return staged.Commit(file.name)
}

func changedMeanwhile(name string) error {
	return memory.NewError(memory.CodeConflict, memory.KindSetupMeanwhile, name, "%s was changed at the same moment",
		name)
}

func refuseFile(name, reason string) error {
	return memory.NewError(memory.CodeConflict, memory.KindSetupFile, name, "%s %s", name, reason)
}

// storageError words an error of the file system.
func storageError(err error, doing, name string) error {
	if _, ok := errors.AsType[*memory.Error](err); ok || err == nil {
		return err
	}
	kind := memory.KindSetupDisk
	switch {
	case errors.Is(err, fs.ErrPermission) && (doing == "read" || doing == "open"):
		kind = memory.KindSetupUnreadable
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		kind = memory.KindSetupUnwritable
	}
	return &memory.Error{Code: memory.CodeStorage, Kind: kind, Subject: name,
		Message: fmt.Sprintf("cannot %s %s", doing, name), Err: atomicfile.Cause(err)}
}
