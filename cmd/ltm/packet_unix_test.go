//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAPipeWithoutAWriter can be left: opening it waits, and a signal ends that.
func TestAPipeWithoutAWriter(t *testing.T) {
	t.Chdir(newProject(t).dir)
	require.NoError(t, syscall.Mkfifo("pipe", 0o600))
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var stdout, stderr bytes.Buffer
	status := run(ctx, []string{"packet", "validate", "pipe"}, os.Stdin, &stdout, &stderr,
		func(string) string { return "" })
	require.Equal(t, exitFailure, status)
	require.Contains(t, stderr.String(), "ltm: interrupted")
	writer, err := os.OpenFile("pipe", os.O_WRONLY, 0) // lets the reader go
	require.NoError(t, err)
	require.NoError(t, writer.Close())
}

// TestAPipe is read as a file is, as shells give one for <(command).
func TestAPipe(t *testing.T) {
	t.Chdir(newProject(t).dir)
	require.NoError(t, syscall.Mkfifo("pipe", 0o600))
	go func() {
		_ = os.WriteFile("pipe", []byte(`{"ltm_version":"0.1","id":"0123456789","created_at":"2026-08-28T09:15:30Z",`+
			`"goal":"g","next_step":"n"}`), 0o600)
	}()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	status := run(ctx, []string{"packet", "validate", "pipe"}, os.Stdin, &stdout, &stderr,
		func(string) string { return "" })
	require.Zero(t, status, stderr.String())
	require.Contains(t, stdout.String(), "valid: version 0.1")
}
