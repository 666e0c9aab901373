package audit

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"

	"ltm/memfile"
	"ltm/memory"
	"ltm/store"
)

// planRecovery looks for the full text of a memory that lacks it: among the older
// versions of its archive, then in what version control has of its files. Without
// one the finding says where a person can look.
func (s *Survey) planRecovery(ctx context.Context, f finding, h History, texts map[memory.ID][]byte) (finding, string) {
	id := memory.ID(f.target)
	if full, err := s.view.NewestFull(id); err == nil && full != nil {
		texts[id] = bytes.Clone(full.Bytes())
		f.reason += "; an older version in the archive is"
		return f, actionRecover
	}
	if data := h.fullText(ctx, id); data != nil {
		texts[id] = data
		f.reason += "; git has it"
		return f, actionRecover
	}
	f.action = ""
	f.reason += "; git has no full text of it either"
	f.next = memory.KindFoundLostForever
	return f, ""
}

// fullText returns the newest full text that version control has of a memory, or
// nil.
func (h History) fullText(ctx context.Context, id memory.ID) []byte {
	if h.Past == nil {
		return nil
	}
	var found []byte
	paths := []string{filepath.Join(h.Dir, "memories", id.File()), filepath.Join(h.Dir, "archives", id.File())}
	_ = h.Past.Versions(ctx, paths, func(data []byte) bool {
		file, err := memfile.Parse(data)
		if err == nil && !file.IsPlain() && file.Memory.Phase == memory.Full && !file.Memory.Conflicted &&
			(file.Memory.ID == id || file.Memory.ID == "") {
			found = bytes.Clone(data)
		}
		return found == nil
	})
	return found
}

// SettleMerge keeps both sides of a merge: of an archive as two versions, of two
// stubs the one that was set aside later.
func SettleMerge(tx *store.Tx, path string) error {
	data, err := tx.ReadBytes(path)
	if err != nil {
		return err
	}
	sides := memfile.Sides(data)
	if len(sides) == 0 {
		return nil // settled by now
	}
	if id := idOfMemory(path); path == store.MemoryPath(id.File()) {
		keep := sides[0]
		if len(sides) == 2 && sides[1].Memory.ArchivedAt.After(keep.Memory.ArchivedAt) {
			keep = sides[1]
		}
		return tx.WriteMemory(id, keep.Bytes())
	}
	return settleArchive(tx, path, sides)
}

// settleArchive makes two versions of one. What a restore brings back stays the
// newest: our side of a merge in the newest version, or else the newest version.
func settleArchive(tx *store.Tx, path string, sides []*memfile.File) error {
	id, ours, theirs := idOfArchive(path), sides[0], sides[len(sides)-1]
	names, err := tx.ArchiveNames(id)
	if err != nil {
		return err
	}
	if len(names) == 0 || store.ArchivePath(names[0]) == path {
		if err := tx.WriteArchive(id, ours.Bytes()); err != nil {
			return err
		}
		return tx.ReplaceFile(path, theirs.Bytes())
	}
	newest, err := tx.ReadVersion(names[0])
	if err != nil {
		return err
	}
	if memfile.Same(newest.Bytes(), ours.Bytes()) { // as a try that was cut off has left it
		return tx.ReplaceFile(path, theirs.Bytes())
	}
	if err := tx.WriteArchive(id, theirs.Bytes()); err != nil {
		return err
	}
	if err := tx.WriteArchive(id, newest.Bytes()); err != nil {
		return err
	}
	return tx.ReplaceFile(path, ours.Bytes())
}

// idOfMemory returns the id of the memory whose file a path names, or "".
func idOfMemory(path string) memory.ID {
	id, _ := memory.IDFromFile(path[strings.LastIndexByte(path, '/')+1:])
	return id
}

// idOfArchive returns the id of the memory whose archived version a path names.
func idOfArchive(path string) memory.ID {
	id, _, _ := memory.ParseArchiveName(filepath.Base(filepath.FromSlash(path)))
	return id
}
