package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ltm/clients"

	"github.com/stretchr/testify/require"
)

// limited is a project and a program of its own, which any user may use.
type limited struct {
	t    *testing.T
	dir  string
	ltm  string
	user *syscall.Credential
}

func newLimited(t *testing.T) *limited { return limitedIn(t, "top") }

// limitedIn makes them in a directory of this name.
func limitedIn(t *testing.T, name string) *limited {
	t.Helper()
	top := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.Mkdir(top, 0o755))
	l := &limited{t: t, dir: filepath.Join(top, "shop"), ltm: filepath.Join(top, "bin", "ltm")}
	for _, dir := range []string{l.dir, filepath.Dir(l.ltm), filepath.Join(top, "home")} {
		require.NoError(t, os.Mkdir(dir, 0o755))
	}
	require.NoError(t, os.Link(program(t), l.ltm))
	if os.Getuid() == 0 {
		l.user = &syscall.Credential{Uid: 65534, Gid: 65534} // what counts processes does not hold for root
		for dir := filepath.Dir(top); dir != os.TempDir(); dir = filepath.Dir(dir) {
			require.NoError(t, os.Chmod(dir, 0o755))
		}
		require.NoError(t, os.Chown(l.dir, 65534, 65534))
	}
	for _, argv := range [][]string{
		{l.ltm, "remember", "Pool limit", "The pool's limit is 50 connections."},
		{l.ltm, "hook", clients.SessionStart},
	} {
		cmd := l.command(argv...)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return l
}

// init returns the commands that "ltm init" registers.
func (l *limited) init() map[string][]string {
	l.t.Helper()
	out, err := l.command(l.ltm, "init").CombinedOutput()
	require.NoError(l.t, err, "%s", out)
	return registered(l.t, filepath.Join(l.dir, ".claude", "settings.local.json"), "")
}

// plugin copies the launcher into a directory of a plugin, and returns the commands that the plugin registers.
func (l *limited) plugin() map[string][]string {
	l.t.Helper()
	root := filepath.Join(filepath.Dir(l.dir), "plugin")
	script, err := os.ReadFile("../../bin/ltm")
	require.NoError(l.t, err)
	require.NoError(l.t, os.MkdirAll(filepath.Join(root, "bin"), 0o755))
	require.NoError(l.t, os.WriteFile(filepath.Join(root, "bin", "ltm"), script, 0o755))
	return registered(l.t, "../../hooks/hooks.json", root)
}

