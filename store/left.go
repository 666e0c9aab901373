package store

import (
	"path/filepath"
	"slices"
	"strings"

	"ltm/internal/fs/busyfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
	"ltm/memory/memfile"
)

// Left is a memory that was stored in a linked work tree which was removed before a commit had it.
type Left struct {
	Tree string // the directory of the work tree's copies; it begins with the name of the work tree
	ID   memory.ID
	Data []byte
	base string // checksum of the text that it replaced; empty: it was new
}

// Left returns what removed work trees left, by work tree and id: what neither this store nor the last commit of the
// work tree's branch has, as far as git's files tell.
func (v *View) Left() []Left {
	left, _ := v.copiesLeft()
	return left
}

// HasLeft reports whether a removed work tree left a copy of a memory, of use or not.
func (v *View) HasLeft(id memory.ID) bool {
	left, spent := v.copiesLeft()
	return slices.ContainsFunc(append(left, spent...), func(l Left) bool { return l.ID == id })
}

// copiesLeft also returns the copies of removed work trees that are of no use any more.
func (v *View) copiesLeft() (left, spent []Left) {
	p := v.store.places
	if v.root == nil || p.Git.Common == "" || !hasFile(v.clone, uncommittedDir) {
		return nil, nil
	}
	there := p.copiesInUse()
	for _, tree := range namesIn(v.clone, uncommittedDir) {
		dir := openCopies(v.clone, tree)
		if dir == nil || there[tree] {
			closeRoots(dir)
			continue
		}
		head, _ := regular.Read(dir, headName, maxJSONBytes)
		line, _, _ := strings.Cut(string(head), "\n")
		committed, _ := p.Git.Files(p.Git.HeadOf(line).Commit, p.memoriesInGit())
		for _, id := range copied(dir) {
			data, err := regular.Read(dir, id.File(), memfile.MaxFileBytes)
			if err != nil {
				continue
			}
			base, _ := regular.Read(dir, baseName(id), maxNameBytes)
			l := Left{Tree: tree, ID: id, Data: data, base: string(base)}
			if has(committed, id, data) || v.isHere(l) {
				spent = append(spent, l)
			} else {
				left = append(left, l)
			}
		}
		dir.Close()
	}
	return left, spent
}

// copiesInUse returns the directories with the copies of work trees that are there.
func (p Places) copiesInUse() map[string]bool {
	used := map[string]bool{}
	private, err := filepath.Rel(p.Git.Common, p.Clone)
	for _, linked := range p.Git.Linked() {
		tree, openErr := regular.OpenPath(filepath.Join(linked.Dir, private))
		if err != nil || openErr != nil {
			continue
		}
		if !linked.Gone {
			used[copiesOf(tree)] = true
		}
		tree.Close()
	}
	return used
}

// isHere reports whether a memory is in this store: with that text, or taken away by someone.
func (v *View) isHere(l Left) bool {
	if now, err := v.ReadRaw(l.ID); err == nil && (memfile.Same(now, l.Data) || isTakenAway(now)) {
		return true
	}
	names, _ := v.ArchiveNames(l.ID)
	for _, name := range names {
		if data, err := v.ReadBytes(archivesDir + "/" + name); err == nil && memfile.Same(data, l.Data) {
			return true
		}
	}
	return false
}

// isTakenAway reports whether a file is the stub of a memory that was forgotten, erased or undone. Of one that faded or
// was superseded, another text may still be wanted.
func isTakenAway(data []byte) bool {
	file, err := memfile.Parse(data)
	return err == nil && file.Memory.IsStub() && slices.Contains([]string{memory.ReasonForgotten, memory.ReasonErased,
		memory.ReasonUndone}, file.Memory.ArchivedReason)
}

// BringBack puts what a removed work tree left into this store, and drops the copy. Where the store has another text
// than the one that was changed there, the text becomes the newest one in the archives of the memory.
func (tx *Tx) BringBack(l Left) error {
	if _, err := tx.loadTrust(); err != nil {
		return err
	}
	now, err := tx.ReadRaw(l.ID)
	if err != nil && memory.CodeOf(err) != memory.CodeNotFound {
		return err
	}
	switch isNew := !tx.Taken(l.ID); {
	case isNew || now != nil && checksum(now) == l.base:
		if !isNew {
			if err := tx.WriteArchive(l.ID, now); err != nil {
				return err
			}
		}
		err = tx.replaceMemory(l.ID, now, l.Data, tx.holds(l.ID, l.Data))
	default:
		err = tx.WriteArchive(l.ID, l.Data)
	}
	if err != nil {
		return err
	}
	return tx.DropLeft(l)
}

// DropLeft removes the copy of what a removed work tree left.
func (tx *Tx) DropLeft(l Left) error {
	dir := openCopies(tx.clone, l.Tree)
	if dir == nil {
		return nil
	}
	removeCopy(dir, l.ID)
	dir.Close()
	tx.dropEmpty(l.Tree)
	return nil
}

// dropEmpty removes the directory of a removed work tree that has no copies any more.
func (tx *Tx) dropEmpty(tree string) {
	dir := openCopies(tx.clone, tree)
	if dir == nil {
		return
	}
	empty := len(copied(dir)) == 0
	for _, name := range namesIn(dir, ".") {
		if empty {
			_ = busyfile.Remove(dir, name)
		}
	}
	dir.Close()
	if empty {
		_ = tx.clone.Remove(uncommittedDir + "/" + tree)
	}
}

// DropSpent removes the copies of removed work trees that are of no use any more: a commit or this store has them.
func (tx *Tx) DropSpent() {
	p := tx.store.places
	if p.Git.Common == "" || !hasFile(tx.clone, uncommittedDir) {
		return
	}
	_, spent := tx.copiesLeft()
	for _, l := range spent {
		_ = tx.DropLeft(l)
	}
	there := p.copiesInUse()
	for _, tree := range namesIn(tx.clone, uncommittedDir) {
		if !there[tree] {
			tx.dropEmpty(tree)
		}
	}
}
