package wiring

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/emulated"
)

// TestAlive asks about this process, one that has ended, and numbers that no
// process has.
func TestAlive(t *testing.T) {
	require.True(t, alive(os.Getpid()))
	for _, none := range []int{0, -1, -os.Getpid(), 1 << 30} { // no system counts that far
		require.False(t, alive(none), "%d", none)
	}

	child := exec.Command(os.Args[0], "-test.run=^$")
	require.NoError(t, child.Start())
	pid := child.Process.Pid
	require.NoError(t, child.Wait())
	require.False(t, alive(pid))
}

func TestTheParentIsAlive(t *testing.T) {
	emulated.SkipUnderWine(t, "the process that started this one is of Linux, and has no number there")
	require.True(t, alive(os.Getppid()))
}
