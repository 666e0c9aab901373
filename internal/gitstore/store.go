package gitstore

import (
	"path/filepath"
	"strings"

	"ltm/internal/gitcmd"
	"ltm/internal/locate"
	"ltm/store"
)

// Store is a store that may be in a git work tree.
type Store struct {
	Place   locate.Place
	Environ []string // of the process; git's environment is derived from it
}

// open opens the work tree of the store, and returns the store's path in it, with a slash at the
// end.
func (s Store) open() (tree *gitcmd.Tree, prefix string, err error) {
	dir := s.Place.Store
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	project := filepath.Dir(dir)
	if s.Place.Own {
		project = dir // a repository of its own, or none
	}
	if above, ok := strings.CutSuffix(filepath.ToSlash(dir), "/"+store.Folder); ok {
		project = filepath.FromSlash(above + "/")
	}
	tree, err = gitcmd.Open(project, dir, s.Environ)
	if err != nil {
		return nil, "", err
	}
	prefix, err = tree.Rel(dir)
	return tree, prefix + "/", err
}
