package gittrap

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Trap is one way in which a repository can make git start a program. In Config and Files, PROG is
// the trap's program, DIR the directory of programs, and NAME the trap's name.
type Trap struct {
	Name   string
	Config string            // lines for the repository's configuration
	Attr   string            // attributes for every file, for the repository's info/attributes
	Hook   string            // the hook to install
	Files  map[string]string // files in the directory of programs

	// Fire is a shell script that springs the trap with stock git, in a repository made by
	// [Script]. It is empty if that needs a terminal or a server.
	Fire string
}

// Set is a directory with the programs of traps and their marks.
type Set struct{ dir string }

// New makes the directory.
func New(dir string) (Set, error) { return Set{dir}, os.MkdirAll(dir, 0o755) }

// Program writes the program of a trap and returns its path.
func (s Set) Program(name string) (string, error) {
	path := filepath.Join(s.dir, name)
	return path, program(path, "#!/bin/sh\necho \"${0##*/}\" >> '"+s.dir+"/sprung'\nexit 1\n")
}

// Lay sets traps in a git directory. If several set the same setting, the last one wins, as in any
// git configuration.
func (s Set) Lay(gitDir string, traps ...Trap) error {
	var config, attributes strings.Builder
	for _, t := range traps {
		path, err := s.Program(t.Name)
		if err != nil {
			return err
		}
		fill := strings.NewReplacer("PROG", path, "DIR", s.dir, "NAME", t.Name).Replace
		fmt.Fprintf(&config, "%s\n", fill(t.Config))
		if t.Attr != "" {
			fmt.Fprintf(&attributes, "%s\n", fill("* "+t.Attr+"\nNAME.* "+t.Attr))
		}
		for name, text := range t.Files {
			if err := program(filepath.Join(s.dir, name), fill(text)); err != nil {
				return err
			}
		}
		if t.Hook != "" {
			if err := program(filepath.Join(gitDir, "hooks", t.Hook), fill(hookText)); err != nil {
				return err
			}
		}
	}
	if err := add(filepath.Join(gitDir, "config"), config.String()); err != nil {
		return err
	}
	return add(filepath.Join(gitDir, "info", "attributes"), attributes.String())
}

// program writes an executable file.
func program(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o755)
}

// add appends text to a file.
func add(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.WriteString(text); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// Sprung returns the names of the traps sprung since the last call.
func (s Set) Sprung() ([]string, error) {
	path := filepath.Join(s.dir, "sprung")
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	names := strings.Fields(string(data))
	slices.Sort(names)
	return slices.Compact(names), os.Remove(path)
}

// Shape turns a directory into a git directory whose configuration sets traps and names worktree as
// its work tree.
func (s Set) Shape(dir, worktree string, traps ...Trap) error {
	for _, name := range []string{"objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name, "x"), nil, 0o644); err != nil { // git skips empty ones
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/main\n"), 0o644); err != nil {
		return err
	}
	if err := add(filepath.Join(dir, "config"), "[core]\n\tworktree = "+worktree+"\n"); err != nil {
		return err
	}
	return s.Lay(dir, traps...)
}

// Script makes, in an empty directory, a repository in which traps can be sprung: a signed commit,
// two branches that changed one file, a submodule, a changed file and a new one. It needs git on
// the PATH.
const Script = `set -eu
export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.com
export GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.com
git init -q -b main .
git config user.name t
git config user.email t@example.com
echo base > file.md
git add -A
git commit -qm base
git checkout -qb side
echo side > file.md
git commit -qam side
git checkout -q main
git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub
git config -f .gitmodules submodule.sub.path sub
git config -f .gitmodules submodule.sub.url ./.git
git add .gitmodules
echo main > file.md
git add file.md
git commit -qm main
git cat-file commit HEAD | awk '/^$/ && !done { print "gpgsig -----BEGIN PGP SIGNATURE-----\n \n aGVsbG8=\n -----END PGP SIGNATURE-----"; done = 1 } { print }' > signed
git update-ref refs/heads/main $(git hash-object -t commit -w signed)
rm signed
git clone -q . sub
echo changed >> file.md
echo new > new.md
`
