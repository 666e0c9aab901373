//go:build unix

package gitcmd_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/git/gitcmd"
)

// standIn opens a work tree with a shell script in place of git.
func standIn(t *testing.T, script string, more ...string) *gitcmd.Tree {
	t.Helper()
	top, bin := t.TempDir(), t.TempDir()
	tree(t, top, real(".git/")...)
	require.NoError(t, os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\n"+script), 0o755))
	environ := append([]string{"PATH=" + filepath.Join(top, "bin") + ":relative::" + bin + ":" + os.Getenv("PATH"),
		"HOME=/home"}, more...)
	found, err := gitcmd.Open(top, filepath.Join(top, "store"), environ)
	require.NoError(t, err)
	return found
}

// TestHowGitIsStarted checks the arguments, directory, environment and standard input
// of the process.
func TestHowGitIsStarted(t *testing.T) {
	found := standIn(t,
		`pwd -P; echo ====; printf '%s\n' "$@"; echo ====; env; echo ====; `+
			`cat; cat /dev/tty 2>/dev/null && echo a terminal; echo first >&2; echo second >&2; exit 3`,
		"GIT_DIR=/elsewhere", "GIT_TRACE=1", "git_config_count=1", "PAGER=x", "EDITOR=x", "LANG=de", "LC_MESSAGES=de",
		"KEPT=yes")
	out, err := found.Output(t.Context(), "log", "-1", "--", "name")
	require.Equal(t, 3, gitcmd.Status(err))
	require.EqualError(t, err, "first")
	parts := strings.Split(string(out), "====\n")
	require.Len(t, parts, 4)
	dir, args, environ, input := parts[0], parts[1], parts[2], parts[3]
	require.Equal(t, found.Top()+"\n", dir)
	require.True(t, strings.HasPrefix(args, "-C\n"+found.Top()+"\n--no-pager\n"), args)
	require.True(t, strings.HasSuffix(args, "\n-1\n--\nname\n"), args)
	for _, setting := range []string{"core.fsmonitor=false", "core.hooksPath=/dev/null",
		"safe.bareRepository=explicit"} {
		require.Contains(t, args, "\n-c\n"+setting+"\n")
	}
	require.Contains(t, args, "\nlog\n--no-ext-diff\n--no-textconv\n")
	require.Empty(t, input)
	variables := strings.Split(environ, "\n")
	for _, want := range []string{"KEPT=yes", "HOME=/home", "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=",
		"SSH_ASKPASS=", "GIT_OPTIONAL_LOCKS=0", "GIT_ALLOW_PROTOCOL=", "GIT_WORK_TREE=" + found.Top()} {
		require.Contains(t, variables, want)
	}
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		require.NotContains(t, []string{"GIT_DIR", "GIT_TRACE", "git_config_count", "EDITOR", "LANG", "LC_MESSAGES"},
			name)
		if name == "PATH" {
			require.NotContains(t, value, found.Top())
			require.NotContains(t, value, "relative")
		}
	}
}

func TestFilterGivesAnInput(t *testing.T) {
	out, err := standIn(t, "exec cat").Filter(t.Context(), []byte("a\x00b"), "cat-file", "--batch")
	require.NoError(t, err)
	require.Equal(t, "a\x00b", string(out))
}

func TestOutputIsLimited(t *testing.T) {
	_, err := standIn(t, "exec cat /dev/zero").Output(t.Context(), "log")
	require.ErrorContains(t, err, "git printed more than")
	out, err := standIn(t, "head -c 9000000 /dev/zero | tr '\\0' x >&2; exit 1").Output(t.Context(), "log")
	require.Equal(t, 1, gitcmd.Status(err))
	require.Less(t, len(err.Error()), 10_000)
	require.Empty(t, out)
}

// TestTheWholeGroupIsKilled lets git start a program that holds a pipe open. The
// pipe ends when the program does.
func TestTheWholeGroupIsKilled(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	found := standIn(t, "sleep 1000 >'"+fifo+"' &\nexec sleep 1000")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := found.Output(ctx, "log")
		ended <- err
	}()
	pipe, err := os.Open(fifo) // waits for the program
	require.NoError(t, err)
	defer pipe.Close()
	cancel()
	data, err := io.ReadAll(pipe)
	require.NoError(t, err)
	require.Empty(t, data)
	require.ErrorIs(t, <-ended, context.Canceled)
}

// TestAnswersHaveALimitInTime waits for a git that does not answer.
func TestAnswersHaveALimitInTime(t *testing.T) {
	t.Parallel()
	_, err := standIn(t, "exec sleep 1000").Output(t.Context(), "log")
	require.ErrorContains(t, err, "git did not answer within")
}
