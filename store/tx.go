package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"

	"ltm/internal/atomicfile"
	"ltm/internal/busyfile"
	"ltm/internal/regular"
	"ltm/memory"
)

// Tx changes a store while its lock is held. It reads like a [View], and sees
// what it wrote.
type Tx struct {
	*View

	memories, archives bool // the directory was changed
	newStats           Stats
	newState           *State
	checked            bool
	tookOver           bool
	events             []memory.Event
	steps              []undoStep
	undoes             *memory.UndoEntry // the change that this one takes back

	trust *Trust // nil: not read yet
}

// prepare tidies up after killed processes, once.
func (tx *Tx) prepare() error {
	if tx.checked {
		return nil
	}
	sweepTemps(tx.root)
	sweepTemps(tx.clone)
	for _, folder := range []string{memoriesDir, archivesDir} {
		if _, err := tx.snapshot(folder, true); err == nil {
			for _, name := range tx.temps[folder] {
				atomicfile.RemoveTemp(tx.dirs[folder], name, ofAnyAge)
			}
		}
	}
	sweepCache(tx.cacheRoot(false), tx.store.now())
	sweepPerson(tx.store.places, tx.store.now())
	tx.checked = true
	return nil
}

// WriteMemory writes the file of a memory. It counts as written in this clone when
// it is new, or when what it replaces does. That is noted first: a crash between
// the two leaves a note too many, never a memory that counts as someone else's.
func (tx *Tx) WriteMemory(id memory.ID, data []byte) error {
	before, own, err := tx.inherits(id)
	if err != nil {
		return err
	}
	return tx.replaceMemory(id, before, data, own)
}

// RestoreMemory is WriteMemory with a text that was set aside or taken back: that
// must be this clone's own, too.
func (tx *Tx) RestoreMemory(id memory.ID, source, data []byte) error {
	before, own, err := tx.inherits(id)
	if err != nil {
		return err
	}
	return tx.replaceMemory(id, before, data, own && tx.trust.Holds(id, source))
}

func (tx *Tx) replaceMemory(id memory.ID, before, data []byte, own bool) error {
	if err := tx.prepare(); err != nil {
		return err
	}
	sub, err := tx.ensureFolder(memoriesDir)
	if err != nil {
		return err
	}
	if own {
		if err := tx.noteOwn(id, data); err != nil {
			return err
		}
	}
	tx.changing(memoriesDir)
	if err := atomicfile.Replace(sub, id.File(), data); err != nil {
		return storageError(err, "write", memoriesDir+"/"+id.File())
	}
	tx.steps = append(tx.steps, undoStep{id, before, data})
	return nil
}

// ensureFolder opens a directory of the store, making it when it is missing.
func (tx *Tx) ensureFolder(folder string) (*os.Root, error) {
	sub, err := tx.dir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		if err = tx.root.Mkdir(folder, dirPerm); err == nil {
			err = atomicfile.SyncDir(tx.root, ".") // what comes into it is not safer than its name
		}
		if err == nil || errors.Is(err, fs.ErrExist) {
			sub, err = tx.dir(folder)
		}
	}
	return sub, storageError(err, "open", folder)
}

// RemoveFile removes a file by its path in the store, whatever it holds.
func (tx *Tx) RemoveFile(path string) error {
	folder, name, err := splitPath(path)
	if err != nil {
		return err
	}
	sub, err := tx.changeFolder(folder)
	if err != nil {
		return err
	}
	return storageError(atomicfile.Remove(sub, name), "remove", path)
}

// ReplaceFile writes a file of memories/ or archives/ by its path in the store. It
// is for repairs: archives are otherwise write-once.
func (tx *Tx) ReplaceFile(path string, data []byte) error {
	folder, name, err := splitPath(path)
	if err != nil {
		return err
	}
	sub, err := tx.changeFolder(folder)
	if err != nil {
		return err
	}
	return storageError(atomicfile.Replace(sub, name, data), "write", path)
}

// ArchiveFile moves a file of memories/ into archives/ byte for byte, whatever
// it holds, and returns its new path. It never takes the place of another file.
func (tx *Tx) ArchiveFile(path string) (string, error) {
	folder, name, err := splitPath(path)
	if err != nil {
		return "", err
	}
	if _, err := tx.changeFolder(folder); err != nil {
		return "", err
	}
	to, err := tx.changeFolder(archivesDir)
	if err != nil {
		return "", err
	}
	target, err := freeName(to, name)
	if err != nil {
		return "", storageError(err, "move", path)
	}
	target = archivesDir + "/" + target
	if err := busyfile.Rename(tx.root, path, target); err != nil {
		return "", storageError(err, "move", path)
	}
	return target, storageError(errors.Join(atomicfile.SyncDir(to, "."), atomicfile.SyncDir(tx.root, ".")), "move", path)
}

// freeName returns a name that no file of the directory has: this one, or one that
// begins like it.
func freeName(folder *os.Root, name string) (string, error) {
	const longest = 255 - len(".999999") // bytes, on the file systems of today
	free := name
	for i := 1; ; i++ {
		switch _, err := folder.Lstat(free); {
		case errors.Is(err, fs.ErrNotExist):
			return free, nil
		case err != nil:
			return "", err
		}
		free = fmt.Sprintf("%s.%d", strings.ToValidUTF8(name[:min(len(name), longest)], ""), i)
	}
}

