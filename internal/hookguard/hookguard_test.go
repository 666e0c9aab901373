//go:build unix

package hookguard_test

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// end runs a program to its end, with at most 4 GB of addresses.
func end(t *testing.T, argv ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("sh", append([]string{"-c", `ulimit -v 4000000; exec "$0" "$@"`}, argv...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader("{}"), &stdout, &stderr
	_ = cmd.Run()
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// TestTheSupervisorMapsEveryEnd runs the program as a hook that ends in every way that
// it can.
func TestTheSupervisorMapsEveryEnd(t *testing.T) {
	faults := build(t, flags(t))
	for what, want := range map[string]outcome{
		"answer": {0, "an answer\n", ""},
		"error":  {1, "", "ltm hook: one line\n"},
		"status": {1, "", "ltm hook: a line\n"},
		"map":    {1, "", "ltm hook: fatal error: concurrent map writes\n"},
		"stack":  {1, "", "ltm hook: runtime: goroutine stack exceeds 1048576-byte limit\n"},
		"panic":  {1, "", "ltm hook: panic: on purpose\n"},
		"kill":   {1, "", "ltm hook: ended by the system, probably for lack of memory; nothing was lost\n"},

		"said":     {1, "", "ltm hook: one line\n"},
		"deadlock": {1, "", "ltm hook: fatal error: all goroutines are asleep - deadlock!\n"},
		"threads":  {1, "", "ltm hook: runtime: program exceeds 1-thread limit\n"},
		"pointer":  {1, "", "ltm hook: panic: runtime error: invalid memory address or nil pointer dereference\n"},
		"early":    {1, "", "ltm hook: panic: runtime error: invalid memory address or nil pointer dereference\n"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, end(t, faults, "hook", what))
		})
	}
	for _, what := range []string{"memory", "huge"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			o := end(t, faults, "hook", what)
			require.Equal(t, 1, o.status)
			require.Contains(t, o.stderr, "out of memory")
			require.Equal(t, 1, strings.Count(o.stderr, "\n"))
		})
	}
}

// TestOtherCommandsHaveNoSupervisor keeps the status that the program gives.
func TestOtherCommandsHaveNoSupervisor(t *testing.T) {
	faults := build(t, flags(t))
	require.Equal(t, 3, end(t, faults, "hooks", "status").status)
	require.Equal(t, 3, end(t, faults, "hoo", "status").status)
	require.Equal(t, 2, end(t, faults, "other", "usage").status)
	require.Equal(t, 2, end(t, faults, "other", "early").status)
	require.Equal(t, 2, end(t, faults).status, "an index out of range, without arguments")
}

// TestClientIsWhoStartedTheHook compares the client with the parent of the shell, which
// the program replaces.
func TestClientIsWhoStartedTheHook(t *testing.T) {
	faults := build(t, flags(t))
	for _, command := range []string{"hook", "other"} {
		o := end(t, faults, command, "client")
		require.Equal(t, strconv.Itoa(os.Getpid()), o.stdout)
	}
}

// TestASupervisedHookEndsWithItsSupervisor kills the supervisor, as a client does when
// it has waited long enough.
func TestASupervisedHookEndsWithItsSupervisor(t *testing.T) {
	faults := build(t, flags(t))
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	cmd := exec.Command(faults, "hook", "wait")
	cmd.Stdin, cmd.Stdout = strings.NewReader("{}"), w
	require.NoError(t, cmd.Start())
	require.NoError(t, w.Close())
	ready := make([]byte, 6)
	_, err = r.Read(ready)
	require.NoError(t, err)
	require.Equal(t, "ready\n", string(ready))
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait()
	_, err = r.Read(ready) // returns when the last process that has the other end is gone
	require.Error(t, err)
}

// TestContainWithoutASupervisor runs the program built without the flags: a failure does
// not exit with 2, and standard error has at most one line.
func TestContainWithoutASupervisor(t *testing.T) {
	faults := build(t, "")
	for what, want := range map[string]outcome{
		"answer": {0, "an answer\n", ""},
		"error":  {1, "", "ltm hook: one line\n"},
		"map":    {-1, "", ""},
		"stack":  {-1, "", ""},
		"panic":  {-1, "", ""},
		"memory": {-1, "", ""},

		"said":     {-1, "", "ltm hook: one line\n"},
		"deadlock": {-1, "", ""},
		"threads":  {-1, "", ""},
		"pointer":  {-1, "", ""},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, end(t, faults, "hook", what))
		})
	}
}
