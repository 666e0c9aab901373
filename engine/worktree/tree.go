package worktree

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"ltm/internal/fs/regular"
)

// kind is what a path leads to.
type kind int

const (
	missing kind = iota
	file
	other // that is left alone
)

// stamp is by what a file is known to be unchanged. Of a missing file, it is that of git's index, and Size is -1.
type stamp struct{ size, modTime, inode int64 }

func stampOf(info fs.FileInfo) stamp {
	return stamp{info.Size(), info.ModTime().UnixNano(), inodeOf(info)}
}

// maxDirs bounds how many directories are open at once, for looking at files and for reading them. Above 64 open
// files, Linux gives a process a larger table of them, for which one with several threads waits ten milliseconds:
// longer than a hook takes.
const maxDirs = 16

// tree is a work tree that is open for one look.
type tree struct {
	root   *os.Root
	dirs   map[string]dir
	nested bool // files of repositories in the tree count, as git has them if it knew them before
}

// dir is a directory of the tree. Its root is nil if it is missing or left alone.
type dir struct {
	root *os.Root
	kind kind
}

func openTree(top string) (*tree, error) {
	root, err := regular.OpenPath(top)
	if err != nil {
		return nil, err
	}
	return &tree{root: root, dirs: map[string]dir{}}, nil
}

func (t *tree) close() {
	t.closeDirs()
	_ = t.root.Close()
}

func (t *tree) closeDirs() {
	for _, d := range t.dirs {
		if d.root != nil {
			_ = d.root.Close()
		}
	}
	clear(t.dirs)
}

// dir opens a directory, one after another from the top.
func (t *tree) dir(name string) dir {
	if name == "." {
		return dir{t.root, file}
	}
	if d, known := t.dirs[name]; known {
		return d
	}
	if len(t.dirs) >= maxDirs {
		t.closeDirs()
	}
	d := t.dir(path.Dir(name))
	if d.root != nil {
		d = t.below(d.root, path.Base(name))
	}
	t.dirs[name] = d
	return d
}

// below opens a directory in another one. A repository in the work tree is another work tree, unless nested. Nothing is
// below a file.
func (t *tree) below(parent *os.Root, name string) dir {
	root, err := regular.OpenDir(parent, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return dir{kind: missing}
	case errors.Is(err, regular.ErrDir):
		if info, err := parent.Lstat(name); err == nil && info.Mode().IsRegular() {
			return dir{kind: missing}
		}
		return dir{kind: other}
	case err != nil:
		return dir{kind: other}
	}
	if _, err := root.Lstat(".git"); err == nil && !t.nested {
		_ = root.Close()
		return dir{kind: other}
	}
	return dir{root, file}
}

// stat looks at a file. One is missing if a directory is in its place, or a file in that of its directory.
func (t *tree) stat(name string) (stamp, kind) {
	d := t.dir(path.Dir(name))
	if d.root == nil {
		return stamp{}, d.kind
	}
	info, err := d.root.Lstat(path.Base(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return stamp{}, missing
	case err == nil && info.IsDir() && t.dir(name).root != nil:
		return stamp{}, missing
	case err != nil || !info.Mode().IsRegular():
		return stamp{}, other
	}
	return stampOf(info), file
}

// read returns the content of a file, and its stamp from before.
func (t *tree) read(name string, limit int64) ([]byte, stamp, error) {
	s, k := t.stat(name)
	if k != file || s.size > limit {
		return nil, s, fs.ErrInvalid
	}
	d := t.dir(path.Dir(name))
	if d.root == nil { // something has taken its place meanwhile
		return nil, s, fs.ErrInvalid
	}
	data, err := regular.Read(d.root, path.Base(name), limit)
	return data, s, err
}

// isStore reports whether a path is that of a file of a store, which no memory is about. On some file systems another
// case leads there, too.
func isStore(name string) bool { return strings.Contains("/"+strings.ToLower(name), "/.claude/ltm/") }
