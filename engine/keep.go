package engine

import (
	"strings"

	"ltm/eviction"
	"ltm/memory"
	"ltm/store"
)

// keep archives a memory and notes why. The archive has the fullest version;
// what only the other one says goes below it, so that no text is lost that
// somebody wrote without seeing the full one. The result depends on the two
// texts alone, so that branches which do the same have the same bytes.
func (e *Engine) keep(tx *store.Tx, file *memory.File, reason string) error {
	id := file.Memory.ID
	note := func() { tx.NoteArchived(id, store.Archival{At: e.now(), Reason: reason}) }
	data := file.Bytes()
	old, err := tx.ReadArchive(id)
	switch {
	case isMissing(err):
	case memory.CodeOf(err) == memory.CodeUnreadable, err == nil && old.Memory.Conflicted && old.Memory.Phase >= file.Memory.Phase:
		// What cannot be read, or holds two sides of a merge, is not overwritten
		// either: it moves aside first.
		if _, err := tx.ArchiveFile(archivesPath(id.File())); err != nil {
			return err
		}
	case err != nil:
		return err
	case old.Memory.Phase < file.Memory.Phase: // what is evicted further was archived before
		data = nil
		if !old.Memory.Conflicted && !isReduction(file.Memory, old.Memory) && !tooLarge(old.Memory, file.Memory) {
			data, err = withBelow(old, headingSince, file.Memory.Content)
		}
		if err != nil {
			return err
		}
		if data == nil {
			if reason != memory.ReasonEvicted {
				note()
			}
			return nil
		}
	case !file.Memory.Restored && tooLarge(file.Memory, old.Memory):
		if _, err := tx.ArchiveFile(archivesPath(id.File())); err != nil {
			return err
		}
	case !file.Memory.Restored: // who wrote it anew may not have seen the archive
		both, err := withBelow(file, headingBefore, old.Memory.Content)
		if err != nil {
			return err
		}
		if both != nil {
			data = both
		}
	}
	if err := tx.WriteArchive(id, data); err != nil {
		return err
	}
	note()
	return nil
}

// isReduction says whether m is what eviction makes of full.
func isReduction(m, full memory.Memory) bool {
	for full.Phase < m.Phase {
		next, err := eviction.Reduce(full, full.Phase+1)
		if err != nil {
			return false
		}
		full = next
	}
	return strings.TrimSpace(full.Content) == strings.TrimSpace(m.Content)
}

// The headings below which an archive has the text of another version.
const (
	headingSince  = "## Written since"
	headingBefore = "## Before"
)

// tooLarge says whether two versions are too large for one archive.
func tooLarge(m, other memory.Memory) bool {
	return len(m.Content)+len(other.Content) > memory.MaxContentBytes && !covers(m.Content, other.Content)
}

// withBelow returns a memory's file with the text of another version below its
// own, or nil when it says all of that already.
func withBelow(file *memory.File, heading, text string) ([]byte, error) {
	m := file.Memory
	if covers(m.Content, text) {
		return nil, nil
	}
	m.Content = strings.TrimRight(m.Content, "\n") + "\n\n" + heading + "\n\n" + text
	return file.With(m)
}

// covers says whether every line of part stands in whole.
func covers(whole, part string) bool {
	lines := map[string]bool{}
	for line := range strings.Lines(whole) {
		lines[strings.TrimSpace(line)] = true
	}
	for line := range strings.Lines(part) {
		if line = strings.TrimSpace(line); line != "" && !lines[line] {
			return false
		}
	}
	return true
}
