package gitcmd

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Create makes a git repository in a directory that nothing but this program has written to. It
// has no hooks, and nothing is added or committed. project is where this process was started: no
// program in its work tree is run.
func Create(ctx context.Context, dir, project string, environ []string) error {
	dir, err := absolute(dir)
	if err != nil {
		return err
	}
	avoid, err := absolute(project)
	if err != nil {
		return err
	}
	if top := topOf(avoid); top != "" {
		avoid = top
	}
	program := LookUp(environ, avoid, "git")
	if program == "" {
		return ErrNoProgram
	}
	limit, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	args := []string{"-C", dir, "--no-pager"}
	for _, setting := range overrides() {
		args = append(args, "-c", setting)
	}
	cmd := exec.CommandContext(limit, program, append(args, "init", "-q", "--template=", "--initial-branch=main")...)
	env := environment(environ, avoid)
	cmd.Env = slices.DeleteFunc(env, func(e string) bool { return strings.HasPrefix(e, "GIT_WORK_TREE=") })
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	complaint := &limited{max: maxComplaint}
	cmd.Stderr = complaint
	err = runGroup(cmd)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		line, _, _ := strings.Cut(string(complaint.data), "\n")
		return &ExitError{exit.ExitCode(), line}
	}
	return err
}
