package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"ltm/internal/busyfile"
	"ltm/memory"
)

// Tx changes a store while its lock is held. It reads like a [View], and sees
// what it wrote.
type Tx struct {
	View

	memories, archives bool // the folder was changed
	stats              Stats
	state              *State
	checked            bool
	events             []memory.Event
	notes              []string // names in the log of archives

	trust                    *Trust // nil: not read yet
	trustSound, trustChanged bool
}

// prepare refuses to change what a newer ltm wrote, once, and tidies up after
// killed processes.
func (tx *Tx) prepare() error {
	if tx.checked {
		return nil
	}
	for _, name := range []string{indexFile, archiveIndexFile} {
		if err := checkIndexVersion(tx.root, name); err != nil {
			return err
		}
	}
	sweepTemps(tx.root)
	if tx.shared {
		sweepTemps(tx.volatile)
	}
	for _, folder := range []string{memoriesDir, archivesDir} {
		if sub, err := openFolder(tx.root, folder); err == nil {
			sweepTemps(sub)
			sub.Close()
		}
	}
	sweepCache(tx.root, tx.store.now())
	tx.checked = true
	return nil
}

// WriteMemory writes the file of an active memory. It counts as written in this
// clone when it is new, or when what it takes the place of does.
func (tx *Tx) WriteMemory(id memory.ID, data []byte) error {
	own, err := tx.inherits(id)
	if err != nil {
		return err
	}
	tx.memories = true
	if err := tx.write(memoriesDir, id, data); err != nil || !own {
		return err
	}
	tx.noteOwn(id, data)
	return nil
}

// RestoreMemory is WriteMemory with what the archive held: that must be this
// clone's own, too.
func (tx *Tx) RestoreMemory(id memory.ID, archived, data []byte) error {
	if err := tx.WriteMemory(id, data); err != nil {
		return err
	}
	if !tx.trust.Holds(id, archived) {
		tx.trust.drop(id, data)
	}
	return nil
}

// WriteArchive writes the archived file of a memory. It counts as written in
// this clone when the memory had the same content and does.
func (tx *Tx) WriteArchive(id memory.ID, data []byte) error {
	t, err := tx.loadTrust()
	if err != nil {
		return err
	}
	own := t.Holds(id, data)
	tx.archives = true
	if err := tx.write(archivesDir, id, data); err != nil || !own {
		return err
	}
	tx.noteOwn(id, data)
	return nil
}

func (tx *Tx) write(folder string, id memory.ID, data []byte) error {
	if err := tx.prepare(); err != nil {
		return err
	}
	sub, err := tx.ensureFolder(folder)
	if err != nil {
		return err
	}
	defer sub.Close()
	return storageError(replaceDurable(sub, id.File(), data), "write", folder+"/"+id.File())
}

// ensureFolder opens a folder of the store, making it when it is missing.
func (tx *Tx) ensureFolder(folder string) (*os.Root, error) {
	sub, err := openFolder(tx.root, folder)
	if errors.Is(err, fs.ErrNotExist) {
		if err = tx.root.Mkdir(folder, dirPerm); err == nil {
			err = syncDir(tx.root) // what comes into it is not safer than its name
		}
		if err == nil || errors.Is(err, fs.ErrExist) {
			sub, err = openFolder(tx.root, folder)
		}
	}
	return sub, storageError(err, "open", folder)
}

// RemoveMemory removes the file of an active memory.
func (tx *Tx) RemoveMemory(id memory.ID) error {
	return tx.RemoveFile(memoriesDir + "/" + id.File())
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
	defer sub.Close()
	return storageError(removeIfThere(sub, name), "remove", path)
}

