package worktree

import (
	"errors"
	"io/fs"
	"path"
)

// handles are not needed on this system.
type handles struct{}

func (handles) close() {}

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
