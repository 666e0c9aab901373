package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/hooks"
	"ltm/internal/hookguard"
)

// limited is a project and a program of its own, which any user may use.
type limited struct {
	t    *testing.T
	dir  string
	ltm  string
	user *syscall.Credential
}

func newLimited(t *testing.T) *limited {
	t.Helper()
	flags := hookguard.LinkFlags(runtime.GOOS, runtime.GOARCH)
	if flags == "" {
		t.Skip("hooks are not supervised on this system")
	}
	dir := t.TempDir()
	l := &limited{t: t, dir: dir, ltm: filepath.Join(dir, "ltm")}
	require.NoError(t, os.Link(program(t, flags), l.ltm))
	if os.Getuid() == 0 {
		l.user = &syscall.Credential{Uid: 65534, Gid: 65534} // what counts processes does not hold for root
		require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
		require.NoError(t, os.Chown(dir, 65534, 65534))
	}
	for _, argv := range [][]string{
		{l.ltm, "remember", "Pool limit", "The pool's limit is 50 connections."},
		{l.ltm, "hook", hooks.SessionStart},
	} {
		cmd := l.command(argv...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return l
}

func (l *limited) command(argv ...string) *exec.Cmd {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = l.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + l.dir, "LTM_BIN=" + l.ltm}
	cmd.Stdin = strings.NewReader(`{"session_id":"s","source":"startup",` +
		`"prompt":"What is the limit of the connection pool?","tool_name":"Bash","tool_input":{},"tool_response":"x"}`)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: l.user}
	return cmd
}

// under runs a command with one limit, given as the arguments of ulimit. A shell
// that does not know them leaves the limit out, and says so.
func (l *limited) under(limit string, argv ...string) (status, lines int, stderr string) {
	l.t.Helper()
	var errs bytes.Buffer
	cmd := l.command(append([]string{"sh", "-c", limit + ` && exec "$0" "$@"`}, argv...)...)
	cmd.Stderr = &errs
	err := cmd.Run()
	if cmd.ProcessState == nil {
		require.NoError(l.t, err)
	}
	return cmd.ProcessState.ExitCode(), strings.Count(errs.String(), "\n"), errs.String()
}

// limits are those under which the system starts the program at all: with less
// memory it ends the process itself, by a signal. Some leave the program enough.
func limits() []string {
	var all []string
	for n := 3; n <= 12; n++ {
		all = append(all, fmt.Sprintf("ulimit -n %d", n))
	}
	// With less than about 52,000 the system cannot load the program at all.
	for _, kib := range []int{60_000, 100_000, 500_000, 900_000, 1_000_000, 1_200_000, 1_400_000} {
		all = append(all, fmt.Sprintf("ulimit -v %d", kib))
	}
	for n := range 6 {
		all = append(all, fmt.Sprintf("{ ulimit -p %[1]d || ulimit -u %[1]d; } 2>&-", n)) // dash has it as -p
	}
	return append(all, "ulimit -d 40000", "ulimit -d 60000", "ulimit -s 100")
}

// TestHooksUnderEveryLimit runs hooks with too few file descriptors, too
// little memory and too few threads: it exits with 0 or 1, and says one line.
func TestHooksUnderEveryLimit(t *testing.T) {
	l := newLimited(t)
	failed := 0
	for _, limit := range limits() {
		for _, event := range []string{hooks.SessionStart, hooks.UserPromptSubmit, hooks.PostToolUse} {
			status, lines, stderr := l.under(limit, l.ltm, "hook", event)
			require.Contains(t, []int{0, 1}, status, "%s, %s: %s", limit, event, stderr)
			require.LessOrEqual(t, lines, 1, "%s, %s: %s", limit, event, stderr)
			require.Equal(t, status, min(lines, 1), "%s, %s: a failure is said, and nothing else: %s", limit, event,
				stderr)
			failed += status
		}
	}
	require.Greater(t, failed, 25, "the limits did not hold")
}

// TestTheLauncherUnderEveryLimit runs the hooks as the plugin registers them. With
// less than twelve file descriptors dash cannot open its script, and ends before the
// first line of it. Claude Code (2.1.329) runs no hook under such a limit: with 16 it
// starts none, with 20 it does.
func TestTheLauncherUnderEveryLimit(t *testing.T) {
	l := newLimited(t)
	launcher := filepath.Join(l.dir, "plugin", "bin", "ltm")
	script, err := os.ReadFile("../../bin/ltm")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(launcher), 0o755))
	require.NoError(t, os.WriteFile(launcher, script, 0o755))
	for _, limit := range limits() {
		var files int
		if n, _ := fmt.Sscanf(limit, "ulimit -n %d", &files); n == 1 && files < 12 {
			continue
		}
		commands := registered(t, filepath.Join(l.dir, "plugin"))
		for _, event := range []string{hooks.SessionStart, hooks.UserPromptSubmit, hooks.PostToolUse} {
			argv := commands[event]
			status, lines, stderr := l.under(limit, argv...)
			require.Contains(t, []int{0, 1}, status, "%s, %s: %s", limit, event, stderr)
			require.LessOrEqual(t, lines, 1, "%s, %s: %s", limit, event, stderr)
		}
	}
}

// TestTheLauncherCannotFork starts a session where the launcher would look whether
// the program has to be built, and is allowed no process for that.
func TestTheLauncherCannotFork(t *testing.T) {
	l := newLimited(t)
	for name, content := range map[string]string{".claude-plugin/plugin.json": "{\n  \"version\": \"1.2.3\"\n}\n",
		"path/go": "#!/bin/sh\nexit 1\n"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(l.dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(l.dir, name), []byte(content), 0o755))
	}
	launcher := filepath.Join(l.dir, "bin", "ltm")
	script, err := os.ReadFile("../../bin/ltm")
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(launcher), 0o755))
	require.NoError(t, os.WriteFile(launcher, script, 0o755))
	limit := `PATH=$PWD/path:$PATH LTM_BIN=; { ulimit -p 0 || ulimit -u 0; } 2>&-`
	status, _, stderr := l.under(limit, launcher, "hook", hooks.SessionStart)
	require.Equal(t, 1, status, stderr)
}

// registered returns the commands of hooks.json, for a plugin in a directory.
func registered(t *testing.T, root string) map[string][]string {
	t.Helper()
	data, err := os.ReadFile("../../hooks/hooks.json")
	require.NoError(t, err)
	var v struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Command string
				Args    []string
			}
		}
	}
	require.NoError(t, json.Unmarshal(data, &v))
	commands := map[string][]string{}
	for event, groups := range v.Hooks {
		for _, word := range append([]string{groups[0].Hooks[0].Command}, groups[0].Hooks[0].Args...) {
			commands[event] = append(commands[event], strings.ReplaceAll(word, "${CLAUDE_PLUGIN_ROOT}", root))
		}
	}
	return commands
}
