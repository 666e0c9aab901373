// Package companion finds the other program of ltm: ltm-server for ltm, and ltm for ltm-server.
package companion

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// The names of the programs, without the ending that Windows has.
const (
	Client = "ltm"
	Server = "ltm-server"
)

// Find returns the path of a program beside this one, also where a link to this one leads, or is on the
// PATH; or "".
func Find(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		beside := []string{filepath.Dir(self)}
		if target, err := filepath.EvalSymlinks(self); err == nil {
			beside = append(beside, filepath.Dir(target))
		}
		for _, dir := range beside {
			if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
				return path
			}
		}
	}
	// LookPath refuses programs of the current directory, which may be anyone's
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	return ""
}
