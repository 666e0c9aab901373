package gitstore

import (
	"path/filepath"
	"strings"

	"ltm/engine/locate"
	"ltm/internal/git/gitcmd"
	"ltm/store"
)

// Store is a store that may be in a git work tree.
type Store struct {
	Place   locate.Place
	Environ []string // of the process; git's environment is derived from it
}

// project returns the directory that the store belongs to, and that of the store.
func (s Store) project() (project, dir string) {
	dir = s.Place.Store
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if above, ok := strings.CutSuffix(filepath.ToSlash(dir), "/"+store.Folder); ok {
		return filepath.FromSlash(above + "/"), dir
	}
	if s.Place.Own {
		return dir, dir // a repository of its own, or none
	}
	return filepath.Dir(dir), dir
}

// open opens the work tree of the store, and returns the store's path in it, with a slash at the
// end.
func (s Store) open() (tree *gitcmd.Tree, prefix string, err error) {
	project, dir := s.project()
	tree, err = gitcmd.Open(project, dir, s.Environ)
	if err != nil {
		return nil, "", err
	}
	prefix, err = tree.Rel(dir)
	return tree, prefix + "/", err
}
