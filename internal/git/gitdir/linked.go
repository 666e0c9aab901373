package gitdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

type Linked struct {
	Dir string // its git directory, in that of the clone
	Top string // the top of the work tree; empty: git does not say

	// Gone reports that the work tree was removed without git, which notices later. One that is locked may
	// be on a disk that is not there now, and is not gone.
	Gone bool
}

// Linked returns the linked work trees of the clone that git knows, by the names of their directories.
func (c Clone) Linked() []Linked {
	dir := filepath.Join(c.Common, "worktrees")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var all []Linked
	for _, e := range entries {
		l := Linked{Dir: filepath.Join(dir, e.Name())}
		git, ok := readLine(filepath.Join(l.Dir, "gitdir"))
		if !ok || !isGitDir(l.Dir) {
			continue
		}
		git = Resolve(l.Dir, git)
		l.Top = filepath.Dir(git)
		_, missing := os.Lstat(git)
		_, unlocked := os.Lstat(filepath.Join(l.Dir, "locked"))
		l.Gone = errors.Is(missing, fs.ErrNotExist) && errors.Is(unlocked, fs.ErrNotExist)
		all = append(all, l)
	}
	return all
}

// Others returns the other work trees of the clone that are there: the main one, and linked ones.
func (c Clone) Others() []Clone {
	tops := []string{c.mainTop()}
	for _, l := range c.Linked() {
		tops = append(tops, l.Top)
	}
	var all []Clone
	for _, top := range tops {
		other, ok := Find(top)
		if ok && other.Top == top && SameFile(other.Common, c.Common) && !SameFile(other.Dir, c.Dir) {
			all = append(all, other)
		}
	}
	return all
}

// mainTop returns where the main work tree would be. A bare clone has none, and git does not say where it is for a git
// directory elsewhere.
func (c Clone) mainTop() string {
	core := coreSettings(c.Common)
	if top, set := core["worktree"]; set {
		return Resolve(c.Common, top)
	}
	if strings.EqualFold(core["bare"], "true") || filepath.Base(c.Common) != ".git" {
		return ""
	}
	return filepath.Dir(c.Common)
}
