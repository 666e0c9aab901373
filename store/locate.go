package store

import (
	"os"
	"path/filepath"
)

// Folder is where a store stands in its project.
const Folder = ".claude/ltm"

// Where tells how to look for the store.
type Where struct {
	Override string // LTM_DIR: this folder and no other
	Project  string // CLAUDE_PROJECT_DIR; empty: Cwd counts
	Cwd      string
	Home     string // never searched for a store unless it is the start
}

// Place is a folder that holds a store, or would.
type Place struct {
	Dir string // the store's folder, absolute
	Why string // how it was found, for people
}

// Locate finds the store's folder: the override; else the nearest existing
// .claude/ltm at or above the project, not above the top of its git work tree;
// else the one to create, in the top of the work tree or in the project itself.
func Locate(w Where) Place {
	if w.Override != "" {
		dir, err := filepath.Abs(w.Override)
		if err != nil {
			dir = w.Override
		}
		return Place{dir, "LTM_DIR names it"}
	}
	start := w.Project
	if start == "" {
		start = w.Cwd
	}
	if abs, err := filepath.Abs(start); err == nil {
		start = abs
	}
	top := gitTop(start)
	for dir := start; ; dir = filepath.Dir(dir) {
		candidate := filepath.Join(dir, filepath.FromSlash(Folder))
		if isDir(candidate) {
			return Place{candidate, "found at or above " + start}
		}
		parent := filepath.Dir(dir)
		if dir == top || parent == dir || (top == "" && isHome(parent, w.Home)) {
			break
		}
	}
	if top != "" {
		return Place{filepath.Join(top, filepath.FromSlash(Folder)), "the top of the git work tree"}
	}
	return Place{filepath.Join(start, filepath.FromSlash(Folder)), "the project folder, which is not in a git work tree"}
}

// isHome says whether a folder is the home folder, however either is written:
// the case of a drive's letter differs between programs on Windows, and macOS
// has links in its paths.
func isHome(dir, home string) bool {
	return dir == home || (home != "" && SameFile(dir, home))
}

// gitTop returns the top of the work tree that holds dir, or "". A work tree's
// top holds ".git": a folder, or a file in linked work trees and submodules.
func gitTop(dir string) string {
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

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
