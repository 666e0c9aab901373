package store

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/busyfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
	"ltm/memory/memfile"
)

// A batch changes many files together: after a crash, all of them or none. Its files are written under temporary names,
// synced at once, and listed in a file of the work tree's private directory. That list is the moment of the change:
// without it, the temporary files are leftovers. With it, the files get their names, and whoever next opens the store
// completes it after a crash.
//
// Readers take no lock. While the files get their names, which takes milliseconds, a
// reader can see some of them, as with several changes one after another.
const (
	batchFile = "batch.json"

	batchVersion  = 1
	maxBatchBytes = 64 << 20
)

// Batch collects the files of a change. [Tx.NewBatch] makes one.
type Batch struct {
	tx     *Tx
	files  []newFile
	own    []newFile             // contents that are to count as written here
	newest map[memory.ID]version // of the archives, with those that are in the batch
}

// newFile is a file of a batch.
type newFile struct {
	folder, name string
	id           memory.ID
	before, data []byte // before is nil if there is no such file
}

// version is an archived text.
type version struct {
	number int // -1: no batch
	data   []byte
}

// NewBatch begins a batch. Nothing is written before [Batch.Commit].
func (tx *Tx) NewBatch() *Batch { return &Batch{tx: tx, newest: map[memory.ID]version{}} }

// Len returns the number of files.
func (b *Batch) Len() int { return len(b.files) }

// WriteMemory adds the file of a memory. Its content does not count as written in this
// clone, unless it does already: see [Batch.Approve].
func (b *Batch) WriteMemory(id memory.ID, data []byte) error {
	before, err := b.tx.ReadRaw(id)
	if err != nil && memory.CodeOf(err) != memory.CodeNotFound {
		return err
	}
	b.files = append(b.files, newFile{memoriesDir, id.File(), id, before, data})
	return nil
}

// WriteArchive adds a version to the archives of a memory, unless it is the newest one.
func (b *Batch) WriteArchive(id memory.ID, data []byte) error {
	last, err := b.newestOf(id)
	if err != nil {
		return err
	}
	if last.number >= 0 && memfile.Same(last.data, data) {
		return nil
	}
	name := id.File()
	if last.number >= 0 || b.tx.has(archivesDir+"/"+name) { // or an unreadable file has the name
		name = memfile.VersionName(id, last.number+1, data)
		if last.number < 0 {
			name = memfile.VersionName(id, 1, data)
		}
	}
	return b.AddArchive(name, data)
}

// AddArchive adds an archived version under its own name, which no file may have.
func (b *Batch) AddArchive(name string, data []byte) error {
	id, number, ok := memory.ParseArchiveName(name)
	if !ok {
		return memory.NewError(memory.CodeInvalid, memory.KindPathOutside, name,
			"%q is not the name of an archive", name)
	}
	last, err := b.newestOf(id)
	if err != nil {
		return err
	}
	if number >= last.number {
		b.newest[id] = version{number, data}
	}
	b.files = append(b.files, newFile{folder: archivesDir, name: name, id: id, data: data})
	return nil
}

// newestOf returns the newest version of an archive, with those of the batch.
func (b *Batch) newestOf(id memory.ID) (version, error) {
	if known, ok := b.newest[id]; ok {
		return known, nil
	}
	names, err := b.tx.ArchiveNames(id)
	if err != nil {
		return version{}, err
	}
	last := version{number: -1}
	if len(names) > 0 {
		_, last.number, _ = memory.ParseArchiveName(names[0])
		last.data, _ = b.tx.ReadBytes(archivesDir + "/" + names[0])
	}
	b.newest[id] = last
	return last, nil
}

// Approve makes contents of a memory count as written in this clone, from the moment of the change on.
func (b *Batch) Approve(id memory.ID, contents ...[]byte) {
	for _, data := range contents {
		b.own = append(b.own, newFile{id: id, data: data})
	}
}

// Commit makes the change. After an error of which nothing remains it is as if the batch had not been. After an error
// of kind [memory.KindBatchStopped] the change has been made, and the next use of the store goes on with it.
func (b *Batch) Commit(event memory.Event) error {
	if len(b.files) == 0 {
		return nil
	}
	if err := b.tx.prepare(); err != nil {
		return err
	}
	if err := b.approve(); err != nil {
		return err
	}
	list, err := b.stage()
	if err == nil {
		err = b.tx.beginBatch(list)
	}
	if err != nil {
		list.discard(b.tx)
		return err
	}
	for _, folder := range []string{memoriesDir, archivesDir} {
		b.tx.changing(folder)
	}
	b.tx.batch = &event
	first := len(b.tx.steps)
	for _, f := range b.files {
		if f.folder == memoriesDir {
			b.tx.steps = append(b.tx.steps, undoStep{f.id.Path(), f.before, f.data})
		}
	}
	b.tx.copyUncommitted(b.tx.steps[first:]...)
	if err := b.tx.place(list, placeAnyway); err != nil {
		return memory.NewError(memory.CodeStorage, memory.KindBatchStopped, batchFile,
			"the change was made, but not all of its files have their names yet: %v", err)
	}
	return nil
}

