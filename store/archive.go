package store

import (
	"errors"
	"io/fs"
	"slices"
	"time"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
	"ltm/memory/memfile"
)

// Archives are write-once: each version of a memory has a file of its own, which never changes. So two branches that
// archive different versions add two files, and git has nothing to merge. The first version has the memory's own file
// name, where other programs look for it; later ones add a number and the start of their checksum:
//
//	archives/mem_1a2b3c4d.md
//	archives/mem_1a2b3c4d.1.5e884898.md

// Archival is when and why a memory was archived.
type Archival struct {
	At     time.Time
	Until  time.Time // the latest possible time: a stub has only the day
	Reason string    // one word; "" if it is unknown
}

// Archivals returns when and why the memories of a snapshot of archives were archived,
// according to their stubs. Without a stub the reason is unknown, and the time is that
// of the archive's file in this clone: a checkout can make it later, never earlier.
func (v *View) Archivals(archives *Snapshot) (map[memory.ID]Archival, error) {
	memories, err := v.MemoriesQuick()
	if err != nil {
		return nil, err
	}
	found := make(map[memory.ID]Archival, len(archives.Records))
	for _, r := range archives.Records {
		found[r.ID] = archivalOf(memories, r)
	}
	return found, nil
}

func archivalOf(memories *Snapshot, archive Record) Archival {
	if stub, ok := memories.FindStub(archive.ID); ok && !stub.ArchivedAt.IsZero() {
		return Archival{stub.ArchivedAt, latestOf(stub), memory.KnownReason(stub.ArchivedReason)}
	}
	at := archive.Stamp().Time()
	return Archival{At: at, Until: at}
}

// latestOf returns the latest time at which a stub can have been made: when its file was
// written, but not after its day.
func latestOf(stub Record) time.Time {
	day := stub.ArchivedAt
	written, end := stub.Stamp().Time(), day.AddDate(0, 0, 1)
	if written.Before(day) {
		return day
	}
	if written.After(end) {
		return end
	}
	return written
}

// Archival is [View.Archivals] of one memory. It reports false without an archive.
func (v *View) Archival(id memory.ID) (Archival, bool) {
	archives, err := v.ArchivesQuick()
	if err != nil {
		return Archival{}, false
	}
	record, ok := archives.Find(id)
	if !ok {
		return Archival{}, false
	}
	memories, err := v.MemoriesQuick()
	if err != nil {
		return Archival{}, false
	}
	return archivalOf(memories, record), true
}

// HasArchive reports whether a memory has an archive, or a stub that keeps a text.
func (v *View) HasArchive(id memory.ID) bool {
	names, err := v.ArchiveNames(id)
	return err == nil && len(names) > 0 || v.keptText(id) != nil
}

// ArchivedTexts returns the newest text of every memory that has one out of sight: [View.Archives],
// and the texts that stubs keep, which are newer.
func (v *View) ArchivedTexts() (*Snapshot, error) {
	archives, err := v.Archives()
	if err != nil {
		return nil, err
	}
	memories, err := v.Memories()
	if err != nil {
		return nil, err
	}
	return archives.WithTexts(memories), nil
}

// keptText returns the stub of a memory if it keeps a text, or nil.
func (v *View) keptText(id memory.ID) *memfile.File {
	if stub, err := v.ReadStub(id); err == nil && stub.Memory.KeepsText {
		return stub
	}
	return nil
}

// ArchiveNames returns the file names of the archived versions of a memory, the newest first.
func (v *View) ArchiveNames(id memory.ID) ([]string, error) {
	archives, err := v.ArchivesQuick()
	if err != nil {
		return nil, err
	}
	return archives.Versions(id), nil
}

// ReadArchive returns the text of [View.ArchivedTexts]: the stub of a memory if it keeps a text, or
// the newest archived version.
func (v *View) ReadArchive(id memory.ID) (*memfile.File, error) {
	if stub := v.keptText(id); stub != nil {
		return stub, nil
	}
	names, err := v.ArchiveNames(id)
	if err != nil {
		return nil, err
	}
	name := id.File() // of an archive that cannot be read
	if len(names) > 0 {
		name = names[0]
	}
	return v.read(archivesDir, name, "archive", id)
}

// ReadVersion returns an archived version by its file name.
func (v *View) ReadVersion(name string) (*memfile.File, error) {
	id, _, ok := memory.ParseArchiveName(name)
	if !ok {
		name = ""
	}
	return v.read(archivesDir, name, "archive", id)
}

// WriteArchive adds a version to the archives of a memory, unless it is the newest one
// already. It counts as written in this clone if the memory with this content does.
func (tx *Tx) WriteArchive(id memory.ID, data []byte) error {
	names, err := tx.ArchiveNames(id)
	if err != nil {
		return err
	}
	if err := tx.prepare(); err != nil {
		return err
	}
	sub, err := tx.ensureFolder(archivesDir)
	if err != nil {
		return err
	}
	name := id.File()
	if len(names) > 0 {
		if newest, err := regular.Read(sub, names[0], memfile.MaxFileBytes); err == nil && memfile.Same(newest, data) {
			return nil
		}
		_, seq, _ := memory.ParseArchiveName(names[0])
		name = memfile.VersionName(id, seq+1, data)
	}
	if _, err := sub.Lstat(name); err == nil { // an unreadable file has the name
		name = memfile.VersionName(id, 1, data)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return storageError(err, "write", archivesDir+"/"+name)
	}
	tx.changing(archivesDir)
	return storageError(atomicfile.Replace(sub, name, data), "write", archivesDir+"/"+name)
}

// RemoveArchives permanently removes all archived versions of memories, and their stubs. A memory that is not a stub
// stays, and so does a stub with a text of its own. The stub is removed first: archives without a stub can still be
// restored or removed, but a stub without archives cannot.
func (tx *Tx) RemoveArchives(ids []memory.ID) error {
	for _, id := range ids {
		if stub, err := tx.ReadStub(id); err == nil && !stub.Memory.KeepsText {
			if err := tx.RemoveFile(memoriesDir + "/" + id.File()); err != nil {
				return err
			}
		}
		if err := tx.RemoveVersions(id); err != nil {
			return err
		}
	}
	return nil
}

// RemoveVersions permanently removes all archived versions of a memory. The newest is removed last, so that after a
// crash no older text is in its place.
func (tx *Tx) RemoveVersions(id memory.ID) error {
	names, err := tx.ArchiveNames(id)
	if err != nil {
		return err
	}
	for _, name := range slices.Backward(names) {
		if err := tx.RemoveFile(archivesDir + "/" + name); err != nil {
			return err
		}
	}
	return nil
}
