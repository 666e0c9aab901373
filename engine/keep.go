package engine

import (
	"slices"
	"strings"

	"ltm/memfile"
	"ltm/memory"
	"ltm/secrets"
	"ltm/store"
)

// keep adds what a memory's file says to its archives before something else takes
// its place. The newest version is the full text: of a reduced memory the file is
// added only when it says something that the full text does not, and then the full
// text once more after it. The result depends on the files alone, so that branches
// which do the same write the same bytes.
func keep(tx *changing, file *memfile.File) error {
	id := file.Memory.ID
	if file.Memory.Phase == memory.Full {
		return tx.WriteArchive(id, file.Bytes())
	}
	full, err := tx.NewestFull(id)
	if err != nil {
		return err
	}
	if full == nil {
		return tx.WriteArchive(id, file.Bytes())
	}
	if !isReduction(file.Memory, full.Memory) {
		if err := tx.WriteArchive(id, file.Bytes()); err != nil {
			return err
		}
	}
	return tx.WriteArchive(id, full.Bytes())
}

// isReduction reports whether m is what eviction makes of full.
func isReduction(m, full memory.Memory) bool {
	return strings.TrimSpace(reduceTo(full, m.Phase).Content) == strings.TrimSpace(m.Content)
}

// replace writes a changed memory, and archives the text that the change replaces.
// source is the archived text that the change goes by, or nil: when that comes from
// elsewhere, so does the memory from now on.
func replace(tx *changing, file *memfile.File, source []byte, changed memory.Memory, data []byte) error {
	if !sameText(file.Memory, changed) {
		if err := keep(tx, file); err != nil {
			return err
		}
	}
	if source != nil {
		return tx.RestoreMemory(file.Memory.ID, source, data)
	}
	return tx.WriteMemory(file.Memory.ID, data)
}

// sameText reports whether two versions of a memory say the same.
func sameText(a, b memory.Memory) bool {
	return a.Topic == b.Topic && a.Summary == b.Summary && a.Content == b.Content
}

// keepReplaced archives what a file says that a person replaces: of an unsettled
// merge both sides. A credential that the person takes out is masked there, for the
// archives are committed; bytes as they were can be taken back with undo, and so can
// those that are not a memory.
func keepReplaced(tx *changing, changed memory.Memory, before []byte) error {
	sides := memfile.Sides(before)
	for _, side := range sides {
		side.Memory.ID = changed.ID
		bare := side.Memory.IsStub() && side.Memory.Content+side.Memory.Summary == ""
		if bare || sameText(side.Memory, changed) {
			continue
		}
		if masked, n := secrets.Redact(string(side.Bytes())); n > 0 {
			file, err := memfile.Parse([]byte(masked))
			if err != nil {
				continue // what is left is not a memory
			}
			side = file
			side.Memory.ID = changed.ID
		}
		if len(sides) > 1 && isVersion(tx.View, side) {
			continue // an earlier try was cut off after it
		}
		if err := keep(tx, side); err != nil {
			return err
		}
	}
	return nil
}

// isVersion reports whether the archive has a file as one of its versions.
func isVersion(v *store.View, file *memfile.File) bool {
	names, err := v.ArchiveNames(file.Memory.ID)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(names, func(name string) bool {
		version, err := v.ReadVersion(name)
		return err == nil && memfile.Same(version.Bytes(), file.Bytes())
	})
}
