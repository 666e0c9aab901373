package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"ltm/memory"
)

// Store is a folder of memories. It may not exist yet: then it reads as empty
// until the first [Store.Update] with Create. It may be used by several
// goroutines, and other processes may change the folder at any time.
type Store struct {
	dir      string
	override bool // the folder was named outright, so it may be a symbolic link
	now      func() time.Time
	turn     chan struct{} // holds one value while a call has the lock, or waits for it

	mu       sync.Mutex // guards what follows
	watching bool
	folders  map[string]*folderMemo
}

// folderMemo is the newest known state of one folder, and its ordered form.
type folderMemo struct {
	state    *folderState
	snapshot *Snapshot
	watch    *watch // nil: not watched
}

// New returns the store in dir, an absolute path that [Locate] found. now is the
// clock.
func New(dir string, now func() time.Time) *Store {
	return &Store{dir: dir, now: now, turn: make(chan struct{}, 1), folders: map[string]*folderMemo{},
		override: !strings.HasSuffix(filepath.ToSlash(dir), "/"+Folder)}
}

// Watch makes a process that lives long ask the system for changes, where it
// tells them reliably, instead of looking at every file.
func (s *Store) Watch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watching = true
}

// Dir returns the store's folder.
func (s *Store) Dir() string { return s.dir }

// Exists says whether the store's folder is there.
func (s *Store) Exists() bool { return isDir(s.dir) }

// open opens the folder. Unless it was named outright, it is reached from the
// project's folder, so that a link in its place cannot lead out of the project.
func (s *Store) open() (*os.Root, error) {
	if s.override {
		return openPath(s.dir)
	}
	project, err := os.OpenRoot(filepath.Dir(filepath.Dir(s.dir)))
	if err != nil {
		return nil, err
	}
	defer project.Close()
	folder := filepath.FromSlash(Folder)
	if info, err := project.Stat(folder); err == nil && !info.IsDir() { // a link within the project is a person's choice
		return nil, &fs.PathError{Op: "open", Path: folder, Err: errNotFolder}
	}
	return project.OpenRoot(folder)
}

// View reads the store. fn must not keep the View. A store that does not exist
// reads as empty.
func (s *Store) View(fn func(*View) error) error {
	root, err := s.open()
	if errors.Is(err, fs.ErrNotExist) {
		return fn(&View{store: s})
	}
	if err != nil {
		return storageError(err, "open", s.dir)
	}
	defer root.Close()
	v, err := s.view(root)
	if err != nil {
		return err
	}
	defer v.close()
	return fn(v)
}

// view returns a view of an open store; its close leaves the store open.
func (s *Store) view(root *os.Root) (*View, error) {
	shared, dir, err := s.openShared()
	if err != nil {
		return nil, err
	}
	if shared == nil {
		return &View{store: s, root: root, volatile: root}, nil
	}
	return &View{store: s, root: root, volatile: shared, volatileDir: dir, shared: true}, nil
}

func (v *View) close() {
	if v.shared {
		_ = v.volatile.Close()
	}
}

// UpdateOptions says how [Store.Update] behaves.
type UpdateOptions struct {
	Wait   time.Duration // how long to wait for the lock
	Create bool          // make the folder when it is missing; otherwise that is CodeNotFound
}

// Update changes the store under its lock. What fn writes to memory files is on
// the disk when the call of the [Tx] returns; index, stats and state follow when
// fn has returned nil.
func (s *Store) Update(ctx context.Context, o UpdateOptions, fn func(*Tx) error) error {
	root, err := s.open()
	if errors.Is(err, fs.ErrNotExist) {
		if !o.Create {
			return memory.Errorf(memory.CodeNotFound, `"ltm remember" or store_memory creates it`, "there is no store at %s", s.dir)
		}
		if err = s.mkdir(); err != nil {
			return storageError(err, "create", s.dir)
		}
		root, err = s.open()
	}
	if err != nil {
		return storageError(err, "open", s.dir)
	}
	defer root.Close()
	v, err := s.view(root)
	if err != nil {
		return err
	}
	defer v.close()
	unlock, err := s.lock(ctx, v, o.Wait)
	if err != nil {
		return err
	}
	defer unlock()
	if o.Create {
		if err := writeRules(root); err != nil {
			return err
		}
	}
	tx := &Tx{View: *v}
	err = fn(tx)
	tx.writeNotes()
	if err == nil {
		err = tx.commit()
	}
	tx.writeLog() // what fn did stands, whatever became of the rest
	if trustErr := tx.writeTrust(); err == nil {
		err = tx.standing(trustErr)
	}
	return err
}

// mkdir makes the store's folder, durably.
func (s *Store) mkdir() error {
	if s.override {
		return os.MkdirAll(s.dir, dirPerm)
	}
	project, err := os.OpenRoot(filepath.Dir(filepath.Dir(s.dir)))
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
	return errors.Join(syncDir(parent), syncDir(project))
}

