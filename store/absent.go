package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"ltm/store/scan"
)

// absent is what a watched store knows while it does not exist: most people have no store of their own,
// and no answer should look for one on the disk. The kernel names every change in the directory
// where the store, or the way to it, would begin.
type absent struct {
	watch *scan.Watch
	at    spot
	sure  bool // nothing has happened there since a view found no store
	looks int  // how often something had happened
}

// IsAbsent reports whether there is no store, if the kernel can tell. It does not wait for a disk.
func (s *Store) IsAbsent() bool {
	s.keeping.Lock()
	defer s.keeping.Unlock()
	a := s.absent
	if a == nil {
		return false
	}
	quiet, alive := a.watch.Quiet()
	if !alive || !a.at.isThere() {
		a.watch.Close()
		s.absent = nil
		return false
	}
	if !quiet {
		a.sure = false
		a.looks++
	}
	return a.sure
}

// absentLooks is what noteAbsent needs from before the store was found missing.
func (s *Store) absentLooks() int {
	s.keeping.Lock()
	defer s.keeping.Unlock()
	if s.absent == nil {
		return -1
	}
	return s.absent.looks
}

// noteAbsent notes that there was no store after looks was taken.
func (s *Store) noteAbsent(looks int) {
	if !s.watching.Load() {
		return
	}
	s.keeping.Lock()
	defer s.keeping.Unlock()
	if a := s.absent; a != nil && nearest(s.places.Store) == a.at.path {
		a.sure = a.sure || a.looks == looks
		return
	} else if a != nil { // there is more of the way by now
		a.watch.Close()
		s.absent = nil
	}
	if s.unwatched > 0 {
		s.unwatched--
		return
	}
	at := spot{path: nearest(s.places.Store), look: os.Stat}
	root, err := os.OpenRoot(at.path)
	if err != nil {
		return
	}
	defer root.Close()
	if at.info, err = root.Stat("."); err != nil {
		return
	}
	watch := scan.NewWatch(root)
	if watch == nil {
		s.unwatched = unwatchedViews
		return
	}
	again, err := s.open() // what was made before the watch began is not among its events
	if err == nil {
		again.Close()
	}
	if !errors.Is(err, fs.ErrNotExist) || nearest(s.places.Store) != at.path || !at.isThere() {
		watch.Close()
		return
	}
	s.absent = &absent{watch: watch, at: at, sure: true}
}

// nearest returns the first directory on the way up from a path, or "" if something else is there.
func nearest(path string) string {
	for {
		info, err := os.Stat(path)
		if err == nil && info.IsDir() {
			return path
		}
		if _, err = os.Lstat(path); !errors.Is(err, fs.ErrNotExist) { // a file, or a link to nowhere
			return ""
		}
		parent := filepath.Dir(path)
		if parent == path {
			return ""
		}
		path = parent
	}
}
