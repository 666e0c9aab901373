package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"ltm/internal/atomicfile"
	"ltm/internal/regular"
	"ltm/memfile"
	"ltm/memory"
)

// Archives are write-once: a version that was set aside keeps its file for as long
// as it is kept at all, and another version gets a file of its own. So two
// branches that archive different versions of one memory add two files, and git
// has nothing to merge. The first version has the memory's own file name, which
// is where other programs look; later ones have a number and the beginning of
// their checksum:
//
//	archives/mem_1a2b3c4d.md
//	archives/mem_1a2b3c4d.1.5e884898.md

// versionHash is how many hex digits of a checksum are in a version's name.
const versionHash = 8

// Archival is when and why a memory was set aside.
type Archival struct {
	At     time.Time
	Until  time.Time // the latest that it can have been: a stub keeps only the day
	Reason string    // a word; "" when it is not known
}

// Archivals returns when and why the memories of a snapshot of archives were set
// aside: as their stubs say. Without a stub the reason is not known, and the time
// is that of the archive's file in this clone, which a checkout makes later than
// it was, never earlier.
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
		return Archival{stub.ArchivedAt, latestOf(stub), knownReason(stub.ArchivedReason)}
	}
	at := archive.Stamp.Time()
	return Archival{At: at, Until: at}
}

// latestOf returns the latest moment at which a stub can have been made: when its
// file was written, and never after its day.
func latestOf(stub Record) time.Time {
	day := stub.ArchivedAt
	written, end := stub.Stamp.Time(), day.AddDate(0, 0, 1)
	if written.Before(day) {
		return day
	}
	if written.After(end) {
		return end
	}
	return written
}

// knownReason returns a reason that ltm gives, or "": a repository can bring stubs
// with any word, and listings show it.
func knownReason(s string) string {
	switch s {
	case memory.ReasonEvicted, memory.ReasonFaded, memory.ReasonForgotten, memory.ReasonErased:
		return s
	}
	return ""
}

// Archival is [View.Archivals] of one memory; false: it has no archive.
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

// HasArchive reports whether an archive of that memory exists.
func (v *View) HasArchive(id memory.ID) bool {
	names, err := v.ArchiveNames(id)
	return err == nil && len(names) > 0
}

// ArchiveNames returns the names of the archived versions of a memory in
// archives/, the newest first.
func (v *View) ArchiveNames(id memory.ID) ([]string, error) {
	archives, err := v.ArchivesQuick()
	if err != nil {
		return nil, err
	}
	return archives.Versions(id), nil
}

// ReadArchive returns the newest archived version of a memory.
func (v *View) ReadArchive(id memory.ID) (*memfile.File, error) {
	names, err := v.ArchiveNames(id)
	if err != nil {
		return nil, err
	}
	name := ""
	if len(names) > 0 {
		name = names[0]
	}
	return v.read(archivesDir, name, "archive", id)
}

// ReadVersion returns an archived version by its name in archives/.
func (v *View) ReadVersion(name string) (*memfile.File, error) {
	id, _, ok := memory.ParseArchiveName(name)
	if !ok {
		name = ""
	}
	return v.read(archivesDir, name, "archive", id)
}

// WriteArchive adds a version to the archives of a memory. One that is the newest
// already is not added again. It counts as written in this clone when the memory
// had the same content and does.
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
		if newest, err := regular.Read(sub, names[0], memfile.MaxFileBytes); err == nil && bytes.Equal(memfile.UnixLines(newest), memfile.UnixLines(data)) {
			return nil
		}
		_, seq, _ := memory.ParseArchiveName(names[0])
		name = versionName(id, seq+1, data)
	}
	if _, err := sub.Lstat(name); err == nil { // an unreadable file has that name
		name = versionName(id, 1, data)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return storageError(err, "write", archivesDir+"/"+name)
	}
	tx.changing(archivesDir)
	return storageError(atomicfile.Replace(sub, name, data), "write", archivesDir+"/"+name)
}

func versionName(id memory.ID, seq int, data []byte) string {
	sum := sha256.Sum256(memfile.UnixLines(data))
	return fmt.Sprintf("%s.%d.%s%s", id, seq, hex.EncodeToString(sum[:])[:versionHash], memory.FileExt)
}

// RemoveArchives removes all archived versions of memories for good, and their
// stubs. A memory that is not a stub stays, and so does a stub with a text of its
// own. The stub goes first: without it the archives can still be restored or removed,
// and a stub without a text is neither.
func (tx *Tx) RemoveArchives(ids []memory.ID) error {
	for _, id := range ids {
		if stub, err := tx.ReadStub(id); err == nil && !stub.Memory.HasText() {
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

// RemoveVersions removes all archived versions of a memory for good. The newest
// goes last: what a crash leaves is never an older text in its place.
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
