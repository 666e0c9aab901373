// Package gitdir finds the directories of a git clone by reading git's own small
// files. It starts no process, so that hooks can afford it.
//
// A git directory can make git run programs, so it must not be chosen by whoever made the files of the project. A
// ".git" file can come with a download. It is followed only to a directory that refers back to it, as those of linked
// work trees and submodules do, or that is not the ".git" of another project.
package gitdir

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxFileBytes is the size limit of git's small files.
const maxFileBytes = 64 << 10

// Clone says where a work tree and its git directories are. The paths are absolute if the path given to [Find] is.
type Clone struct {
	Top    string // the top of the work tree
	Dir    string // the git directory of this work tree
	Common string // the git directory that all work trees of the clone share
}

// Top returns the top of the work tree that contains dir, or "" outside of work trees. The
// top contains ".git": a directory, or a file in linked work trees and submodules.
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

// Find returns the clone whose work tree contains dir. It reports false if there is
// none, or if ".git" is not a git directory or must not be followed.
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

// isGitDir reports whether a directory has the file HEAD, as every git directory does.
func isGitDir(dir string) bool {
	head, err := os.Lstat(filepath.Join(dir, "HEAD"))
	return err == nil && !head.IsDir()
}

// linked follows the ".git" file of a work tree.
func linked(top, git string) (Clone, bool) {
	line, ok := readLine(git)
	target, isLink := strings.CutPrefix(line, "gitdir:")
	if !ok || !isLink {
		return Clone{}, false
	}
	dir := Resolve(top, strings.TrimSpace(target))
	if !isGitDir(dir) {
		return Clone{}, false
	}
	if common, ok := readLine(filepath.Join(dir, "commondir")); ok {
		back, ok := readLine(filepath.Join(dir, "gitdir"))
		return Clone{top, dir, Resolve(dir, common)}, ok && SameFile(Resolve(dir, back), git)
	}
	if worktree, set := coreSettings(dir)["worktree"]; set {
		return Clone{top, dir, dir}, SameFile(Resolve(dir, worktree), top)
	}
	objects, err := os.Stat(filepath.Join(dir, "objects"))
	return Clone{top, dir, dir}, filepath.Base(dir) != ".git" && err == nil && objects.IsDir()
}

// coreSettings returns the section core of the configuration of a git directory, by names in lower case.
func coreSettings(dir string) map[string]string {
	core := map[string]string{}
	for _, file := range []string{"config", "config.worktree"} {
		for _, s := range settings(readSmall(filepath.Join(dir, file))) {
			if s.section == "core" && s.name == "" {
				core[s.key] = s.value
			}
		}
	}
	return core
}

// readLine returns the content of a file of one line.
func readLine(path string) (string, bool) {
	line := strings.TrimSpace(readSmall(path))
	return line, line != "" && !strings.ContainsAny(line, "\n\x00")
}

// readSmall reads a small regular file, and returns "" for anything else.
func readSmall(path string) string {
	f, err := OpenRegular(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err != nil || len(data) > maxFileBytes {
		return ""
	}
	return string(data)
}

// Resolve returns a path that git keeps in a file of the directory base.
func Resolve(base, path string) string {
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

// Within reports whether a path relative to a work tree is git's directory or in it.
func Within(rel string) bool {
	isGit := func(name string) bool { return strings.EqualFold(name, ".git") }
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(rel), "/"), isGit)
}
