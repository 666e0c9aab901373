// Package gitdir finds the directories of a git clone by reading git's own small
// files. It starts no process, so hooks can afford it.
//
// Git directories are trusted as git trusts them: what is in them can run
// programs. Therefore a ".git" file, which can come with a download, is followed
// only to a directory that refers back to it, as those of linked work trees and
// submodules do, or that is not another project's own ".git".
package gitdir

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxFileBytes bounds what is read of git's small files.
const maxFileBytes = 64 << 10

// Clone is where a work tree and its git directories are. All paths are
// absolute if the path that was asked about is.
type Clone struct {
	Top    string // the top of the work tree
	Dir    string // the git directory of this work tree
	Common string // the git directory that all work trees of the clone share
}

// Top returns the top of the work tree that holds dir, or "" outside of any. The
// top of a work tree holds ".git": a directory, or a file in linked work trees
// and submodules.
func Top(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// Find returns the clone whose work tree holds dir. It reports false outside of
// any, and where ".git" is not a git directory or may not be followed.
func Find(dir string) (Clone, bool) {
	top := Top(dir)
	if top == "" {
		return Clone{}, false
	}
	git := filepath.Join(top, ".git")
	info, err := os.Stat(git)
	if err != nil {
		return Clone{}, false
	}
	if info.IsDir() {
		return Clone{top, git, git}, isGitDir(git)
	}
	return linked(top, git)
}

// isGitDir reports whether a directory has what every git directory has.
func isGitDir(dir string) bool {
	head, err := os.Lstat(filepath.Join(dir, "HEAD"))
	return err == nil && !head.IsDir()
}

// linked follows a ".git" file.
func linked(top, git string) (Clone, bool) {
	line, ok := readLine(git)
	target, isLink := strings.CutPrefix(line, "gitdir:")
	if !ok || !isLink {
		return Clone{}, false
	}
	dir := resolve(top, strings.TrimSpace(target))
	if !isGitDir(dir) {
		return Clone{}, false
	}
	if common, ok := readLine(filepath.Join(dir, "commondir")); ok {
		back, ok := readLine(filepath.Join(dir, "gitdir"))
		return Clone{top, dir, resolve(dir, common)}, ok && SameFile(resolve(dir, back), git)
	}
	if worktree, set := worktreeOf(dir); set {
		return Clone{top, dir, dir}, SameFile(resolve(dir, worktree), top)
	}
	objects, err := os.Stat(filepath.Join(dir, "objects"))
	return Clone{top, dir, dir}, filepath.Base(dir) != ".git" && err == nil && objects.IsDir()
}

// worktreeOf returns core.worktree from a git directory's configuration.
func worktreeOf(dir string) (path string, set bool) {
	section := ""
	for line := range strings.Lines(readSmall(filepath.Join(dir, "config"))) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.ToLower(line)
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if ok && section == "[core]" && strings.EqualFold(strings.TrimSpace(key), "worktree") {
			path, set = strings.Trim(strings.TrimSpace(value), `"`), true
		}
	}
	return path, set
}

// readLine reads a file that holds one line.
func readLine(path string) (string, bool) {
	line := strings.TrimSpace(readSmall(path))
	return line, line != "" && !strings.ContainsAny(line, "\n\x00")
}

// readSmall reads a small regular file; anything else is empty. A pipe is not
// opened, because that would wait for its other end.
func readSmall(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFileBytes {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes))
	if err != nil {
		return ""
	}
	return string(data)
}

func resolve(base, path string) string {
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	return filepath.Clean(path)
}

// SameFile reports whether two paths lead to one existing file or directory.
func SameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
