package gitcmd

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// LookUp finds a program in the absolute directories of PATH outside of the work tree, or returns "". So a program that
// came with the repository is never found. top is the top of the work tree, with links resolved.
func LookUp(environ []string, top, name string) string {
	for _, dir := range filepath.SplitList(safePath(environ, top)) {
		program, err := exec.LookPath(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		if real, err := filepath.EvalSymlinks(program); err == nil && !within(real, top) {
			return program
		}
	}
	return ""
}

// safePath returns PATH without relative directories and those in the work tree.
func safePath(environ []string, top string) string {
	path := ""
	for _, e := range environ {
		if name, value, _ := strings.Cut(e, "="); strings.EqualFold(name, "PATH") {
			path = value
		}
	}
	dirs := slices.DeleteFunc(filepath.SplitList(path), func(dir string) bool {
		return !filepath.IsAbs(dir) || within(resolve(filepath.Clean(dir)), top)
	})
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// environment returns the environment for git: that of this process without the variables that direct git or name
// programs, and with fixed values for those that override settings.
func environment(environ []string, top string) []string {
	kept := slices.DeleteFunc(slices.Clone(environ), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return directs(strings.ToUpper(name))
	})
	return append(kept,
		"PATH="+safePath(environ, top),
		"LC_ALL=C",
		"GIT_WORK_TREE="+top, // whatever core.worktree says
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(top),
		"GIT_ALLOW_PROTOCOL=", // none, so that no transport is started
		"GIT_NO_LAZY_FETCH=1",
		"GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_ASKPASS=", "SSH_ASKPASS=", "SSH_ASKPASS_REQUIRE=never",
		"GIT_PAGER=cat", "PAGER=cat",
		"GIT_EDITOR=:", "GIT_SEQUENCE_EDITOR=:", // a colon means none
	)
}

// directs reports whether an environment variable changes what git does or starts. The name is in upper case.
func directs(name string) bool {
	if strings.HasPrefix(name, "GIT_") || strings.HasPrefix(name, "LC_") {
		return true
	}
	switch name {
	case "PATH", "LANG", "LANGUAGE", "PAGER", "EDITOR", "VISUAL", "SSH_ASKPASS", "SSH_ASKPASS_REQUIRE":
		return true
	}
	return false
}
