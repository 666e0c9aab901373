package worktree

import (
	"context"
	"path"
	"path/filepath"

	"ltm/internal/git/gitindex"
	"ltm/memory/refs"
)

const (
	// maxCompared is the size of a file that is read to compare it with git's. A larger one whose
	// time differs counts as changed.
	maxCompared = 16 << 20

	// maxComparedAll bounds how much is read for one answer. Files after that count as changed.
	maxComparedAll = 256 << 20
)

// Changed returns the paths of the files and links of a work tree that differ from those in git's index: of those that
// git was not told to take for unchanged, and that wanted wants. It stops when the context ends. If the index cannot be
// read, there are none.
func Changed(ctx context.Context, top, gitDir string, wanted func(path string) bool) []string {
	x, ok := readIndex(gitDir, Thorough().Index)
	if !ok {
		return nil
	}
	t, err := openTree(top)
	if err != nil {
		return nil
	}
	defer t.close()
	t.nested = true
	c := comparer{tree: t, index: x, left: maxComparedAll}
	var found []string
	_ = gitindex.All(x.data, func(e gitindex.Entry) bool {
		if ctx.Err() != nil {
			return false
		}
		name := string(e.Path)
		// git writes no path that leads outside, but an index can come with a download
		if !e.Absent && !e.Assumed && filepath.IsLocal(name) && wanted(name) && c.differs(name, e) {
			found = append(found, name)
		}
		return true
	})
	return found
}

// comparer compares files of a work tree with git's.
type comparer struct {
	tree  *tree
	index index
	left  int64 // bytes that may still be read
}

func (c *comparer) differs(name string, e gitindex.Entry) bool {
	if d := c.tree.dir(path.Dir(name)); e.Link && d.root != nil {
		if target, err := d.root.Readlink(path.Base(name)); err == nil {
			return !e.Is(refs.Blob([]byte(filepath.ToSlash(target)), e.Digits()))
		} // where there are no links, git writes files in their place
	}
	s, k := c.tree.stat(name)
	if k != file {
		return true
	}
	if c.index.same(e, s) {
		return false
	}
	if s.size > min(maxCompared, c.left) {
		return true
	}
	data, _, err := c.tree.read(name, maxCompared)
	c.left -= int64(len(data))
	return err != nil || !refs.IsBlob(data, e.ID())
}
