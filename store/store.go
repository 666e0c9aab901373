package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"ltm/internal/busyfile"
	"ltm/memory"
)

// Store is a directory of memories and what one clone knows of them. It may not
// exist yet: then it reads as empty until the first [Store.Update] with Create. It
// may be used by several goroutines, and other processes may change the files at
// any time.
type Store struct {
	places Places
	now    func() time.Time
	turn   chan struct{} // holds one value while a call has the lock, or waits for it

	mu       sync.Mutex // guards what follows
	watching bool
	folders  map[string]*folderMemo
}

// folderMemo is the newest known state of one directory, and its ordered form.
type folderMemo struct {
	state    *folderState
	snapshot *Snapshot
	watch    *watch // nil: not watched
}

// New returns the store at these places. now is the clock.
func New(places Places, now func() time.Time) *Store {
	return &Store{places: places, now: now, turn: make(chan struct{}, 1), folders: map[string]*folderMemo{}}
}

// Watch makes a process that lives long ask the system for changes, where it
// tells them reliably, instead of looking at every file.
func (s *Store) Watch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watching = true
}

// Dir returns the store's directory.
func (s *Store) Dir() string { return s.places.Store }

// Places returns the directories of the store.
func (s *Store) Places() Places { return s.places }

// Exists reports whether the store's directory exists. One that was named outright
// and is empty is not a store yet; one that holds other things counts as there, so
// that whoever uses it is told.
func (s *Store) Exists() bool {
	if !s.places.Named || !isDir(s.places.Store) {
		return isDir(s.places.Store)
	}
	root, err := s.open()
	if err == nil {
		root.Close()
	}
	return !errors.Is(err, fs.ErrNotExist)
}

// View reads the store. fn must not keep the View. A store that does not exist
// reads as empty.
func (s *Store) View(fn func(*View) error) error {
	root, err := s.open()
	if errors.Is(err, fs.ErrNotExist) {
		return fn(&View{store: s})
	}
	if err != nil {
		return storageError(err, "open", s.places.Store)
	}
	v := &View{store: s, root: root}
	defer v.close()
	if v.clone, err = s.openClone(root); err != nil {
		return err
	}
	return fn(v)
}

// UpdateOptions says how [Store.Update] behaves.
type UpdateOptions struct {
	Wait   time.Duration // how long to wait for the lock
	Create bool          // make the store when it is missing; otherwise that is CodeNotFound
}

// Update changes the store under its lock. What fn writes to memory files is on
// the disk when the call of the [Tx] returns; stats and state follow when fn has
// returned nil.
func (s *Store) Update(ctx context.Context, o UpdateOptions, fn func(*Tx) error) error {
	v, err := s.openForChange(o.Create)
	if err != nil {
		return err
	}
	tx := &Tx{View: *v}
	defer tx.close()
	unlock, err := s.lock(ctx, v.clone, o.Wait)
	if err != nil {
		return err
	}
	defer unlock()
	if err := tx.takeOver(); err != nil {
		return err
	}
	err = fn(tx)
	if err == nil {
		err = tx.commit()
	}
	tx.writeUndo()
	tx.writeLog() // what fn did stands, whatever became of the rest
	return err
}

// folder returns a snapshot of a directory of memory files, reading what changed.
// Cold processes begin with what the cache file holds.
func (v *View) folder(name string, quick bool) (*Snapshot, error) {
	s := v.store
	s.mu.Lock()
	defer s.mu.Unlock()
	sub, err := openFolder(v.root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return &Snapshot{}, nil
	}
	if err != nil {
		return nil, storageError(err, "open", name)
	}
	defer sub.Close()
	memo := s.folders[name]
	if memo == nil {
		memo = &folderMemo{state: loadCache(v.treeRoot(false), name)}
		s.folders[name] = memo
	}
	if s.watching && !memo.watch.watches(sub) {
		memo.watch.close()
		memo.watch = newWatch(sub) // before the scan, so that nothing falls in between
	} else if memo.watch.quiet() && memo.snapshot != nil {
		return memo.snapshot, nil
	}
	state, err := scan(sub, memo.state, quick, s.now())
	if err != nil {
		return nil, storageError(err, "read", name)
	}
	if state != memo.state || memo.snapshot == nil {
		if state != memo.state {
			saveCache(v.treeRoot(true), name, state)
		}
		memo.state, memo.snapshot = state, state.snapshot()
	}
	return memo.snapshot, nil
}

// View reads the store at about one moment: each file is whole, but another
// process may change the next one in between.
type View struct {
	store *Store
	root  *os.Root // nil: there is no store
	clone *os.Root // nil: nothing was written for this clone yet
	tree  *os.Root // for caches; nil: not opened, or the same as clone

	local    *os.Root // LocalFolder of the time before the project became a repository; nil: none
	ownRoot  *os.Root // where stats and state are; nil: not known yet
	ownOlder bool     // that is the work tree, in an older layout

	statsRead, stateRead bool // the file was read and is sound
}

// Exists reports whether there is a store.
func (v *View) Exists() bool { return v.root != nil }

// Memories returns the memories that have a file, and the stubs of those that
// were set aside.
func (v *View) Memories() (*Snapshot, error) { return v.snapshot(memoriesDir, false) }

// MemoriesQuick is [View.Memories] without a look at every file: edits in place
// may be missed until the next full look.
func (v *View) MemoriesQuick() (*Snapshot, error) { return v.snapshot(memoriesDir, true) }

