package store

import (
	"ltm/memory"
	"ltm/memory/memfile"
)

// MemoryPath returns the path of a file of memories/ in the store.
func MemoryPath(name string) string { return memoriesDir + "/" + name }

// ArchivePath returns the path of a file of archives/ in the store.
func ArchivePath(name string) string { return archivesDir + "/" + name }

// NewestFull returns the newest archived version that is a full text, or nil. Versions that cannot be read are skipped.
func (v *View) NewestFull(id memory.ID) (*memfile.File, error) {
	names, err := v.ArchiveNames(id)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		file, err := v.ReadVersion(name)
		if err == nil && file.Memory.Phase == memory.Full && !file.Memory.Conflicted {
			return file, nil
		}
	}
	return nil, nil
}
