package store

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"ltm/internal/fs/atomicfile"
	"ltm/memory"
	"ltm/memory/memfile"
)

// Tx changes a store while its lock is held. It reads like a [View], and sees what it wrote.
type Tx struct {
	*View

	memories, archives bool // the directory was changed
	newStats           Stats
	newState           *State
	checked            bool
	tookOver           bool
	events             []memory.Event
	steps              []undoStep
	copied             bool              // copies of uncommitted memories were made
	batch              *memory.Event     // what a batch was; nil: there was none
	undoes             *memory.UndoEntry // the change that this one undoes, or the undo that it redoes; nil: none
	unasked            bool              // no entry in the undo journal

	trust   *Trust // nil: not read yet
	foreign bool   // nothing that is written counts as written here
	signer  Signer // nil: nothing is signed
}

// prepare goes on, once, with the batch of a killed process, and removes the temporary files of others.
func (tx *Tx) prepare() error {
	if tx.checked {
		return nil
	}
	if err := tx.resume(); err != nil {
		return err
	}
	sweepTemps(tx.root)
	sweepTemps(tx.clone)
	if tree := tx.treeRoot(false); tree != nil && tree != tx.clone {
		sweepTemps(tree)
	}
	for _, folder := range []string{memoriesDir, archivesDir} {
		if _, err := tx.snapshot(context.Background(), folder, true); err == nil {
			for _, name := range tx.temps[folder] {
				atomicfile.RemoveTemp(tx.dirs[folder], name, ofAnyAge)
			}
		}
	}
	tx.sweepPackets()
	sweepCache(tx.cacheRoot(false), tx.store.now())
	sweepPerson(tx.store.places, tx.store.now())
	tx.checked = true
	return nil
}

// WriteMemory writes the file of a memory. Its content counts as written in this clone if the memory is new or if the
// replaced content did. The trust record is written first: a crash in between can leave an extra note, but never makes
// a memory count as someone else's.
func (tx *Tx) WriteMemory(id memory.ID, data []byte) error {
	before, own, err := tx.inherits(id)
	if err != nil {
		return err
	}
	own = own || tx.trust.Holds(id, data)
	if own {
		data = tx.seal(id, before, data)
	}
	return tx.replaceMemory(id, before, data, own)
}

// RestoreMemory is WriteMemory with a text that was made from source, an archived or
// earlier text, which must count as written in this clone too.
func (tx *Tx) RestoreMemory(id memory.ID, source, data []byte) error {
	before, own, err := tx.inherits(id)
	if err != nil {
		return err
	}
	own = own && tx.holds(id, source)
	if own && !bytes.Equal(source, data) { // otherwise the exact bytes were asked for
		data = tx.seal(id, source, data)
	}
	return tx.replaceMemory(id, before, data, own)
}

func (tx *Tx) replaceMemory(id memory.ID, before, data []byte, own bool) error {
	if err := tx.prepare(); err != nil {
		return err
	}
	sub, err := tx.ensureFolder(memoriesDir)
	if err != nil {
		return err
	}
	if own && !tx.foreign {
		if err := tx.trustError(tx.trust.Note(tx.clone, id, data)); err != nil {
			return err
		}
	}
	tx.changing(memoriesDir)
	step, isStub := undoStep{id.Path(), before, data}, memfile.IsStubFile(data)
	if !isStub { // the copy comes first: a crash can leave one too many
		tx.copyUncommitted(step)
	}
	if err := atomicfile.Replace(sub, id.File(), data); err != nil {
		if !isStub {
			tx.uncopy(id, before)
		}
		return storageError(err, "write", memoriesDir+"/"+id.File())
	}
	if isStub {
		tx.copyUncommitted(step)
	}
	tx.steps = append(tx.steps, step)
	return nil
}

// ensureFolder opens a directory of the store, or one in such a directory, and makes missing ones.
func (tx *Tx) ensureFolder(path string) (*os.Root, error) {
	root, name := tx.rootOf(path), path
	if above, sub, inside := strings.Cut(path, "/"); inside {
		var err error
		if root, err = tx.ensureFolder(above); err != nil {
			return nil, err
		}
		name = sub
	}
	dir, err := tx.dir(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = root.Mkdir(name, dirPerm); err == nil {
			err = atomicfile.SyncDir(root, ".") // files in it are only as durable as its name
		}
		if err == nil || errors.Is(err, fs.ErrExist) {
			dir, err = tx.dir(path)
		}
	}
	return dir, storageError(err, "open", path)
}

// changeFolder opens a directory that is about to change.
func (tx *Tx) changeFolder(folder string) (*os.Root, error) {
	if err := tx.prepare(); err != nil {
		return nil, err
	}
	tx.changing(folder)
	return tx.ensureFolder(folder)
}

// changing notes that a directory is about to change, and drops what was read of it.
func (tx *Tx) changing(folder string) {
	if folder == memoriesDir {
		tx.memories = true
	} else {
		tx.archives = true
	}
	delete(tx.looked, look{folder, false})
	delete(tx.looked, look{folder, true})
}

// Changed reports whether this change wrote or removed a memory or an archive.
func (tx *Tx) Changed() bool { return tx.memories || tx.archives }
