package store

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/busyfile"
	"ltm/internal/fs/regular"
	"ltm/internal/git/gitdir"
	"ltm/memory"
	"ltm/memory/memfile"
)

// A linked work tree can be removed by force with what was stored in it. So the clone's directory has copies of its
// memories until they are in a commit:
//
//	uncommitted/NAME-1a2b3c4d/mem_1a2b3c4d.md     a memory as it was stored there last
//	uncommitted/NAME-1a2b3c4d/mem_1a2b3c4d.base   the checksum of the text that it replaced; missing: it was new
//	uncommitted/NAME-1a2b3c4d/HEAD                what the work tree had checked out then
//
// The work tree's own directory says which of them is its: git gives the name of one that was removed to another one.
// All of it is best effort.
const (
	uncommittedDir  = "uncommitted" // in the clone's directory
	uncommittedName = "uncommitted" // in the work tree's: a file with the name of the directory
	headName        = "HEAD"
	baseExt         = ".base"

	// maxCopies and maxCopyBytes bound the copies of all work trees. Those that were made first go first.
	maxCopies    = 1000
	maxCopyBytes = 16 << 20

	// maxNameBytes is the size limit of a file with one name or checksum.
	maxNameBytes = 1 << 10

	// maxTreeName bounds how much of a work tree's name is in that of its directory.
	maxTreeName = 100
)

// isLinked reports whether the store is in a linked work tree.
func (p Places) isLinked() bool { return p.Git.Dir != p.Git.Common }

// memoriesInGit returns the path of the memories from the top of the work tree.
func (p Places) memoriesInGit() string {
	rel, err := filepath.Rel(p.Git.Top, filepath.Join(resolved(p.Store), memoriesDir))
	if err != nil {
		return ""
	}
	return filepath.ToSlash(rel)
}

// resolved returns a path without symbolic links, as that of git's work tree is.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// isKeptText reports whether a copy is made of a memory with these bytes. A reduced text, and the stub of one that was
// evicted, leave the copy of the full text as it is. Every other stub ends it.
func isKeptText(data []byte) (keep, end bool) {
	if data == nil { // there is no memory
		return false, true
	}
	file, err := memfile.Parse(data)
	if err != nil {
		return false, false
	}
	m := file.Memory
	if m.IsStub() {
		return false, m.ArchivedReason != memory.ReasonEvicted
	}
	return m.Phase == memory.Full, false
}

// copyUncommitted brings the copies of memories up to date with what a change writes, or is about to write.
func (tx *Tx) copyUncommitted(steps ...undoStep) {
	if !tx.store.places.isLinked() {
		return
	}
	var dir *os.Root
	defer func() { closeRoots(dir) }()
	for _, s := range steps[max(0, len(steps)-maxCopies):] {
		keep, end := isKeptText(s.after)
		if dir == nil && (keep || end) {
			if dir = tx.copies(keep); dir == nil {
				continue
			}
		}
		id, _ := memory.IDFromPath(s.path)
		switch name := id.File(); {
		case end:
			removeCopy(dir, id)
		case keep:
			if s.before != nil && !hasFile(dir, name) {
				_ = atomicfile.ReplaceFast(dir, baseName(id), []byte(checksum(s.before)))
			}
			_ = atomicfile.ReplaceFast(dir, name, s.after)
			tx.copied = true
		}
	}
}

// uncopy makes the copy of a memory that could not be written one of what its file still has.
func (tx *Tx) uncopy(id memory.ID, has []byte) {
	if keep, _ := isKeptText(has); !keep {
		has = nil
	}
	tx.copyUncommitted(undoStep{id.Path(), nil, has})
}

func baseName(id memory.ID) string { return strings.TrimSuffix(id.File(), memory.FileExt) + baseExt }

func removeCopy(dir *os.Root, id memory.ID) {
	_ = busyfile.Remove(dir, id.File())
	_ = busyfile.Remove(dir, baseName(id))
}

// copies opens the directory of this work tree's copies, or returns nil. With create it makes a missing one.
func (tx *Tx) copies(create bool) *os.Root {
	tree := tx.treeRoot(create)
	if tree == nil {
		return nil
	}
	name := copiesOf(tree)
	if name != "" || !create {
		return openCopies(tx.clone, name)
	}
	var random [4]byte
	_, _ = rand.Read(random[:]) // never fails
	base := filepath.Base(tx.store.places.Git.Dir)
	name = strings.ToValidUTF8(base[:min(len(base), maxTreeName)], "") + "-" + hex.EncodeToString(random[:])
	if err := tx.clone.MkdirAll(path.Join(uncommittedDir, name), ownPerm); err != nil {
		return nil
	}
	dir := openCopies(tx.clone, name)
	if dir == nil || atomicfile.ReplaceFast(dir, headName, []byte(tx.store.places.Git.HeadStamp())) != nil ||
		atomicfile.ReplaceFast(tree, uncommittedName, []byte(name+"\n")) != nil {
		closeRoots(dir)
		return nil
	}
	return dir
}

