package gitcmd

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ltm/internal/git/gitdir"
)

// Create makes a git repository in a directory that nothing but this program has written to. It has no hooks, and
// nothing is added or committed. project is where this process was started: no program in its work tree is run.
func Create(ctx context.Context, dir, project string, environ []string) error {
	dir, err := absolute(dir)
	if err != nil {
		return err
	}
	avoid, err := absolute(project)
	if err != nil {
		return err
	}
	avoid = cmp.Or(gitdir.Top(avoid), avoid)
	program := LookUp(environ, avoid, "git")
	if program == "" {
		return ErrNoProgram
	}
	env := slices.DeleteFunc(environment(environ, avoid), func(e string) bool {
		return strings.HasPrefix(e, "GIT_WORK_TREE=")
	})
	t := &Tree{dir, program, env}
	_, err = t.run(ctx, nil, append(t.options(), "init", "-q", "--template=", "--initial-branch=main"))
	return err
}