// folder returns a snapshot of a folder of memory files, reading what changed.
// Cold processes begin with what the cache file holds.
func (s *Store) folder(root *os.Root, name string, quick bool) (*Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sub, err := openFolder(root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return &Snapshot{}, nil
	}
	if err != nil {
		return nil, storageError(err, "open", name)
	}
	defer sub.Close()
	memo := s.folders[name]
	if memo == nil {
		memo = &folderMemo{state: loadCache(root, name)}
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
			saveCache(root, name, state)
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

	volatile    *os.Root // where stats and state stand
	shared      bool     // that is a folder of all work trees, namely
	volatileDir string

	statsRead, stateRead bool // the file was read and is sound
}

// Exists says whether there is a store.
func (v *View) Exists() bool { return v.root != nil }

// Memories returns the active memories.
func (v *View) Memories() (*Snapshot, error) { return v.snapshot(memoriesDir, false) }

// MemoriesQuick is [View.Memories] without a look at every file: edits in place
// may be missed until the next full look.
func (v *View) MemoriesQuick() (*Snapshot, error) { return v.snapshot(memoriesDir, true) }

// Archives returns the archived memories.
func (v *View) Archives() (*Snapshot, error) { return v.snapshot(archivesDir, false) }

// ArchivesQuick is to [View.Archives] what MemoriesQuick is to Memories.
func (v *View) ArchivesQuick() (*Snapshot, error) { return v.snapshot(archivesDir, true) }

func (v *View) snapshot(folder string, quick bool) (*Snapshot, error) {
	if v.root == nil {
		return &Snapshot{}, nil
	}
	return v.store.folder(v.root, folder, quick)
}

// Read returns the file of an active memory.
func (v *View) Read(id memory.ID) (*memory.File, error) { return v.read(memoriesDir, id, "memory") }

// ReadArchive returns the archived file of a memory.
func (v *View) ReadArchive(id memory.ID) (*memory.File, error) {
	return v.read(archivesDir, id, "archive")
}

func (v *View) read(folder string, id memory.ID, what string) (*memory.File, error) {
	missing := memory.Errorf(memory.CodeNotFound, "recall and list show the ids that exist; nothing was changed", "there is no %s %s", what, id)
	if v.root == nil {
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
	file, err := readMemory(sub, id.File())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, missing
	case memory.CodeOf(err) == memory.CodeUnreadable:
		return nil, memory.Errorf(memory.CodeUnreadable, "mend the file by hand, or see ltm check", "%s/%s cannot be read: %s", folder, id.File(), problemText(err))
	}
	return file, storageError(err, "read", folder+"/"+id.File())
}

// Stats returns the use of memories. A damaged file reads as empty, beside an
// error.
func (v *View) Stats() (Stats, error) {
	if v.root == nil {
		return Stats{}, nil
	}
	stats, err := readVersioned(v.volatile, statsFile, Stats{}, decodeStats)
	v.statsRead = err == nil
	return stats, err
}

// State returns this clone's state. A damaged file reads as empty, beside an
// error.
func (v *View) State() (*State, error) {
	if v.root == nil {
		return (&State{}).complete(), nil
	}
	state, err := readVersioned(v.volatile, stateFile, (&State{}).complete(), decodeState)
	v.stateRead = err == nil
	return state, err
}

// Index returns index.json as it stands, for comparison only.
func (v *View) Index() (Index, error) { return v.index(indexFile) }

// ArchiveIndex returns archive_index.json as it stands, for comparison only.
func (v *View) ArchiveIndex() (Index, error) { return v.index(archiveIndexFile) }

func (v *View) index(name string) (Index, error) {
	if v.root == nil {
		return Index{}, nil
	}
	return readVersioned(v.root, name, Index{}, func(b []byte) (Index, error) { return decodeIndex(name, b) })
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
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() && !strings.HasPrefix(path, cacheDir+"/") {
			total += info.Size()
		}
		return nil
	})
	return total, storageError(err, "measure", v.store.dir)
}

// HasArchive says whether an archive of that memory exists.
func (v *View) HasArchive(id memory.ID) bool { return v.has(archivesDir, id) }

func (v *View) has(folder string, id memory.ID) bool {
	if v.root == nil {
		return false
	}
	_, err := v.root.Lstat(folder + "/" + id.File())
	return err == nil
}

// Taken says whether a memory or an archive has that id.
func (v *View) Taken(id memory.ID) bool { return v.has(memoriesDir, id) || v.has(archivesDir, id) }

// ReadCache returns what [View.WriteCache] left under a name, or nil. Callers
// check what they read: a cache may be stale or damaged.
func (v *View) ReadCache(name string) []byte {
	if v.root == nil {
		return nil
	}
	data, err := readBounded(v.root, cacheDir+"/"+name+cacheExt, maxCacheBytes)
	if err != nil {
		return nil
	}
	return data
}

// WriteCache leaves data for other processes, as well as it can: nothing may
// depend on it.
func (v *View) WriteCache(name string, data []byte) {
	if v.root != nil {
		writeCache(v.root, name, data)
	}
}
