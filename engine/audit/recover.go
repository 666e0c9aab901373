package audit

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"time"

	"ltm/memory"
	"ltm/memory/memfile"
	"ltm/store"
)

// planRecovery looks for the full text of a memory that lacks it: among the older versions of its archive, then in
// git's versions of its files. If it finds nothing, the finding says where a person can look.
func (s *Survey) planRecovery(ctx context.Context, f finding, h History, texts map[memory.ID][]byte) (finding, string) {
	id := memory.ID(f.target)
	if full, err := s.view.NewestFull(id); err == nil && full != nil {
		texts[id] = bytes.Clone(full.Bytes())
		f.reason += "; an older version in the archive is the full text"
		return f, actionRecover
	}
	if data := h.fullText(ctx, id); data != nil {
		texts[id] = data
		f.reason += "; git has it"
		return f, actionRecover
	}
	f.action = ""
	f.reason += "; git has no full text either"
	f.next = memory.KindFoundLostForever
	return f, ""
}

// fullText returns the newest full text that version control has of a memory, or nil.
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

// ArchiveStubText archives the text that a merge has left in a stub, because one branch archived the memory and the
// other changed its text: it is newer than the archived one, and a restore brings it back. The archive has the stub's
// bytes, and of the archived text what stubs do not have. It returns the archive, or nil if the stub has no text.
func ArchiveStubText(tx *store.Tx, id memory.ID, stub *memfile.File) (*memfile.File, error) {
	if !stub.Memory.KeepsText {
		return nil, nil
	}
	full, err := tx.NewestFull(id)
	if err != nil {
		return nil, err
	}
	m := stub.Memory
	m.ID, m.Phase, m.ArchivedAt, m.ArchivedReason = id, memory.Full, time.Time{}, ""
	if full != nil && m.CreatedAt.IsZero() {
		old := full.Memory
		m.CreatedAt, m.CreatedSession, m.Difficulty = old.CreatedAt, old.CreatedSession, old.Difficulty
		m.Work, m.Refs, m.OddRefs = old.Work, old.Refs, old.OddRefs
	}
	data, err := stub.With(m)
	if err != nil {
		return nil, err
	}
	if trust, err := tx.Trust(); err == nil && trust.Holds(id, stub.Bytes()) {
		if err := tx.Approve(id, data); err != nil {
			return nil, err
		}
	}
	if err := tx.WriteArchive(id, data); err != nil {
		return nil, err
	}
	archived, err := memfile.Parse(data)
	if err == nil {
		archived.Memory.ID = id // which the file's name may give
	}
	return archived, err
}

// clearStub archives the text that a stub keeps, and leaves the stub.
func clearStub(tx *store.Tx, path string) error {
	id := IDOf(path)
	stub, err := tx.ReadStub(id)
	if err != nil {
		return err
	}
	if _, err := ArchiveStubText(tx, id, stub); err != nil {
		return err
	}
	return tx.WriteMemory(id, memfile.Stub(stub))
}

// ResolveMerge resolves a merge without a person: it keeps both sides of an archive, as
// two versions, and of two stubs the later one. Texts that are left in them are archived.
func ResolveMerge(tx *store.Tx, path string) error {
	data, err := tx.ReadBytes(path)
	if err != nil {
		return err
	}
	sides := memfile.Sides(data)
	if len(sides) == 0 {
		return nil // resolved by now
	}
	if id := IDOf(path); path == store.MemoryPath(id.File()) {
		keep := sides[0]
		if len(sides) == 2 && sides[1].Memory.ArchivedAt.After(keep.Memory.ArchivedAt) {
			keep = sides[1]
		}
		for _, side := range sides {
			if _, err := ArchiveStubText(tx, id, side); err != nil {
				return err
			}
		}
		return tx.WriteMemory(id, memfile.Stub(keep))
	}
	return resolveArchive(tx, path, sides)
}

// resolveArchive makes two versions of one. The version that a restore brings back stays the newest: our side if the
// newest version holds the merge, and otherwise the newest version.
func resolveArchive(tx *store.Tx, path string, sides []*memfile.File) error {
	id, _, _ := memory.ParseArchiveName(filepath.Base(filepath.FromSlash(path)))
	ours, theirs := sides[0], sides[len(sides)-1]
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
	if memfile.Same(newest.Bytes(), ours.Bytes()) { // an earlier repair was killed here
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

// IDOf returns the id of the memory whose file a path names, or "".
func IDOf(path string) memory.ID {
	id, _ := memory.IDFromFile(path[strings.LastIndexByte(path, '/')+1:])
	return id
}
