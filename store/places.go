package store

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/internal/git/gitdir"
	"ltm/memory"
)

// The permissions of new directories and files, less the umask.
const (
	dirPerm  = 0o755
	filePerm = 0o644
	ownPerm  = 0o700 // of the person's own directory
)

const (
	// Folder is where a store is in its project.
	Folder = ".claude/ltm"

	// LocalFolder is the directory of a store outside of git for the files that belong to this machine alone. It makes
	// git ignore it, in case the project becomes a repository.
	LocalFolder = ".local"
)

// Places are the directories of a store, as absolute paths. Only Store is in the work tree.
type Places struct {
	Store string // memories/, archives/ and config.json
	Tree  string // what belongs to the work tree: the undo journal, caches
	Clone string // what belongs to the clone: lock, stats, state, trust, log
	Key   string // the file of the secret that keys the trust record; empty: there is no place for one
	Local bool   // Tree and Clone are the store's own LocalFolder
	Named bool   // the user named Store, so it may be a symbolic link
	Own   bool   // Store is the person's own directory, which has other files of theirs too

	Git gitdir.Clone // git's directories, in which Tree and Clone are; empty outside of git
}

// otherTrees returns the Tree of each other work tree of the clone. Such a directory may be missing.
func (p Places) otherTrees() []string {
	private, err := filepath.Rel(p.Git.Common, p.Clone)
	if p.Git.Common == "" || err != nil {
		return nil
	}
	dirs := []string{p.Clone}
	for _, linked := range p.Git.Linked() {
		dirs = append(dirs, filepath.Join(linked.Dir, private))
	}
	return slices.DeleteFunc(dirs, func(dir string) bool { return dir == p.Tree })
}

// isDir reports whether path is a directory, through links.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// open opens the store's directory. Unless the user named it, it is reached from the
// project's directory, so that a link in its place cannot lead out of the project.
func (s *Store) open() (*os.Root, error) {
	if s.places.Named {
		return openNamed(s.places.Store, s.places.expected())
	}
	if err := s.CheckLinks(); err != nil { // a root follows links within the project, also into git's directory
		return nil, err
	}
	project, err := os.OpenRoot(s.project())
	if err != nil {
		return nil, err
	}
	defer project.Close()
	folder := filepath.FromSlash(Folder)
	// Stat follows links within the project.
	if info, err := project.Stat(folder); err == nil && !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: folder, Err: regular.ErrDir}
	}
	return project.OpenRoot(folder)
}

// mostTemps is how many temporary files of killed processes may be in a directory that counts as missing.
const mostTemps = 20

// openNamed opens a store that the user named. It refuses a directory that contains other
// files than those of expected; one without other files counts as missing.
func openNamed(path string, expected []string) (*os.Root, error) {
	root, err := regular.OpenPath(path)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{memoriesDir, archivesDir, LocalFolder} {
		if _, err := root.Lstat(name); err == nil {
			return root, nil
		}
	}
	defer root.Close()
	names, err := regular.Names(root, ".", len(expected)+mostTemps)
	if err != nil {
		return nil, err
	}
	other := func(name string) bool { return !slices.Contains(expected, name) && !isTemp(name) }
	if !slices.ContainsFunc(names, other) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	kind, subject := memory.KindStoreOccupied, path
	if inside := filepath.Join(path, filepath.FromSlash(Folder)); isDir(inside) {
		kind, subject = memory.KindStoreInside, inside
	}
	return nil, memory.NewError(memory.CodeInvalid, kind, subject,
		"%s is not a store: it holds other things, and no memories", path)
}

// expected returns the names of files in a directory that the user named which do not
// make it something else than a store: beside the person's memories are the secret of
// stores outside of git, and the files of a repository that has no memories yet.
func (p Places) expected() []string {
	if !p.Own {
		return nil
	}
	return []string{keyName, ".git", ignoreFile, attributesFile, configFile, "README.md"}
}

// project returns the directory that contains Folder.
func (s *Store) project() string { return filepath.Dir(filepath.Dir(s.places.Store)) }

