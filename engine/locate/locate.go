// Package locate finds a project's store and decides where its files are: memories in the work tree, and data of one
// clone in the clone's git directory, where a repository cannot add files and no checkout changes any.
package locate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"ltm/internal/git/gitdir"
	"ltm/store"
)

// Where says where to look for the store.
type Where struct {
	Override string // LTM_DIR: this directory and no other
	Project  string // CLAUDE_PROJECT_DIR; empty: Cwd is used
	Cwd      string
	Home     string // never searched for a store, unless the search starts there
	Person   string // the user's own directory for ltm's data; empty: none
}

// Place is a store that was found, or the one to create.
type Place struct {
	store.Places
	Why string // how it was found, for people
}

// Store finds the store. It is the override; else the nearest existing .claude/ltm at
// or above the project, up to the top of its git work tree; else the one to create, at
// the top of the work tree or in the project itself. The person's own directory keeps its rules, however it is named.
func Store(w Where) Place {
	dir, why := find(w)
	places := Places(dir, w.Person)
	places.Named = w.Override != ""
	places.Own = w.Person != "" && gitdir.SameFile(dir, w.Person)
	return Place{places, why}
}

func find(w Where) (dir, why string) {
	if w.Override != "" {
		return absolute(w.Override), "LTM_DIR names it"
	}
	start := outside(absolute(cmp.Or(w.Project, w.Cwd)), w.Home)
	top := gitdir.Top(start)
	for dir := start; ; dir = filepath.Dir(dir) {
		candidate := filepath.Join(dir, filepath.FromSlash(store.Folder))
		if isDir(candidate) {
			return candidate, "found at or above " + start
		}
		parent := filepath.Dir(dir)
		if dir == top || parent == dir || (top == "" && isHome(parent, w.Home)) {
			break
		}
	}
	if top != "" {
		start, why = top, "the top of the git work tree"
	} else {
		why = "the project directory, which is not in a git work tree"
	}
	return filepath.Join(start, filepath.FromSlash(store.Folder)), why
}

// outside returns dir, or if dir is in a store, the project of that store: a store is
// not a project, not even when it is a repository of its own.
func outside(dir, home string) string {
	path := filepath.ToSlash(dir) + "/"
	if i := strings.Index(path, "/"+store.Folder+"/"); i >= 0 {
		if project := filepath.Clean(filepath.FromSlash(path[:i+1])); !isHome(project, home) {
			return project
		}
	}
	return dir
}

const (
	// gitSubdir is ltm's directory inside a git directory.
	gitSubdir = "ltm"

	// otherStores contains the directories of stores that are not .claude/ltm at the
	// top of their work tree, each named after its path below the top.
	otherStores = "stores"

	// keyFile contains the secret that keys the trust record.
	keyFile = "trust.key"
)

// Places returns where the files of the store in dir are. The search for the clone starts at the project of the store,
// not in the store, whose files can come from anyone.
func Places(dir, person string) store.Places {
	p := store.Places{Store: dir}
	project, _ := strings.CutSuffix(filepath.ToSlash(dir), "/"+store.Folder)
	nearest, _ := existing(filepath.FromSlash(project))
	clone, ok := gitdir.Find(nearest)
	if !ok {
		p.Local = true
		p.Clone = filepath.Join(dir, store.LocalFolder)
		p.Tree = p.Clone
		if person != "" {
			p.Key = filepath.Join(person, keyFile)
		}
		return p
	}
	p.Git = clone
	private := gitSubdir
	// Both paths are resolved, so a store that is reached by a link has the place of
	// the directory that the link leads to.
	rel, err := filepath.Rel(clone.Top, filepath.Join(existing(dir)))
	if err != nil || filepath.ToSlash(rel) != store.Folder {
		private = filepath.Join(gitSubdir, otherStores, storeName(filepath.ToSlash(rel)))
	}
	p.Clone, p.Tree = filepath.Join(clone.Common, private), filepath.Join(clone.Dir, private)
	p.Key = filepath.Join(p.Clone, keyFile)
	return p
}

// maxStoreName bounds the name of a store's directory: file systems allow 255 bytes.
const maxStoreName = 200

// storeName returns the name of the directory for a store at path rel below the top of
// its work tree. Different paths get different names.
func storeName(rel string) string {
	name := url.PathEscape(rel)
	if name == "." {
		return "%2E" // the work tree's top itself
	}
	if len(name) > maxStoreName {
		sum := sha256.Sum256([]byte(rel))
		name = name[:maxStoreName-2*sha256.Size] + hex.EncodeToString(sum[:])
	}
	return name
}

// existing returns the nearest existing directory at or above path, with links resolved, and the part of path below it.
func existing(path string) (resolved, below string) {
	for dir := path; ; dir = filepath.Dir(dir) {
		if resolved, err := filepath.EvalSymlinks(dir); err == nil {
			below, _ = filepath.Rel(dir, path)
			return resolved, below
		}
		if filepath.Dir(dir) == dir {
			return path, "."
		}
	}
}

// Resolved returns a path with the links of what exists of it resolved, so that a directory has one name.
func Resolved(path string) string { return filepath.Join(existing(absolute(path))) }

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// isHome reports whether a directory is the home directory, however the two are written: on Windows programs differ in
// the case of the drive letter, and macOS has links in its paths.
func isHome(dir, home string) bool {
	return dir == home || (home != "" && gitdir.SameFile(dir, home))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
