package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// standInCompanion says how it was called, repeats its input, and exits with the status that
// follows "exit".
func standInCompanion() {
	where, _ := os.Getwd()
	fmt.Printf("%q\nPWD %s\n", os.Args[1:], where)
	_, _ = io.Copy(os.Stdout, os.Stdin)
	if len(os.Args) > 2 && os.Args[1] == "exit" {
		fmt.Fprintln(os.Stderr, "the companion has failed")
		status, _ := strconv.Atoi(os.Args[2])
		os.Exit(status)
	}
	os.Exit(0)
}

// TestServerIsMissing runs the command where there is no companion.
func TestServerIsMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	call := func(args ...string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		status := run(context.Background(), args, strings.NewReader(""), &stdout, &stderr,
			func(string) string { return "" })
		return status, stdout.String(), stderr.String()
	}
	status, _, said := call("server", "serve", "--db", "x")
	require.Equal(t, exitNotFound, status)
	require.Contains(t, said, "there is no ltm-server")
	require.Contains(t, said, "put ltm-server beside ltm or on the PATH")

	status, help, _ := call("server", "--help")
	require.Equal(t, exitOK, status)
	require.Contains(t, help, "a program of its own")
	status, help, _ = call("server")
	require.Equal(t, exitOK, status)
	require.Contains(t, help, "ltm server [COMMAND]...")

	status, _, said = call("-C", "/no/such/directory", "server", "ls")
	require.Equal(t, exitInvalid, status)
	require.Contains(t, said, "cannot go to that directory")
}
