package store

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ltm/internal/fs/busyfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store/scan"
)

// View reads the store at about one moment: each file is whole, but another process may change the next one in between.
// A View remembers what it has read until it ends. Only the texts of memories are read each time.
type View struct {
	store *Store
	root  *os.Root            // nil: there is no store
	clone *os.Root            // nil: nothing was written for this clone yet
	tree  *os.Root            // of the work tree; nil: not opened, or the same as clone
	cache *os.Root            // nil: not opened, or missing
	dirs  map[string]*os.Root // by path

	elsewhere *os.Root // in place of tree: that of another work tree; nil: none

	local    *os.Root // LocalFolder from before the project became a repository; nil: none
	ownRoot  *os.Root // where stats and state are; nil: not known yet
	ownOlder bool     // that is in the work tree, and is to be taken over

	stats  once[Stats]
	state  once[*State]
	team   once[configJSON]
	record once[*Trust]
	looked map[look]*Snapshot
	temps  map[string][]string // temporary files, by directory
}

type look struct {
	folder string
	quick  bool
}

type once[T any] struct {
	done  bool
	value T
	err   error
}

func (o *once[T]) get(read func() (T, error)) (T, error) {
	if !o.done {
		o.value, o.err = read()
		o.done = true
	}
	return o.value, o.err
}

func (o *once[T]) sound() bool { return o.done && o.err == nil }

// dir opens a directory of the store, or one in such a directory, once.
func (v *View) dir(path string) (*os.Root, error) {
	if dir := v.dirs[path]; dir != nil {
		return dir, nil
	}
	root, name := v.rootOf(path), path
	if above, sub, ok := strings.Cut(path, "/"); ok {
		var err error
		if root, err = v.dir(above); err != nil {
			return nil, err
		}
		name = sub
	}
	if root == nil {
		return nil, fs.ErrNotExist
	}
	dir, err := regular.OpenDir(root, name)
	if err != nil {
		return nil, err
	}
	if v.dirs == nil {
		v.dirs = map[string]*os.Root{}
	}
	v.dirs[path] = dir
	return dir, nil
}

// rootOf returns the directory that a path of the store begins in: that of the clone for drafts, which may not exist.
func (v *View) rootOf(path string) *os.Root {
	if path == draftsDir {
		return v.clone
	}
	return v.root
}

func (v *View) close() {
	closeRoots(v.root, v.clone, v.tree, v.cache, v.local)
	closeRoots(slices.Collect(maps.Values(v.dirs))...)
}

func closeRoots(roots ...*os.Root) {
	for _, root := range roots {
		if root != nil {
			_ = root.Close()
		}
	}
}

func (v *View) Exists() bool { return v.root != nil }

func (v *View) Own() bool { return v.store.places.Own }

// Memories returns the memories, and the stubs of archived ones.
func (v *View) Memories() (*Snapshot, error) {
	return v.snapshot(context.Background(), memoriesDir, false)
}

// MemoriesQuick is [View.Memories] without a look at every file: it can miss edits in place until the next full look.
func (v *View) MemoriesQuick() (*Snapshot, error) {
	return v.snapshot(context.Background(), memoriesDir, true)
}

// Archives returns the newest archived version of every memory that has one.
func (v *View) Archives() (*Snapshot, error) {
	return v.snapshot(context.Background(), archivesDir, false)
}

// ArchivesQuick is [View.Archives] without a look at every file.
func (v *View) ArchivesQuick() (*Snapshot, error) {
	return v.snapshot(context.Background(), archivesDir, true)
}

// MemoriesWithin is [View.MemoriesQuick] until the context ends: then the error is that of the context, and the next
// look goes on from what was read.
func (v *View) MemoriesWithin(ctx context.Context) (*Snapshot, error) {
	return v.snapshot(ctx, memoriesDir, true)
}

