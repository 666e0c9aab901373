package gitcmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"ltm/internal/git/gitdir"
)

var (
	// ErrNoProgram reports that git is not installed.
	ErrNoProgram = errors.New("git is not installed")

	// ErrNoTree reports that a directory is not in a git work tree.
	ErrNoTree = errors.New("not in a git work tree")
)

// ShapeError names a directory that git could use as a git directory although it is
// not the .git of the work tree. Its configuration can have come with the files.
type ShapeError struct{ Path string }

func (e *ShapeError) Error() string {
	return fmt.Sprintf("%q has the shape of a git directory", e.Path)
}

// gitName is the name of the git directory at the top of a work tree, or of the file there that names it.
const gitName = ".git"

// maxGitFile is how many bytes are read of one of git's own small files.
const maxGitFile = 64 << 10

// Tree is a git work tree in which it is safe to run git.
type Tree struct {
	top     string
	program string
	environ []string
}

// Open finds the work tree that contains a project, without running git. store is the directory of the project's store;
// neither directory has to exist. The search for the top starts at the project, so that a store is never a top. environ
// is the environment of the process, as [os.Environ] returns it.
//
// The error is, or wraps, [ErrNoTree], [ErrNoProgram] or a [*ShapeError].
func Open(project, store string, environ []string) (*Tree, error) {
	project, err := absolute(project)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoTree, err)
	}
	top := gitdir.Top(project)
	if top == "" {
		return nil, ErrNoTree
	}
	if err := checkGit(top); err != nil {
		return nil, err
	}
	for _, start := range []string{project, store} {
		if err := checkShapes(start, top); err != nil {
			return nil, err
		}
	}
	program := LookUp(environ, top, "git")
	if program == "" {
		return nil, ErrNoProgram
	}
	return &Tree{top, program, environment(environ, top)}, nil
}

// Top returns the top directory of the work tree: absolute, without symbolic links.
func (t *Tree) Top() string { return t.top }

// Rel returns a path relative to the top, with slashes, as git reads and prints paths. It follows symbolic links.
func (t *Tree) Rel(path string) (string, error) {
	path, err := absolute(path)
	if err != nil {
		return "", err
	}
	if !within(path, t.top) {
		return "", fmt.Errorf("%q is not in the work tree %q", path, t.top)
	}
	rel, err := filepath.Rel(t.top, path)
	return filepath.ToSlash(rel), err
}

// absolute returns the path of a file or directory without symbolic links. The part that does not exist stays as it is.
func absolute(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return resolve(path), nil
}

func resolve(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolve(parent), filepath.Base(path))
}

// checkGit returns an error if .git at the top is neither a git directory nor a file that names one outside of the work
// tree. Git would search on, and could use a directory that does not belong to the work tree.
func checkGit(top string) error {
	git := filepath.Join(top, gitName)
	dir, err := filepath.EvalSymlinks(git)
	if err == nil && !isDir(dir) {
		dir, err = namedDir(dir)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoTree, err)
	}
	if dir != git && within(dir, top) {
		return &ShapeError{dir}
	}
	if !isGitDir(dir) {
		return fmt.Errorf("%w: %q is not a git directory", ErrNoTree, git)
	}
	return nil
}

// namedDir returns the git directory that a .git file names.
func namedDir(file string) (string, error) {
	data, err := readSmall(file)
	if err != nil {
		return "", err
	}
	name, ok := bytes.CutPrefix(data, []byte("gitdir: "))
	if !ok {
		return "", fmt.Errorf("%q does not name a git directory", file)
	}
	return filepath.EvalSymlinks(gitdir.Resolve(filepath.Dir(file), strings.TrimRight(string(name), "\r\n")))
}

// isGitDir reports whether git would use dir as a git directory.
func isGitDir(dir string) bool {
	common := dir
	if data, err := readSmall(filepath.Join(dir, "commondir")); err == nil {
		common = gitdir.Resolve(dir, strings.TrimRight(string(data), "\r\n"))
	}
	return exists(filepath.Join(dir, "HEAD")) &&
		isDir(filepath.Join(common, "objects")) && isDir(filepath.Join(common, "refs"))
}

func readSmall(path string) ([]byte, error) {
	f, err := gitdir.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxGitFile))
}

// checkShapes looks for the shape of a git directory in every directory from dir up to
// the top. It matches more than git would use.
func checkShapes(dir, top string) error {
	dir, err := absolute(dir)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNoTree, err)
	}
	for ; within(dir, top); dir = filepath.Dir(dir) {
		has := func(name string) bool { return exists(filepath.Join(dir, name)) }
		if has("HEAD") && (has("commondir") || has("objects") && has("refs")) {
			return &ShapeError{dir}
		}
	}
	return nil
}

// within reports whether a path is dir or below it. Both are absolute and clean.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
