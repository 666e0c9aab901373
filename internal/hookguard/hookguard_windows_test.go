package hookguard_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// end runs a program to its end with exactly this command line.
func end(t *testing.T, program, line string, env ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(program)
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: line}
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader("{}"), &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		require.NoError(t, err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

const early = "ltm hook: panic: runtime error: invalid memory address or nil pointer dereference\n"

// TestTheRuntimeEndsAHookWithOneLine runs the program as a hook whose runtime fails in
// every way that it can, linked with the flags and without.
func TestTheRuntimeEndsAHookWithOneLine(t *testing.T) {
	for name, faults := range map[string]string{"linked": build(t, flags(t)), "plain": build(t, "")} {
		for what, want := range map[string]outcome{
			"answer":   {0, "an answer\n", ""},
			"error":    {1, "", "ltm hook: one line\n"},
			"said":     {1, "", "ltm hook: one line\n"},
			"map":      {1, "", "ltm hook: fatal error: concurrent map writes\n"},
			"stack":    {1, "", "ltm hook: runtime: goroutine stack exceeds 1048576-byte limit\n"},
			"panic":    {1, "", "ltm hook: panic: on purpose\n"},
			"pointer":  {1, "", early},
			"deadlock": {1, "", "ltm hook: fatal error: all goroutines are asleep - deadlock!\n"},
			"threads":  {1, "", "ltm hook: runtime: program exceeds 1-thread limit\n"},
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				require.Equal(t, want, end(t, faults, "faults hook "+what))
			})
		}
		t.Run(name+"/huge", func(t *testing.T) {
			t.Parallel()
			o := end(t, faults, "faults hook huge")
			require.Equal(t, 1, o.status)
			require.Regexp(t, `^ltm hook: runtime: out of memory: [^\n]*\n$`, o.stderr)
		})
		for _, setting := range []string{"crash", "wer", "none"} {
			t.Run(name+"/GOTRACEBACK="+setting, func(t *testing.T) {
				t.Parallel()
				want := outcome{1, "", "ltm hook: panic: on purpose\n"}
				require.Equal(t, want, end(t, faults, "faults hook panic", "GOTRACEBACK="+setting))
			})
		}
	}
}

// TestAHookIsRecognizedBeforeTheRuntimeStarts has programs that fail before main.
func TestAHookIsRecognizedBeforeTheRuntimeStarts(t *testing.T) {
	faults := build(t, flags(t))
	for _, line := range []string{
		`faults hook early`,
		`"` + faults + `"` + ` hook early`,
		`"C:\My Programs\faults.exe"` + "  \t" + `"hook" early`,
		`C:\My" "Programs\faults.exe hook early`,
		`faults hook "early"`,
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, outcome{1, "", early}, end(t, faults, line))
		})
	}
	for _, line := range []string{`faults hook`, `faults "hook"`} { // an index out of range
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, 1, end(t, faults, line).status)
		})
	}
}

// TestOtherCommandsKeepTheirStatus has programs that look like hooks and are not.
func TestOtherCommandsKeepTheirStatus(t *testing.T) {
	faults := build(t, flags(t))
	for _, line := range []string{
		`faults`, `faults `, `faults hoo`, `faults "hoo`, `"faults hook"`, `hook`, // an index out of range
		`faults hooks early`, `faults "hook"s early`, `faults hoo early`, `faults Hook early`, `"faults hook" x early`,
		`faults other map`, `faults other usage`,
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			o := end(t, faults, line)
			require.Equal(t, 2, o.status)
			if !strings.HasSuffix(line, "usage") {
				require.Greater(t, strings.Count(o.stderr, "\n"), 1)
			}
		})
	}
	require.Equal(t, 3, end(t, faults, "faults hooks status").status)
}

// TestAProgramInADirectoryWithABlank starts it with a quoted path, as clients do.
func TestAProgramInADirectoryWithABlank(t *testing.T) {
	data, err := os.ReadFile(build(t, flags(t)))
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "My Programs", "faults.exe")
	require.NoError(t, os.Mkdir(filepath.Dir(program), 0o755))
	require.NoError(t, os.WriteFile(program, data, 0o755))
	var stderr bytes.Buffer
	cmd := exec.Command(program, "hook", "early")
	cmd.Stderr = &stderr
	require.Error(t, cmd.Run())
	require.Equal(t, 1, cmd.ProcessState.ExitCode())
	require.Equal(t, early, stderr.String())
}