// mkdir makes the store's directory, durably.
func (s *Store) mkdir() error {
	if s.places.Own {
		if err := makeOwn(s.places.Store); err != nil {
			return err
		}
	}
	if s.places.Named {
		return os.MkdirAll(filepath.Join(s.places.Store, memoriesDir), dirPerm) // by which it is known as a store
	}
	if err := s.CheckLinks(); err != nil {
		return err
	}
	project, err := os.OpenRoot(s.project())
	if err != nil {
		return err
	}
	defer project.Close()
	if err := project.MkdirAll(filepath.FromSlash(Folder), dirPerm); err != nil {
		return err
	}
	parent, err := project.OpenRoot(filepath.FromSlash(path.Dir(Folder)))
	if err != nil {
		return err
	}
	defer parent.Close()
	return errors.Join(atomicfile.SyncDir(parent, "."), atomicfile.SyncDir(project, "."))
}

// makeOwn makes the person's own directory. Its secret must not get into a repository that the person may make there.
func makeOwn(dir string) error {
	if err := os.MkdirAll(dir, ownPerm); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return writeRules(root, true)
}

// openClone opens the clone's directory. It returns nil if that does not exist yet.
func (s *Store) openClone(root *os.Root) (*os.Root, error) {
	var clone *os.Root
	var err error
	if s.places.Local {
		clone, err = regular.OpenDir(root, LocalFolder)
	} else {
		clone, err = regular.OpenPath(s.places.Clone)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return clone, storageError(err, "open", s.places.Clone)
}

// makeClone makes the clone's directory. In the work tree it makes git ignore it.
func (s *Store) makeClone(root *os.Root) error {
	if !s.places.Local {
		return storageError(os.MkdirAll(s.places.Clone, dirPerm), "create", s.places.Clone)
	}
	if err := root.Mkdir(LocalFolder, dirPerm); err != nil && !errors.Is(err, fs.ErrExist) {
		return storageError(err, "create", s.places.Clone)
	}
	err := atomicfile.Create(root, LocalFolder+"/"+ignoreFile, []byte("*\n"), filePerm)
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return storageError(err, "create", LocalFolder+"/"+ignoreFile)
}

// treeRoot opens the directory of what belongs to the work tree, or returns nil. With create it
// makes a missing one, best effort.
func (v *View) treeRoot(create bool) *os.Root {
	if v.elsewhere != nil {
		return v.elsewhere
	}
	if v.tree != nil || v.root == nil {
		return v.tree
	}
	p := v.store.places
	if p.Tree == p.Clone {
		if v.clone == nil && create && v.store.makeClone(v.root) == nil {
			v.clone, _ = v.store.openClone(v.root)
		}
		return v.clone
	}
	if create {
		_ = os.MkdirAll(p.Tree, dirPerm)
	}
	v.tree, _ = regular.OpenPath(p.Tree)
	return v.tree
}

// openForChange opens what a change needs, and makes what is missing. Without create, a missing store is an error. The
// clone's directory comes first: no store is made if its counters cannot be kept.
func (s *Store) openForChange(create bool) (*View, error) {
	if s.readOnly.Load() {
		return nil, storageError(fs.ErrPermission, "change", s.places.Store)
	}
	root, err := s.open()
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case missing && !create:
		return nil, memory.NewError(memory.CodeNotFound, memory.KindStoreMissing, s.places.Store,
			"there is no store at %s", s.places.Store)
	case missing:
		if !s.places.Local {
			if err := s.makeClone(nil); err != nil {
				return nil, err
			}
		}
		if err = s.mkdir(); err != nil {
			return nil, storageError(err, "create", s.places.Store)
		}
		root, err = s.open()
	}
	if err != nil {
		return nil, storageError(err, "open", s.places.Store)
	}
	v := &View{store: s, root: root}
	if v.clone, err = s.openClone(root); err == nil && v.clone == nil {
		if err = s.makeClone(root); err == nil {
			v.clone, err = s.openClone(root)
		}
	}
	if err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}
