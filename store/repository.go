package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/store/trust"
)

// gitFolder is git's directory at the top of a repository.
const gitFolder = ".git"

// stagedRepository is where a new repository of the store is made: in LocalFolder, which git
// ignores, and which the last step removes.
const stagedRepository = LocalFolder + "/repository"

// ToRepository makes a store outside of git a repository of its own. make makes a repository in an
// empty directory, and returns the path below its .git for what belongs to this machine. That is
// copied there first, so that the store is either outside of git or a repository with all of it.
func (s *Store) ToRepository(ctx context.Context, o UpdateOptions, make func(dir string) (string, error)) error {
	return s.Update(ctx, o, func(tx *Tx) error {
		if err := tx.WriteRules(); err != nil {
			return err
		}
		if err := tx.root.RemoveAll(stagedRepository); err != nil {
			return storageError(err, "remove", stagedRepository)
		}
		if err := tx.root.Mkdir(stagedRepository, dirPerm); err != nil {
			return storageError(err, "create", stagedRepository)
		}
		private, err := make(path.Join(s.places.Store, stagedRepository))
		if err != nil {
			return err
		}
		git := stagedRepository + "/" + gitFolder
		if err := tx.copyPrivate(git + "/" + private); err != nil {
			return storageError(err, "write", git)
		}
		if err := tx.root.Rename(git, gitFolder); err != nil {
			return storageError(err, "write", gitFolder)
		}
		if err := atomicfile.SyncDir(tx.root, "."); err != nil {
			return storageError(err, "write", gitFolder)
		}
		// The copies count from now on. Leftovers that cannot be removed do no harm.
		_ = tx.root.RemoveAll(LocalFolder)
		return nil
	})
}

// copyPrivate copies what belongs to this machine, and the secret of its trust record.
func (tx *Tx) copyPrivate(to string) error {
	if err := tx.root.MkdirAll(to, dirPerm); err != nil {
		return err
	}
	target, err := tx.root.OpenRoot(to)
	if err != nil {
		return err
	}
	defer target.Close()
	for _, dir := range []string{".", undoDir, asideDir} {
		if err := copyFiles(tx.clone, target, dir); err != nil {
			return err
		}
	}
	return trust.CopyKey(tx.store.places.Key, target, keyName)
}

// copyFiles copies the regular files of a directory, but not those that a new place creates itself.
func copyFiles(from, to *os.Root, dir string) error {
	names := namesIn(from, dir)
	if dir != "." && len(names) > 0 {
		if err := to.MkdirAll(dir, dirPerm); err != nil {
			return err
		}
	}
	for _, name := range names {
		if name == lockFile || name == ignoreFile || isTemp(name) {
			continue
		}
		full := path.Join(dir, name)
		if info, err := from.Lstat(full); err != nil || !info.Mode().IsRegular() {
			continue
		}
		data, err := regular.Read(from, full, maxCacheBytes)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		sub, err := to.OpenRoot(dir)
		if err != nil {
			return err
		}
		err = atomicfile.Replace(sub, name, data)
		sub.Close()
		if err != nil {
			return err
		}
	}
	return nil
}