func (l *limited) command(argv ...string) *exec.Cmd {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = l.dir
	home := filepath.Join(filepath.Dir(l.dir), "home")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LTM_BIN=" + l.ltm}
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

// limits are those under which a shell itself starts: with less, the client could not start anything.
func limits() []string {
	var all []string
	for n := 5; n <= 16; n++ {
		all = append(all, fmt.Sprintf("ulimit -n %d", n))
	}
	// With less than about 52,000 the system cannot load the program at all.
	for _, kib := range []int{10_000, 60_000, 100_000, 500_000, 900_000, 1_000_000, 1_200_000, 1_400_000} {
		all = append(all, fmt.Sprintf("ulimit -v %d", kib))
	}
	for n := range 6 {
		all = append(all, fmt.Sprintf("{ ulimit -p %[1]d || ulimit -u %[1]d; } 2>&-", n)) // dash has it as -p
	}
	return append(all, "ulimit -d 40000", "ulimit -d 60000", "ulimit -s 100")
}

// TestHooksUnderEveryLimit runs the hooks that "ltm init" registers, with too few file descriptors, too little memory
// and too few threads: they exit with 0 or 1, whatever ends them.
func TestHooksUnderEveryLimit(t *testing.T) {
	l := newLimited(t)
	commands := l.init()
	failed := 0
	for _, limit := range limits() {
		for _, event := range []string{clients.SessionStart, clients.UserPromptSubmit, clients.PostToolUse} {
			require.Len(t, commands[event], 1)
			status, _, stderr := l.under(limit, "sh", "-c", commands[event][0])
			require.Contains(t, []int{0, 1}, status, "%s, %s: %s", limit, event, stderr)
			failed += status
		}
	}
	require.Greater(t, failed, 25, "the limits did not hold")
}

// TestHooksEndWithOneStatus has a program in the place of ltm that ends in every way.
func TestHooksEndWithOneStatus(t *testing.T) {
	l := newLimited(t)
	inits, plugins := l.init()[clients.PostToolUse], l.plugin()[clients.PostToolUse]
	const ended = "ltm hook: ended by the system, probably for lack of memory; nothing was lost\n"
	for end, want := range map[string]struct {
		status int
		stderr string // of the plugin's launcher
	}{
		"echo answer":                        {0, ""},
		"echo answer; echo ltm: note >&2":    {0, "ltm: note\n"},
		"echo 'ltm hook: x' >&2; exit 1":     {1, "ltm hook: x\n"},
		"echo fatal >&2; echo b >&2; exit 2": {1, "ltm hook: fatal\n"},
		"exit 3":                             {1, ended},
		"kill -ABRT $$":                      {1, ended},
		"kill -KILL $$":                      {1, ended},
	} {
		require.NoError(t, os.Remove(l.ltm))
		require.NoError(t, os.WriteFile(l.ltm, []byte("#!/bin/sh\n"+end+"\n"), 0o755))
		for shell, argv := range map[string][]string{"sh": {"sh", "-c", inits[0]}, "bash": {"bash", "-c", inits[0]},
			"launcher": plugins} {
			status, _, stderr := l.under("true", argv...)
			require.Equal(t, want.status, status, "%s, %s: %s", shell, end, stderr)
			if shell == "launcher" {
				require.Equal(t, want.stderr, stderr, end)
			}
		}
	}
}

// TestHooksInOddDirectories has the program, the plugin and the project in directories whose names mean something to a
// shell.
func TestHooksInOddDirectories(t *testing.T) {
	for _, name := range []string{"a b", "it's", `a"b`, "$HOME", `a\b`, `b\`, "-x", "*", "`id`", "a;b", "~", "#a", "a\nb"} {
		l := limitedIn(t, name)
		init, plugin := l.init()[clients.SessionStart], l.plugin()[clients.SessionStart]
		for way, argv := range map[string][]string{"sh": {"sh", "-c", init[0]}, "bash": {"bash", "-c", init[0]},
			"launcher": plugin, "launcher in bash": append([]string{"bash"}, plugin...)} {
			out, err := l.command(argv...).Output()
			require.NoError(t, err, "%s, %q", way, name)
			require.Contains(t, string(out), "The pool's limit", "%s, %q", way, name)
		}
	}
}

// TestSignalsReachTheServer sends the signals that end a server to the launcher, in whose place the server is.
func TestSignalsReachTheServer(t *testing.T) {
	l := newLimited(t)
	l.plugin()
	for _, shell := range []string{"sh", "bash"} {
		for _, sent := range []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
			if signal.Ignored(sent) { // under nohup, say: then the server does as it was told
				continue
			}
			cmd := l.command(shell, filepath.Join(filepath.Dir(l.dir), "plugin", "bin", "ltm"), "mcp")
			cmd.Stdin = nil
			in, err := cmd.StdinPipe()
			require.NoError(t, err)
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			_, err = in.Write([]byte(initialize + "\n"))
			require.NoError(t, err)
			_, err = bufio.NewReader(out).ReadString('\n')
			require.NoError(t, err, "%s, %v", shell, sent)
			require.NoError(t, cmd.Process.Signal(sent))
			require.NoError(t, cmd.Wait(), "%s, %v", shell, sent)
		}
	}
}

// TestRootsAreNotAwaitedForever starts the server in the person's home, for a client that offers roots and does not
// name them.
func TestRootsAreNotAwaitedForever(t *testing.T) {
	t.Parallel() // it waits
	home := t.TempDir()
	cmd := exec.Command(program(t), "mcp")
	cmd.Dir, cmd.Env = home, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	for _, line := range []string{strings.Replace(initialize, `"capabilities":{`, `"capabilities":{"roots":{}`, 1),
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"recall","arguments":{"query":"pool"}}}`} {
		_, err = in.Write([]byte(line + "\n"))
		require.NoError(t, err)
	}
	said := bufio.NewScanner(out)
	for said.Scan() && !strings.Contains(said.Text(), `"id":7,`) {
	}
	require.Contains(t, said.Text(), "did not say where the project is")
	require.NoError(t, in.Close())
	require.NoError(t, cmd.Wait())
}

// TestHooksKnowTheClient compares the client that a hook notes with the process that starts its shell.
func TestHooksKnowTheClient(t *testing.T) {
	l := newLimited(t)
	for way, argv := range map[string][]string{"init": {"sh", "-c", l.init()[clients.SessionStart][0]},
		"plugin": l.plugin()[clients.SessionStart]} {
		require.NoError(t, os.RemoveAll(filepath.Join(l.dir, ".claude", "ltm", ".local")))
		out, err := l.command(argv...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		state, err := os.ReadFile(filepath.Join(l.dir, ".claude", "ltm", ".local", "state.json"))
		require.NoError(t, err)
		require.Contains(t, string(state), fmt.Sprintf("\"client\": %d,", os.Getpid()), way)
	}
}

// TestTheLauncherUnderEveryLimit runs the hooks as the plugin registers them. With
// less than twelve file descriptors dash cannot open its script, and ends before the
// first line of it. Claude Code (2.1.329) runs no hook under such a limit: with 16 it
// starts none, with 20 it does.
func TestTheLauncherUnderEveryLimit(t *testing.T) {
	l := newLimited(t)
	commands, failed := l.plugin(), 0
	for _, limit := range limits() {
		files := 16
		_, _ = fmt.Sscanf(limit, "ulimit -n %d", &files)
		if files < 12 {
			continue
		}
		for _, event := range []string{clients.SessionStart, clients.UserPromptSubmit, clients.PostToolUse} {
			status, lines, stderr := l.under(limit, commands[event]...)
			require.Contains(t, []int{0, 1}, status, "%s, %s: %s", limit, event, stderr)
			require.LessOrEqual(t, lines, status, "%s, %s: %s", limit, event, stderr)
			if files >= 16 {
				require.Equal(t, status, lines, "%s, %s: a failure is said", limit, event)
			}
			failed += status
		}
	}
	require.Greater(t, failed, 25, "the limits did not hold")
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
	status, _, stderr := l.under(limit, launcher, "hook", clients.SessionStart)
	require.Equal(t, 1, status, stderr)
}

// registered returns the commands of a file of hooks, for a plugin in a directory.
func registered(t *testing.T, file, root string) map[string][]string {
	t.Helper()
	data, err := os.ReadFile(file)
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
