package locate

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"ltm/internal/git/gitdir"
	"ltm/store"
)

// Shelf is the store of a person, beside those of projects.
type Shelf struct {
	Place
	None string // why there can be none here, for people; empty: there can be one
}

// ShelfOf returns the store in the person's own directory, beside the store of a project. None is used if that
// directory is the project's store, or is in the project: nothing of a person enters a project, where git would add it.
func ShelfOf(w Where, project Place) Shelf {
	dir := w.Person
	switch {
	case dir == "":
		return Shelf{None: "the environment names no directory for it"}
	case !filepath.IsAbs(dir):
		return Shelf{None: fmt.Sprintf("LTM_USER_DIR is %q, which is not an absolute path", dir)}
	}
	dir = filepath.Clean(dir)
	s := Shelf{Place: Place{Places: shelfPlaces(dir), Why: "the person's own directory"}}
	if gitdir.SameFile(dir, project.Store) {
		s.None = dir + " is the store of this project"
		return s
	}
	for _, top := range w.topsOf(project) {
		if Within(dir, top) {
			s.None = dir + " is in this project, " + top
			return s
		}
	}
	return s
}

// topsOf returns the directories that belong to a project: its store, its own directory unless
// that contains the person's home directory, and its work tree.
func (w Where) topsOf(project Place) []string {
	var tops []string
	if isDir(project.Store) {
		tops = append(tops, project.Store)
	}
	dirs := []string{absolute(cmp.Or(w.Project, w.Cwd))}
	if dir, ok := strings.CutSuffix(filepath.ToSlash(project.Store), "/"+store.Folder); ok {
		dirs = append(dirs, filepath.FromSlash(dir))
	}
	for _, dir := range dirs {
		nearest, below := existing(dir)
		if below == "." && !Within(w.Home, nearest) {
			tops = append(tops, nearest)
		}
		if top := gitdir.Top(nearest); top != "" {
			tops = append(tops, top)
		}
	}
	return tops
}

// shelfPlaces returns where the files of a person's store are. Only git's directory of its own
// repository counts: one further up belongs to something else.
func shelfPlaces(dir string) store.Places {
	real, _ := existing(dir)
	if top := gitdir.Top(real); top == "" || !gitdir.SameFile(top, dir) {
		local := filepath.Join(dir, store.LocalFolder)
		return store.Places{Store: dir, Clone: local, Tree: local, Key: filepath.Join(dir, keyFile), Local: true,
			Named: true, Own: true}
	}
	p := Places(dir, dir)
	p.Named, p.Own = true, true
	return p
}

// Within reports whether a directory, which may not exist yet, is another one or below it.
func Within(dir, other string) bool {
	real, _ := existing(dir)
	for ; ; real = filepath.Dir(real) {
		if gitdir.SameFile(real, other) {
			return true
		}
		if filepath.Dir(real) == real {
			return false
		}
	}
}