// ArchivesWithin is [View.ArchivesQuick] until the context ends, as [View.MemoriesWithin].
func (v *View) ArchivesWithin(ctx context.Context) (*Snapshot, error) {
	return v.snapshot(ctx, archivesDir, true)
}

// Read returns the file of a memory. One that is only a stub is CodeNotFound.
func (v *View) Read(id memory.ID) (*memfile.File, error) {
	file, err := v.read(memoriesDir, id.File(), "memory", id)
	if err == nil && file.Memory.IsStub() {
		return nil, missingError("memory", id)
	}
	return file, err
}

func (v *View) ReadStub(id memory.ID) (*memfile.File, error) {
	file, err := v.read(memoriesDir, id.File(), "stub", id)
	if err == nil && !file.Memory.IsStub() {
		return nil, missingError("stub", id)
	}
	return file, err
}

func missingError(what string, id memory.ID) error {
	return memory.NewError(memory.CodeNotFound, memory.KindMemoryUnknown, string(id), "there is no %s %s", what, id)
}

func (v *View) read(folder, name, what string, id memory.ID) (*memfile.File, error) {
	missing := missingError(what, id)
	if v.root == nil || name == "" {
		return nil, missing
	}
	sub, err := v.dir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing
	}
	if err != nil {
		return nil, storageError(err, "open", folder)
	}
	file, err := scan.Read(sub, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, missing
	case memory.CodeOf(err) == memory.CodeUnreadable:
		return nil, memory.NewError(memory.CodeUnreadable, memory.KindMemoryDamaged, string(id),
			"%s/%s cannot be read: %s", folder, name, scan.Problem(err))
	}
	return file, storageError(err, "read", folder+"/"+name)
}

// Stats returns the use of memories. For a damaged file it returns an empty value and an error.
func (v *View) Stats() (Stats, error) { return v.stats.get(v.readStats) }

func (v *View) readStats() (Stats, error) {
	root, older := v.own()
	stats, err := readVersioned(root, statsFile, Stats{}, decodeStats)
	if older && doubtful(err) {
		err = nil
	}
	return stats, err
}

// State returns this clone's state. For a damaged file it returns an empty value and an error.
func (v *View) State() (*State, error) { return v.state.get(v.readState) }

func (v *View) readState() (*State, error) {
	root, older := v.own()
	state, err := readVersioned(root, stateFile, (&State{}).complete(), decodeState)
	if older {
		state = state.counters()
		if doubtful(err) {
			err = nil
		}
	}
	return state, err
}

func (v *View) Size() (int64, error) {
	if v.root == nil {
		return 0, nil
	}
	var total int64
	err := fs.WalkDir(v.root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // it was removed meanwhile
		}
		if d.IsDir() && path == LocalFolder {
			return fs.SkipDir
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
		return nil
	})
	return total, storageError(err, "measure", v.store.places.Store)
}

// Taken reports whether a memory, a stub or an archive has that id.
func (v *View) Taken(id memory.ID) bool {
	return v.has(memoriesDir+"/"+id.File()) || v.has(archivesDir+"/"+id.File())
}

// HasMemory reports whether a memory or a stub has that id.
func (v *View) HasMemory(id memory.ID) bool { return v.has(memoriesDir + "/" + id.File()) }

func (v *View) has(path string) bool {
	if v.root == nil {
		return false
	}
	_, err := busyfile.Lstat(v.root, path)
	return err == nil
}

// Path returns the path of a file of the store for messages: an absolute path for the
// clone's own files, and one relative to the store for others.
func (v *View) Path(name string) string {
	switch {
	case name == undoFile:
		return filepath.Join(v.store.places.Tree, name)
	case isCloneFile(name):
		return filepath.Join(v.store.places.Clone, name)
	}
	return name
}

// isCloneFile reports whether a name is that of one of the clone's own files.
func isCloneFile(name string) bool {
	switch name {
	case statsFile, stateFile, candidatesFile, trustFile, logFile, keyName:
		return true
	}
	return strings.HasPrefix(name, asideDir+"/")
}
