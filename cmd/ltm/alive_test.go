package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAlive asks about this process, the one that started it, one that has ended,
// and numbers that are none.
func TestAlive(t *testing.T) {
	require.True(t, alive(os.Getpid()))
	require.True(t, alive(os.Getppid()))
	for _, none := range []int{0, -1, -os.Getpid(), 1 << 30} { // no system counts that far
		require.False(t, alive(none), "%d", none)
	}

	child := exec.Command(os.Args[0], "-test.run=^$")
	require.NoError(t, child.Start())
	pid := child.Process.Pid
	require.NoError(t, child.Wait())
	require.False(t, alive(pid))
}