// Archives returns the newest archived version of every memory that has one.
func (v *View) Archives() (*Snapshot, error) { return v.snapshot(archivesDir, false) }

// ArchivesQuick is to [View.Archives] what MemoriesQuick is to Memories.
func (v *View) ArchivesQuick() (*Snapshot, error) { return v.snapshot(archivesDir, true) }

func (v *View) snapshot(folder string, quick bool) (*Snapshot, error) {
	if v.root == nil {
		return &Snapshot{}, nil
	}
	return v.folder(folder, quick)
}

// Read returns the file of a memory. One that is only a stub is CodeNotFound.
func (v *View) Read(id memory.ID) (*memory.File, error) {
	file, err := v.read(memoriesDir, id.File(), "memory", id)
	if err == nil && file.Memory.IsStub() {
		return nil, missingError("memory", id)
	}
	return file, err
}

// ReadStub returns the file that a memory left when it was set aside.
func (v *View) ReadStub(id memory.ID) (*memory.File, error) {
	file, err := v.read(memoriesDir, id.File(), "stub", id)
	if err == nil && !file.Memory.IsStub() {
		return nil, missingError("stub", id)
	}
	return file, err
}

func missingError(what string, id memory.ID) error {
	return memory.Errorf(memory.CodeNotFound, memory.KnownIDs+"; nothing was changed", "there is no %s %s", what, id)
}

func (v *View) read(folder, name, what string, id memory.ID) (*memory.File, error) {
	missing := missingError(what, id)
	if v.root == nil || name == "" {
		return nil, missing
	}
	sub, err := openFolder(v.root, folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing
	}
	if err != nil {
		return nil, storageError(err, "open", folder)
	}
	defer sub.Close()
	file, err := readMemory(sub, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, missing
	case memory.CodeOf(err) == memory.CodeUnreadable:
		return nil, memory.Errorf(memory.CodeUnreadable, "repair the file by hand, or see "+memory.DoCheck, "%s/%s cannot be read: %s", folder, name, problemText(err))
	}
	return file, storageError(err, "read", folder+"/"+name)
}

// Stats returns the use of memories. A damaged file reads as empty, beside an
// error.
func (v *View) Stats() (Stats, error) {
	root, older := v.own()
	stats, err := readVersioned(root, statsFile, Stats{}, decodeStats)
	if older && doubtful(err) {
		err = nil
	}
	v.statsRead = err == nil
	return stats, err
}

// State returns this clone's state. A damaged file reads as empty, beside an
// error.
func (v *View) State() (*State, error) {
	root, older := v.own()
	state, err := readVersioned(root, stateFile, (&State{}).complete(), decodeState)
	if older {
		state = state.counters()
		if doubtful(err) {
			err = nil
		}
	}
	v.stateRead = err == nil
	return state, err
}

// doubtful reports whether an error tells that a file cannot be understood. Such a
// file of an older layout counts for nothing: a repository can bring it, and must not
// be able to stop anyone.
func doubtful(err error) bool {
	code := memory.CodeOf(err)
	return code == memory.CodeUnreadable || code == memory.CodeConflict
}

// own returns the directory of this clone's stats and state. As long as the clone
// has no state, those that are in the work tree count: of the time before the project
// became a repository, or of an older layout.
func (v *View) own() (root *os.Root, older bool) {
	if v.ownRoot == nil && v.root != nil {
		v.ownRoot, v.ownOlder = v.clone, false
		switch {
		case hasFile(v.clone, stateFile):
		case v.openLocal():
			v.ownRoot, v.ownOlder = v.local, true
		case hasFile(v.root, stateFile) || hasFile(v.root, statsFile):
			v.ownRoot, v.ownOlder = v.root, true
		}
	}
	return v.ownRoot, v.ownOlder
}

func hasFile(root *os.Root, name string) bool {
	if root == nil {
		return false
	}
	_, err := root.Lstat(name)
	return err == nil
}

// Size returns how many bytes the store's files have in all.
func (v *View) Size() (int64, error) {
	if v.root == nil {
		return 0, nil
	}
	var total int64
	err := fs.WalkDir(v.root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // what vanished while walking has no size
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

// ReadCache returns what [View.WriteCache] left under a name, or nil. Callers
// check what they read: a cache may be stale or damaged.
func (v *View) ReadCache(name string) []byte {
	root := v.treeRoot(false)
	if root == nil {
		return nil
	}
	data, err := readBounded(root, cacheDir+"/"+name+cacheExt, maxCacheBytes)
	if err != nil {
		return nil
	}
	return data
}

// WriteCache leaves data for other processes, best effort: nothing may depend on
// it.
func (v *View) WriteCache(name string, data []byte) {
	if root := v.treeRoot(true); root != nil {
		writeCache(root, name, data)
	}
}

// Path returns where a file of the store is, for people: one of this clone's own
// with its whole path, any other relative to the store.
func (v *View) Path(name string) string {
	if isCloneFile(name) {
		return filepath.Join(v.store.places.Clone, name)
	}
	return name
}

// isCloneFile reports whether a name is that of a file of the clone's own.
func isCloneFile(name string) bool {
	switch name {
	case statsFile, stateFile, trustFile, logFile, undoFile, keyName:
		return true
	}
	return strings.HasPrefix(name, asideDir+"/")
}