// changeFolder opens a directory that is about to change.
func (tx *Tx) changeFolder(folder string) (*os.Root, error) {
	if err := tx.prepare(); err != nil {
		return nil, err
	}
	tx.changing(folder)
	return tx.ensureFolder(folder)
}

// changing notes that a directory is about to change: what was seen of it is not
// believed any more.
func (tx *Tx) changing(folder string) {
	if folder == memoriesDir {
		tx.memories = true
	} else {
		tx.archives = true
	}
	tx.forget(folder)
}

// Changed reports whether this change wrote or removed a memory or an archive.
func (tx *Tx) Changed() bool { return tx.memories || tx.archives }

// Stats returns the use of memories as this change has set it, or as the file
// has it.
func (tx *Tx) Stats() (Stats, error) {
	if tx.newStats != nil {
		return tx.newStats, nil
	}
	return tx.View.Stats()
}

// SetStats writes the use of memories when the change is complete. The Tx and its
// View return it from now on.
func (tx *Tx) SetStats(stats Stats) {
	_, _ = tx.View.Stats() // whether the file is sound must be known before its value is replaced
	tx.stats.value, tx.newStats = stats, stats
}

// State returns the state as this change has set it, or as the file has it.
func (tx *Tx) State() (*State, error) {
	if tx.newState != nil {
		return tx.newState, nil
	}
	return tx.View.State()
}

// SetState writes the state when the change is complete. The Tx and its View return
// it from now on.
func (tx *Tx) SetState(state *State) {
	_, _ = tx.View.State()
	tx.state.value, tx.newState = state, state
}

// commit writes the clone's own files.
func (tx *Tx) commit() error {
	if tx.newStats != nil {
		data, err := encodeStats(tx.newStats)
		if err == nil {
			err = tx.replaceOwn(statsFile, data, tx.stats.sound())
		}
		if err != nil {
			return tx.standing(err)
		}
	}
	if tx.newState != nil {
		data, err := encodeJSON(tx.newState)
		if err == nil {
			err = tx.replaceOwn(stateFile, data, tx.state.sound())
		}
		return tx.standing(err)
	}
	return nil
}

// standing tells an error that came when the memories were written already from
// one that changed nothing: storing again would make the memory twice.
func (tx *Tx) standing(err error) error {
	var known *memory.Error
	if !tx.Changed() || !errors.As(err, &known) || known.Code != memory.CodeStorage {
		return err
	}
	return &memory.Error{Code: known.Code, Kind: memory.KindCountersFailed, Subject: known.Subject, Message: known.Message, Err: known.Err}
}

// replaceOwn replaces one of the clone's own files. One of a newer version is
// refused, and a damaged one is kept beside under another name.
func (tx *Tx) replaceOwn(name string, data []byte, sound bool) error {
	if !sound {
		if err := tx.setAside(name); err != nil {
			return err
		}
	}
	return storageError(atomicfile.ReplaceFast(tx.clone, name, data), "write", name)
}

func (tx *Tx) setAside(name string) error {
	aside := func() error {
		return storageError(busyfile.Rename(tx.clone, name, damagedCopy(tx.clone, name)), "set aside", name)
	}
	old, err := regular.Read(tx.clone, name, maxJSONBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case notOurs(err):
		return aside()
	case err != nil:
		return storageError(err, "read", name)
	}
	var v struct {
		Version int `json:"version"`
	}
	err = decodeVersioned(name, old, &v, &v.Version)
	if err == nil && name == stateFile {
		_, err = decodeState(old)
	} else if err == nil {
		_, err = decodeStats(old)
	}
	if err == nil || memory.CodeOf(err) == memory.CodeConflict {
		return err
	}
	return aside()
}

// damagedCopy returns a name for a damaged file that no other has: the one before
// may hold a person's settings.
func damagedCopy(root *os.Root, name string) string {
	base := name + damagedSuffix
	free := base
	for i := 2; ; i++ {
		if _, err := root.Lstat(free); err != nil {
			return free
		}
		free = fmt.Sprintf("%s.%d", base, i)
	}
}

// splitPath takes "memories/NAME" or "archives/NAME" apart and refuses all else.
func splitPath(path string) (folder, name string, err error) {
	folder, name, ok := strings.Cut(path, "/")
	if !ok || (folder != memoriesDir && folder != archivesDir) || name == "" || strings.ContainsAny(name, `/\`) || name == ".." {
		return "", "", memory.NewError(memory.CodeInvalid, memory.KindPathForeign, path, "%q is not a file of memories/ or archives/", path)
	}
	if runtime.GOOS == "windows" && strings.TrimRight(name, ". ") != name {
		return "", "", memory.NewError(memory.CodeInvalid, memory.KindPathMisleads, path,
			"%q leads to another file: Windows drops dots and spaces at the end of a name", path)
	}
	return folder, name, nil
}
