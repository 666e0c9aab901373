package wiring

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"
)

// TestAliveWithAnOpenHandle asks about a process that has ended while something
// still holds it: the system keeps its id, and it can be opened.
func TestAliveWithAnOpenHandle(t *testing.T) {
	child := exec.Command(os.Args[0], "-test.run=^$")
	require.NoError(t, child.Start())
	pid := child.Process.Pid
	handle, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	require.NoError(t, err)
	defer windows.CloseHandle(handle)
	require.True(t, alive(pid))
	require.NoError(t, child.Wait())
	require.False(t, alive(pid))
}