// copiesOf returns the name of the directory with the copies of a work tree, by the work tree's own directory.
func copiesOf(tree *os.Root) string {
	data, err := regular.Read(tree, uncommittedName, maxNameBytes)
	if name := strings.TrimSpace(string(data)); err == nil && filepath.IsLocal(name) && path.Base(name) == name {
		return name
	}
	return ""
}

func openCopies(clone *os.Root, name string) *os.Root {
	if clone == nil || name == "" {
		return nil
	}
	all, err := regular.OpenDir(clone, uncommittedDir)
	if err != nil {
		return nil
	}
	defer all.Close()
	dir, err := regular.OpenDir(all, name)
	if err != nil {
		return nil
	}
	return dir
}

// settleCopies drops the copies of what is in the commit that the work tree has checked out. It looks when another
// commit was, so that a hook after each tool call costs little. A change that made copies bounds them.
func (tx *Tx) settleCopies() {
	p := tx.store.places
	if !p.isLinked() {
		return
	}
	if tx.copied {
		tx.boundCopies()
	}
	dir := tx.copies(false)
	if dir == nil {
		return
	}
	defer dir.Close()
	stamp := p.Git.HeadStamp()
	if before, err := regular.Read(dir, headName, maxJSONBytes); err == nil && string(before) == stamp {
		return
	}
	committed, known := p.Git.Files(p.Git.Head().Commit, p.memoriesInGit())
	var ids []memory.ID
	if known {
		ids = copied(dir)
	}
	for _, id := range ids {
		data, err := regular.Read(dir, id.File(), memfile.MaxFileBytes)
		if err != nil {
			continue
		}
		now, _ := tx.ReadRaw(id) // a person may have changed it before the commit
		if has(committed, id, data) || len(now) > 0 && has(committed, id, now) {
			removeCopy(dir, id)
		}
	}
	_ = atomicfile.ReplaceFast(dir, headName, []byte(stamp))
}

// has reports whether a memory has these bytes in a commit, apart from line ends.
func has(committed gitdir.Files, id memory.ID, data []byte) bool {
	blob, ok := committed.Read(id.File())
	return ok && memfile.Same(blob, data)
}

// copied returns the memories of which a directory has copies.
func copied(dir *os.Root) (ids []memory.ID) {
	for _, name := range namesIn(dir, ".") {
		if id, ok := memory.IDFromFile(name); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

// boundCopies removes the oldest copies if there are too many.
func (tx *Tx) boundCopies() {
	type file struct {
		name string
		info fs.FileInfo
	}
	var files []file
	size := int64(0)
	all, err := regular.OpenDir(tx.clone, uncommittedDir)
	if err != nil {
		return
	}
	defer all.Close()
	for _, tree := range namesIn(all, ".") {
		for _, name := range namesIn(all, tree) {
			if _, ok := memory.IDFromFile(name); !ok {
				continue
			}
			if info, err := all.Lstat(tree + "/" + name); err == nil {
				files = append(files, file{tree + "/" + name, info})
				size += info.Size()
			}
		}
	}
	slices.SortStableFunc(files, func(a, b file) int { return a.info.ModTime().Compare(b.info.ModTime()) })
	for i := 0; i < len(files) && (len(files)-i > maxCopies || size > maxCopyBytes); i++ {
		_ = busyfile.Remove(all, files[i].name)
		_ = busyfile.Remove(all, strings.TrimSuffix(files[i].name, memory.FileExt)+baseExt)
		size -= files[i].info.Size()
	}
}

// eraseCopies removes the copies of a memory in all work trees.
func (tx *Tx) eraseCopies(id memory.ID) error {
	for _, tree := range namesIn(tx.clone, uncommittedDir) {
		for _, name := range []string{id.File(), baseName(id)} {
			name = path.Join(uncommittedDir, tree, name)
			if err := busyfile.Remove(tx.clone, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return storageError(err, "remove", filepath.Join(tx.store.places.Clone, name))
			}
		}
	}
	return nil
}
