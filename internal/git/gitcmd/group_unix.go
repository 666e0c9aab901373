//go:build unix

package gitcmd

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// runGroup runs a command in a session of its own: it has no terminal on which it could
// ask, and its whole process group is killed when its context ends.
func runGroup(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
	return cmd.Run()
}
