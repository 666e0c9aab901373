package wiring

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"ltm/cmd/internal/gitstore"
	"ltm/engine/locate"
	"ltm/engine/worktree"
	"ltm/internal/git/gitdir"
	"ltm/store"
)

// WorkTree returns the files that the memories of a store may refer to: those of its project's work tree. There are
// none for a person's own memories, which are for every project. With git, it may be asked.
func (e Env) WorkTree(place locate.Place, git bool) *worktree.Files {
	if place.Own {
		return nil
	}
	files := &worktree.Files{Place: sync.OnceValue(func() worktree.Place { return e.workTree(place) })}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		files.Fold = strings.ToLower
	}
	if git && strings.HasSuffix(filepath.ToSlash(place.Store), "/"+store.Folder) { // else it may be in another tree
		files.Git = gitHistory{gitstore.Files{Store: e.Git(place)}}
	}
	return files
}

// HeadStamp returns a function whose value differs after a change of the branch or the commit of the work tree that has
// that top, if it is in git. See [gitdir.Clone.HeadStamp].
func HeadStamp(top string) func() string {
	if clone, ok := gitdir.Find(top); top != "" && ok {
		return clone.HeadStamp
	}
	return func() string { return "" }
}

// gitHistory implements [worktree.Git].
type gitHistory struct{ gitstore.Files }

// Touched implements [worktree.Git].
func (a gitHistory) Touched(ctx context.Context, path string, limit int) []worktree.Commit {
	var all []worktree.Commit
	for _, c := range a.Files.Touched(ctx, path, limit) {
		all = append(all, worktree.Commit{Hash: c.Hash, At: c.Time, Subject: c.Subject})
	}
	return all
}

func (e Env) workTree(place locate.Place) worktree.Place {
	project, isInside := strings.CutSuffix(filepath.ToSlash(place.Store), "/"+store.Folder)
	if !isInside {
		project = e.clientDir()
	}
	project, err := filepath.Abs(filepath.FromSlash(project))
	if err == nil {
		project, err = filepath.EvalSymlinks(project)
	}
	if err != nil {
		return worktree.Place{}
	}
	clone, ok := gitdir.Find(project)
	switch {
	case ok:
		below, err := filepath.Rel(clone.Top, project)
		if below = filepath.ToSlash(below); err != nil || below == "." {
			below = ""
		}
		return worktree.Place{Top: clone.Top, GitDir: clone.Dir, Below: below}
	case gitdir.Top(project) != "":
		return worktree.Place{} // what looks like git must not be followed, and what it ignores is not known
	}
	return worktree.Place{Top: project}
}
