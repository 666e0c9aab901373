package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/busyfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
)

// resume continues a batch that a killed process began in this work tree.
func (tx *Tx) resume() error {
	root := tx.treeRoot(false)
	if root == nil {
		return nil
	}
	data, err := regular.Read(root, batchFile, maxBatchBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil && !errors.Is(err, regular.ErrKind) && !errors.Is(err, regular.ErrSize) {
		return storageError(err, "read", tx.Path(batchFile)) // it may be sound, and readable later
	}
	var list batchList
	if err == nil {
		err = decodeVersioned(batchFile, data, &list, &list.Version)
	}
	if err == nil {
		err = list.check()
	}
	switch {
	case memory.CodeOf(err) == memory.CodeConflict: // of a newer version
		return err
	case err != nil:
		err = busyfile.Rename(root, batchFile, damagedCopy(root, batchFile))
		return storageError(err, "rename", tx.Path(batchFile))
	}
	tx.changing(memoriesDir)
	tx.changing(archivesDir)
	return tx.place(&list, placeLooked)
}

// check refuses a list that no batch has written.
func (l *batchList) check() error {
	for _, f := range l.Files {
		target, ok := atomicfile.TempOf(f.Temp)
		if _, name, err := splitPath(f.Folder + "/" + f.Name); err != nil || !ok || name != target || !isOwn(name) {
			return fs.ErrInvalid
		}
	}
	return nil
}

// goOnWait is how long a reader waits for the lock to continue a batch.
const goOnWait = 10 * time.Millisecond

// goOn resumes a batch before a reader looks, if the lock is free. The reader does
// not depend on it: it sees each file whole in any case. It reports whether there was none.
func (s *Store) goOn() (none bool) {
	if _, err := os.Lstat(filepath.Join(s.places.Tree, batchFile)); err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	if s.readOnly.Load() {
		return false
	}
	_ = s.Update(context.Background(), UpdateOptions{Wait: goOnWait}, (*Tx).prepare)
	return false
}
