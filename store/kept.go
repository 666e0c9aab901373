package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"ltm/store/scan"
)

// kept is what a watched store keeps between views: its open directories and what was read of its
// small files. The kernel names every change in the directories, so what it has not named is as it
// was. Where it does not report all changes, nothing is kept.
type kept struct {
	root, clone *os.Root
	dirs        map[string]*os.Root
	watch       *scan.Watch // of root and clone
	spots       []spot
	small       *small // replaced by an empty one when a file has changed

	users   int
	dropped bool // the last user closes it
}

// spot is a path that must still lead to the same directory. Only it can tell that a directory
// above the store was moved, or that another one was put in its place.
type spot struct {
	path string
	look func(string) (fs.FileInfo, error)
	info fs.FileInfo
}

// small is what was read of the small files since one of them changed. All views share it, so
// its values must not be changed.
type small struct {
	number uint64      // no other small of the store has it
	clear  atomic.Bool // no batch waits to be resumed

	mu      sync.Mutex
	stats   once[Stats]
	state   once[*State]
	team    once[configJSON]
	derived any
}

// unwatchedViews is how many views pass before a store that could not be watched is tried again.
const unwatchedViews = 100

// fromKept returns a view that uses what is kept, or nil.
func (s *Store) fromKept() *View {
	s.keeping.Lock()
	defer s.keeping.Unlock()
	k := s.kept
	if k == nil {
		return nil
	}
	changed, known := k.watch.Changed()
	if !known || !k.isThere() {
		s.kept, k.dropped = nil, true
		k.closeUnused()
		return nil
	}
	if changed {
		k.small = s.newSmall()
	}
	k.users++
	return &View{store: s, root: k.root, clone: k.clone, kept: k, small: k.small}
}

// newSmall returns an empty small. The caller holds s.keeping.
func (s *Store) newSmall() *small {
	s.smalls++
	return &small{number: s.smalls}
}

// keep lets later views use the directories of a view.
func (s *Store) keep(v *View) {
	if !s.watching.Load() || v.clone == nil {
		return
	}
	s.keeping.Lock()
	defer s.keeping.Unlock()
	if s.kept != nil {
		return
	}
	if s.unwatched > 0 {
		s.unwatched--
		return
	}
	k := &kept{root: v.root, clone: v.clone, dirs: v.dirs, watch: scan.NewWatch(v.root, v.clone), users: 1}
	if k.watch == nil {
		s.unwatched = unwatchedViews
		return
	}
	if !k.fix(s) {
		k.watch.Close()
		return
	}
	if k.dirs == nil {
		k.dirs = map[string]*os.Root{}
	}
	k.small = s.newSmall()
	s.kept, v.kept, v.small, v.dirs = k, k, k.small, nil
}

// fix notes where the directories are. It reports false if they are no longer those of the store: what
// happened before the watch began is not among its events.
func (k *kept) fix(s *Store) bool {
	again, err := s.open()
	if err != nil {
		return false
	}
	defer again.Close()
	clone, err := s.openClone(again)
	if err != nil || clone == nil {
		return false
	}
	defer clone.Close()
	if !isSame(k.root, again) || !isSame(k.clone, clone) {
		return false
	}
	if s.places.Named {
		k.spots = []spot{{path: s.places.Store, look: os.Stat}}
	} else { // a link on the way could lead out of the project
		k.spots = []spot{{path: filepath.Dir(s.places.Store), look: os.Lstat}, {path: s.places.Store, look: os.Lstat}}
	}
	if !s.places.Local {
		k.spots = append(k.spots, spot{path: s.places.Clone, look: os.Stat})
	}
	for i := range k.spots {
		at := &k.spots[i]
		if at.info, err = at.look(at.path); err != nil || !at.info.IsDir() {
			return false
		}
	}
	return true
}

// isSame reports whether two open directories are one.
func isSame(a, b *os.Root) bool {
	x, errX := a.Lstat(".")
	y, errY := b.Lstat(".")
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// isThere reports whether all paths lead where they did.
func (k *kept) isThere() bool {
	for _, at := range k.spots {
		if !at.isThere() {
			return false
		}
	}
	return true
}

func (at spot) isThere() bool {
	info, err := at.look(at.path)
	return err == nil && os.SameFile(info, at.info)
}

// keptDir opens a directory of the store, once for all views.
func (v *View) keptDir(name string) (*os.Root, error) {
	v.store.keeping.Lock()
	defer v.store.keeping.Unlock()
	return openOnce(v.kept.dirs, v.root, name)
}

// unuse ends a view's use of what is kept.
func (s *Store) unuse(k *kept) {
	s.keeping.Lock()
	defer s.keeping.Unlock()
	k.users--
	k.closeUnused()
}

func (k *kept) closeUnused() {
	if !k.dropped || k.users > 0 {
		return
	}
	k.watch.Close()
	closeRoots(k.root, k.clone, k.dirs[memoriesDir], k.dirs[archivesDir])
}

// shared returns what views share of a file, which is read on first use. read reports whether its
// value lasts until the watch names a change; errors never last.
func shared[T any](v *View, pick func(*small) *once[T], read func() (T, bool, error)) (T, error) {
	if v.small == nil {
		value, _, err := read()
		return value, err
	}
	v.small.mu.Lock()
	defer v.small.mu.Unlock()
	o := pick(v.small)
	if o.done {
		return o.value, nil
	}
	value, lasts, err := read()
	if lasts && err == nil {
		*o = once[T]{done: true, value: value}
	}
	return value, err
}

// Detach makes the values that State and Stats return from now on the caller's own, to change
// them. Others may be shared with other views.
func (v *View) Detach() {
	v.small = nil
	v.state.done, v.stats.done, v.team.done = false, false, false
}

// Derive returns what make derives from a state and the team's settings. Views that share the two
// share the result too, if make says that it depends on nothing else.
func Derive[T any](v *View, state *State, make func() (value T, alone bool)) T {
	s := v.small
	if s == nil {
		value, _ := make()
		return value
	}
	s.mu.Lock()
	value, known := s.derived.(T)
	sound := s.state.done && s.state.value == state
	s.mu.Unlock()
	if known && sound {
		return value
	}
	value, alone := make()
	s.mu.Lock()
	defer s.mu.Unlock()
	if sound && alone && s.team.done {
		s.derived = value
	}
	return value
}