// approve notes contents before they are there, as every change does.
func (b *Batch) approve() error {
	if len(b.own) == 0 || b.tx.foreign {
		return nil
	}
	if _, err := b.tx.loadTrust(); err != nil {
		return err
	}
	contents := make(map[memory.ID][][]byte, len(b.own))
	for _, f := range b.own {
		contents[f.id] = append(contents[f.id], f.data)
	}
	return b.tx.trustError(b.tx.trust.NoteAll(b.tx.clone, contents))
}

// batchList is the file that says which files of a batch get which names.
type batchList struct {
	Version int          `json:"version"`
	Files   []placedFile `json:"files"`
}

type placedFile struct {
	Folder string `json:"folder"`
	Temp   string `json:"temp"`
	Name   string `json:"name"`
	Before string `json:"before,omitempty"` // checksum of the file that it replaces
	After  string `json:"after"`
}

// stage writes the files under temporary names and waits until they are on disk.
func (b *Batch) stage() (*batchList, error) {
	list := &batchList{Version: batchVersion}
	temps := map[string][]string{}
	for _, f := range b.files {
		dir, err := b.tx.ensureFolder(f.folder)
		if err != nil {
			return list, err
		}
		staged, err := atomicfile.StageFast(dir, f.name, f.data)
		if err != nil {
			return list, storageError(err, "write", f.folder+"/"+f.name)
		}
		temps[f.folder] = append(temps[f.folder], staged.Name())
		placed := placedFile{Folder: f.folder, Temp: staged.Name(), Name: f.name, After: checksum(f.data)}
		if f.before != nil {
			placed.Before = checksum(f.before)
		}
		list.Files = append(list.Files, placed)
	}
	for folder, names := range temps {
		if err := atomicfile.SyncFiles(b.tx.dirs[folder], names); err != nil {
			return list, storageError(err, "write", folder)
		}
	}
	return list, nil
}

// discard removes what [Batch.stage] wrote, best effort: the next change does it too.
func (l *batchList) discard(tx *Tx) {
	for _, f := range l.Files {
		if dir := tx.dirs[f.Folder]; dir != nil {
			_ = dir.Remove(f.Temp)
		}
	}
}

// beginBatch durably writes the list. From then on the change is made.
func (tx *Tx) beginBatch(list *batchList) error {
	root := tx.treeRoot(true)
	if root == nil {
		return memory.NewError(memory.CodeStorage, memory.KindDiskFailed, tx.store.places.Tree, "cannot open %s",
			tx.store.places.Tree)
	}
	data, err := json.Marshal(list)
	if err == nil && len(data) > maxBatchBytes {
		err = regular.ErrSize
	}
	if err == nil {
		err = atomicfile.Replace(root, batchFile, data)
	}
	return storageError(err, "write", tx.Path(batchFile))
}

// placing is how sure it is that no file has changed since the batch was staged.
type placing int

const (
	placeAnyway placing = iota // the lock has been held since
	placeLooked                // another process staged it: files may have changed since
)

// place gives the files their names, and removes the list.
func (tx *Tx) place(list *batchList, how placing) error {
	folders := map[string]*os.Root{}
	for _, f := range list.Files {
		dir, err := tx.ensureFolder(f.Folder)
		if err != nil {
			return err
		}
		folders[f.Folder] = dir
		name := f.Name
		if how == placeLooked {
			if name, err = f.target(tx, dir); err != nil || name == "" {
				if err != nil {
					return err
				}
				continue
			}
		}
		if err := busyfile.Rename(dir, f.Temp, name); err != nil {
			return storageError(err, "write", f.Folder+"/"+name)
		}
	}
	for folder, dir := range folders {
		if err := atomicfile.SyncDir(dir, "."); err != nil {
			return storageError(err, "write", folder)
		}
	}
	return storageError(busyfile.Remove(tx.treeRoot(false), batchFile), "remove", tx.Path(batchFile))
}

// target returns the name that a file of an interrupted batch gets, or "" if it has it already. A file that something
// else has changed since stays: then the one of the batch goes to the archives.
func (f placedFile) target(tx *Tx, dir *os.Root) (string, error) {
	data, err := regular.Read(dir, f.Temp, memfile.MaxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", storageError(err, "read", f.Folder+"/"+f.Name)
	}
	now, err := regular.Read(dir, f.Name, memfile.MaxFileBytes)
	if errors.Is(err, fs.ErrNotExist) && f.Before == "" || err == nil && checksum(now) == f.Before {
		return f.Name, nil
	}
	if id, _, ok := memory.ParseArchiveName(f.Name); ok && !memfile.IsStubFile(data) &&
		!tx.has(archivesDir+"/"+memfile.VersionName(id, 1, data)) {
		archives, err := tx.ensureFolder(archivesDir)
		if err == nil {
			err = atomicfile.Replace(archives, memfile.VersionName(id, 1, data), data)
		}
		if err != nil {
			return "", storageError(err, "write", archivesDir)
		}
	}
	return "", storageError(busyfile.Remove(dir, f.Temp), "write", f.Folder+"/"+f.Name)
}
