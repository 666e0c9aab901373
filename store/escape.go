package store

import (
	"io/fs"
	"os"
	"path/filepath"

	"ltm/internal/git/gitdir"
	"ltm/memory"
)

// CheckLinks returns an error if the store's directory, or the one above it, is a
// symbolic link that leads out of the project, or into git's directory. Nothing is read through such a link.
func (s *Store) CheckLinks() error {
	if s.places.Named {
		return nil
	}
	path := s.project()
	for _, name := range []string{filepath.Dir(s.places.Store), s.places.Store} {
		path = filepath.Join(path, filepath.Base(name))
		info, err := os.Lstat(path)
		if err != nil {
			return nil
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		real, err := filepath.EvalSymlinks(s.project())
		if err != nil {
			return nil // the project has just gone
		}
		target, err := filepath.EvalSymlinks(path)
		if err != nil {
			if target, err = os.Readlink(path); err != nil {
				return nil
			}
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		if rel, err := filepath.Rel(real, target); err != nil || !filepath.IsLocal(rel) || gitdir.Within(rel) {
			return s.leadsOut(path, target)
		}
	}
	return nil
}

// leadsOut names a link, and says how to use the store that it leads to.
func (s *Store) leadsOut(link, target string) error {
	below, err := filepath.Rel(link, s.places.Store)
	if err != nil {
		below = "."
	}
	return memory.NewError(memory.CodeStorage, memory.KindLinkOut, filepath.Join(target, below),
		"%s is a symbolic link that leads out of the project, to %s", link, target)
}
