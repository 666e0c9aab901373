package change

import (
	"slices"
	"strings"

	"ltm/engine/base"
	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store"
	"ltm/text/secrets"
)

// archiver adds to the archives: a change of one memory after the other, or a batch.
type archiver interface {
	WriteArchive(memory.ID, []byte) error
	NewestFull(memory.ID) (*memfile.File, error)
}

// archiveVersion archives a memory's file before it is replaced. The newest version must be the full text. So the file
// of a reduced memory is added only if it was edited after the reduction, and the full text is added once more after
// it. The result depends on the files alone: branches that make the same change write the same bytes.
func archiveVersion(tx archiver, file *memfile.File) error {
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
	reduced := base.ReduceTo(full.Memory, file.Memory.Phase)
	if strings.TrimSpace(reduced.Content) != strings.TrimSpace(file.Memory.Content) {
		if err := tx.WriteArchive(id, file.Bytes()); err != nil {
			return err
		}
	}
	return tx.WriteArchive(id, full.Bytes())
}

// replace writes a changed memory, and archives the text that it replaces. source is the archived text that the change
// is based on, or nil. If source comes from elsewhere, the changed memory does too.
func replace(tx *base.Tx, file *memfile.File, source []byte, changed memory.Memory, data []byte) error {
	if !sameText(file.Memory, changed) {
		if err := archiveVersion(tx, file); err != nil {
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

// archiveReplaced archives the text of a file that a person replaces, and both sides of an unresolved
// merge. Credentials are masked in the archive, because it is committed. Undo has the original
// bytes, also when they are not a memory.
func archiveReplaced(tx *base.Tx, changed memory.Memory, before []byte) error {
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
				continue // masking broke its form
			}
			side = file
			side.Memory.ID = changed.ID
		}
		if len(sides) > 1 && isVersion(tx.View, side) {
			continue // archived by an earlier attempt that was interrupted
		}
		if err := archiveVersion(tx, side); err != nil {
			return err
		}
	}
	return nil
}

// isVersion reports whether a file is already one of the archived versions.
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
