package main

import (
	"bytes"
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// endless is a standard input that never ends. The first read of it asks the program
// to end, as Ctrl-C does.
type endless struct {
	interrupt func()
	never     chan struct{}
}

func (e endless) Read([]byte) (int, error) {
	e.interrupt()
	<-e.never
	return 0, io.EOF // without an end, the reader that the command left would go on and on
}

// TestInterruptedInput interrupts a command that waits for a text which does not end.
func TestInterruptedInput(t *testing.T) {
	t.Chdir(newProject(t).dir)
	ctx, interrupt := context.WithCancel(t.Context())
	in := endless{interrupt, make(chan struct{})}
	t.Cleanup(func() { close(in.never) })
	var stdout, stderr bytes.Buffer
	status := run(ctx, []string{"remember", "x", "-"}, in, &stdout, &stderr, func(string) string { return "" })
	require.Equal(t, exitFailure, status)
	require.Equal(t, "ltm: interrupted; nothing was changed\n", stderr.String())
	require.Empty(t, stdout.String())
	require.NoDirExists(t, ".claude")
}

// TestInterruptedPacket interrupts commands that wait for a packet which does not end.
func TestInterruptedPacket(t *testing.T) {
	t.Chdir(newProject(t).dir)
	for _, args := range [][]string{{"write", "--from", "-"}, {"packet", "validate", "-"},
		{"packet", "diff", "-", "x"}} {
		ctx, interrupt := context.WithCancel(t.Context())
		in := endless{interrupt, make(chan struct{})}
		t.Cleanup(func() { close(in.never) })
		var stdout, stderr bytes.Buffer
		status := run(ctx, args, in, &stdout, &stderr, func(string) string { return "" })
		require.Equal(t, exitFailure, status)
		require.Contains(t, stderr.String(), "ltm: interrupted; nothing was changed")
		require.Empty(t, stdout.String())
		require.NoDirExists(t, ".claude")
	}
}
