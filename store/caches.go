package store

import (
	"errors"
	"io/fs"
	"os"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/busyfile"
	"ltm/internal/fs/regular"
)

// Caches save other processes work. Nothing depends on them.
const (
	cacheDir = "cache"
	cacheExt = ".bin"

	// maxCacheBytes is the size limit of what [View.ReadCache] reads.
	maxCacheBytes = 1 << 30
)

// ReadCache returns the data that [View.WriteCache] wrote under a name, or nil. Callers
// check it: a cache may be stale or damaged.
func (v *View) ReadCache(name string) []byte { return v.ReadCacheWithin(name, maxCacheBytes) }

// ReadCacheWithin is like [View.ReadCache], but reads nothing of a file that has more bytes than the limit.
func (v *View) ReadCacheWithin(name string, limit int64) []byte {
	dir := v.cacheRoot(false)
	if dir == nil {
		return nil
	}
	data, err := regular.Read(dir, name+cacheExt, limit)
	if err != nil {
		return nil
	}
	return data
}

// WriteCache writes data for other processes, best effort.
func (v *View) WriteCache(name string, data []byte) {
	if dir := v.cacheRoot(true); dir != nil {
		_ = atomicfile.ReplaceFast(dir, name+cacheExt, data)
	}
}

// cacheRoot opens the directory of the caches, or returns nil. With create it makes a missing one.
func (v *View) cacheRoot(create bool) *os.Root {
	if v.cache != nil || v.store.readOnly.Load() {
		return v.cache
	}
	root := v.treeRoot(create)
	if root == nil {
		return nil
	}
	var err error
	v.cache, err = regular.OpenDir(root, cacheDir)
	if errors.Is(err, fs.ErrNotExist) && create && root.Mkdir(cacheDir, dirPerm) == nil {
		v.cache, err = regular.OpenDir(root, cacheDir)
	}
	if err != nil {
		v.cache = nil
	}
	return v.cache
}

// eraseCaches removes the caches of this work tree.
func (tx *Tx) eraseCaches() error {
	root := tx.treeRoot(false)
	if root == nil {
		return nil
	}
	for _, name := range namesIn(root, cacheDir) {
		if err := busyfile.Remove(root, cacheDir+"/"+name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return storageError(err, "remove", tx.Path(cacheDir+"/"+name))
		}
	}
	return nil
}