// removeIfThere removes a file durably; one that is gone already is no error.
func removeIfThere(root *os.Root, name string) error {
	if err := busyfile.Remove(root, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return syncDir(root)
}

// ArchiveFile moves a file of memories/ into archives/ byte for byte, whatever
// it holds, and returns its new path. It never takes the place of another file.
func (tx *Tx) ArchiveFile(path string) (string, error) {
	folder, name, err := splitPath(path)
	if err != nil {
		return "", err
	}
	from, err := tx.changeFolder(folder)
	if err != nil {
		return "", err
	}
	from.Close()
	to, err := tx.changeFolder(archivesDir)
	if err != nil {
		return "", err
	}
	defer to.Close()
	target, err := freeName(to, name)
	if err != nil {
		return "", storageError(err, "move", path)
	}
	target = archivesDir + "/" + target
	if err := busyfile.Rename(tx.root, path, target); err != nil {
		return "", storageError(err, "move", path)
	}
	return target, storageError(errors.Join(syncDir(to), syncDir(tx.root)), "move", path)
}

// freeName returns a name that no file of the folder has: this one, or one that
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

// changeFolder opens a folder that is about to change.
func (tx *Tx) changeFolder(folder string) (*os.Root, error) {
	if err := tx.prepare(); err != nil {
		return nil, err
	}
	if folder == memoriesDir {
		tx.memories = true
	} else {
		tx.archives = true
	}
	return tx.ensureFolder(folder)
}

// Stats returns the use of memories as this change has set it, or as the file
// has it.
func (tx *Tx) Stats() (Stats, error) {
	if tx.stats != nil {
		return tx.stats, nil
	}
	return tx.View.Stats()
}

// SetStats writes the use of memories when the change is complete.
func (tx *Tx) SetStats(stats Stats) { tx.stats = stats }

// SetState writes the state when the change is complete.
func (tx *Tx) SetState(state *State) { tx.state = state }

// Rebuild writes the derived files anew when the change is complete.
func (tx *Tx) Rebuild() { tx.memories, tx.archives = true, true }

// commit brings the derived files up to date, then the volatile ones.
func (tx *Tx) commit() error {
	if tx.memories {
		if err := tx.reindex(memoriesDir, indexFile); err != nil {
			return tx.standing(err)
		}
	}
	if tx.archives {
		if err := tx.reindex(archivesDir, archiveIndexFile); err != nil {
			return tx.standing(err)
		}
	}
	if tx.stats != nil {
		data, err := encodeStats(tx.stats)
		if err == nil {
			err = tx.replaceVolatile(statsFile, data, tx.statsRead)
		}
		if err != nil {
			return tx.standing(err)
		}
	}
	if tx.state != nil {
		data, err := encodeJSON(tx.state)
		if err == nil {
			err = tx.replaceVolatile(stateFile, data, tx.stateRead)
		}
		return tx.standing(err)
	}
	return nil
}

// standing tells an error that came when the memories were written already from
// one that changed nothing: whoever stores again has the memory twice.
func (tx *Tx) standing(err error) error {
	var known *memory.Error
	if !(tx.memories || tx.archives) || !errors.As(err, &known) || known.Code != memory.CodeStorage {
		return err
	}
	return &memory.Error{Code: known.Code, Message: known.Message, Err: known.Err,
		Hint: "the memories themselves were written before that, so do not repeat it; mend the folder or its disk, then ltm_fix (ltm fix) does the rest"}
}

func (tx *Tx) reindex(folder, name string) error {
	if err := tx.prepare(); err != nil {
		return err
	}
	snapshot, err := tx.snapshot(folder, false)
	if err != nil {
		return err
	}
	return writeIndex(tx.root, name, snapshot)
}

// replaceVolatile writes stats.json or state.json. Unless this change has read
// the file and found it sound, it is looked at first: one of a newer version is
// refused, and a damaged one is kept beside under another name.
func (tx *Tx) replaceVolatile(name string, data []byte, sound bool) error {
	if !sound {
		if err := tx.setAside(name); err != nil {
			return err
		}
	}
	return storageError(replaceFast(tx.volatile, name, data), "write", name)
}

func (tx *Tx) setAside(name string) error {
	aside := func() error {
		return storageError(busyfile.Rename(tx.volatile, name, damagedCopy(tx.volatile, name)), "set aside", name)
	}
	old, err := readBounded(tx.volatile, name, maxJSONBytes)
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
	base := tempMark + name + damagedSuffix
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
		return "", "", memory.Errorf(memory.CodeInvalid, "nothing was changed", "%q is not a file of memories/ or archives/", path)
	}
	return folder, name, nil
}
