// Package companion finds the other program of ltm: ltm-server for ltm, and ltm for ltm-server. It never finds a
// program that came with a repository.
package companion

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"

	"ltm/internal/git/gitcmd"
	"ltm/internal/git/gitdir"
)

// The names of the programs, without the ending that Windows has.
const (
	Client = "ltm"
	Server = "ltm-server"
)

// Beside returns the path of a program beside this one, also where a link to this one leads; or "".
func Beside(name string) string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	beside := []string{filepath.Dir(self)}
	if target, err := filepath.EvalSymlinks(self); err == nil {
		beside = append(beside, filepath.Dir(target))
	}
	for _, dir := range beside {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path
		}
	}
	return ""
}

// OnPath returns the path of a program on the PATH of an environment, or "". Programs in the work tree that
// contains dir, or in dir outside of work trees, may have come with a repository and are never returned.
func OnPath(name string, environ []string, dir string) string {
	top := cmp.Or(gitdir.Top(dir), dir)
	if real, err := filepath.EvalSymlinks(top); err == nil {
		top = real
	}
	return gitcmd.LookUp(environ, top, name)
}
