package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pluginOnWindows is the plugin as git brings it: the launchers, and no binary.
type pluginOnWindows struct {
	t    *testing.T
	root string
	dir  string // where it runs
	env  []string
}

func newPluginOnWindows(t *testing.T) *pluginOnWindows {
	t.Helper()
	p := &pluginOnWindows{t: t, root: filepath.Join(t.TempDir(), "My Plugin")}
	for _, name := range []string{"ltm", "ltm.cmd"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "bin", name))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(p.path("bin"), 0o755))
		require.NoError(t, os.WriteFile(p.path("bin", name), data, 0o755))
	}
	p.dir = p.root
	p.env = []string{"LTM_BIN=", "CLAUDE_PROJECT_DIR=", "PATH=" + filepath.Join(os.Getenv("SystemRoot"), "system32")}
	return p
}

func (p *pluginOnWindows) path(parts ...string) string {
	return filepath.Join(append([]string{p.root}, parts...)...)
}

// run starts bin/ltm.cmd as cross-spawn does, by cmd.exe.
func (p *pluginOnWindows) run(args ...string) (stdout, stderr string, status int) {
	p.t.Helper()
	cmd := exec.Command("cmd.exe", append([]string{"/d", "/c", p.path("bin", "ltm.cmd")}, args...)...)
	cmd.Env = append(os.Environ(), p.env...)
	cmd.Dir = p.dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		require.NoError(p.t, err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// TestWindowsLauncherMakesTheProgram runs ltm.exe from wherever it is, and leaves
// it beside the launcher, where a hook in the exec form finds it.
func TestWindowsLauncherMakesTheProgram(t *testing.T) {
	program := newMachine(t).program
	data, err := os.ReadFile(program)
	require.NoError(t, err)
	for name, put := range map[string]func(p *pluginOnWindows){
		"LTM_BIN": func(p *pluginOnWindows) { p.env = append(p.env, "LTM_BIN="+program) },
		"build": func(p *pluginOnWindows) {
			require.NoError(t, os.Mkdir(p.path(".build"), 0o755))
			require.NoError(t, os.WriteFile(p.path(".build", "ltm.exe"), data, 0o755))
		},
		"PATH": func(p *pluginOnWindows) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "ltm.exe"), data, 0o755))
			p.env = append(p.env, "PATH="+filepath.Join(os.Getenv("SystemRoot"), "system32")+";"+dir)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPluginOnWindows(t)
			put(p)
			stdout, stderr, status := p.run("version")
			require.Zero(t, status, stderr)
			require.Equal(t, "ltm "+version+"\n", stdout)
			made, err := os.ReadFile(p.path("bin", "ltm.exe"))
			require.NoError(t, err)
			require.True(t, bytes.Equal(data, made))
			left, err := filepath.Glob(p.path("bin", "*"))
			require.NoError(t, err)
			require.Len(t, left, 3)

			// A hook: bin/ltm without its ending, and no shell.
			out, err := exec.Command(p.path("bin")+"/ltm", "version").Output()
			require.NoError(t, err)
			require.Equal(t, stdout, string(out))
			_, _, status = p.run("show", "mem_x")
			require.Equal(t, exitInvalid, status, "the status is the program's")
		})
	}
}

// TestWindowsLauncherWithoutAProgram says one line, and fails no hook.
func TestWindowsLauncherWithoutAProgram(t *testing.T) {
	p := newPluginOnWindows(t)
	for want, args := range map[int][]string{0: {"hook", "PostToolUse"}, 1: {"mcp"}} {
		stdout, stderr, status := p.run(args...)
		require.Equal(t, want, status, stderr)
		require.Empty(t, stdout)
		require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	}
	p.env = append(p.env, `LTM_BIN=C:\nowhere\ltm.exe`)
	_, stderr, status := p.run("mcp")
	require.Equal(t, 1, status)
	require.Contains(t, stderr, "LTM_BIN")
}

// TestWindowsLauncherRunsNoProgramOfTheProject has programs of a repository in LTM_BIN and first on the PATH.
func TestWindowsLauncherRunsNoProgramOfTheProject(t *testing.T) {
	data, err := os.ReadFile(newMachine(t).program)
	require.NoError(t, err)
	project := filepath.Join(t.TempDir(), "My Shop")
	tools := filepath.Join(project, "tools")
	require.NoError(t, os.MkdirAll(filepath.Join(project, ".git"), 0o755))
	require.NoError(t, os.MkdirAll(tools, 0o755))
	for _, name := range []string{"go.exe", "ltm.exe"} {
		for _, dir := range []string{project, tools} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o755))
		}
	}
	system := filepath.Join(os.Getenv("SystemRoot"), "system32")
	for i, set := range []string{"LTM_BIN=ltm.exe", `LTM_BIN=.\ltm.exe`, `LTM_BIN=..\ltm.exe`,
		"LTM_BIN=" + filepath.Join(tools, "ltm.exe"), "LTM_BIN=" + strings.ToUpper(filepath.Join(tools, "ltm.exe")),
		"LTM_BIN=" + filepath.ToSlash(filepath.Join(tools, "ltm.exe")), `LTM_BIN=` + tools + `\..\ltm.exe`,
		`LTM_BIN=\\?\` + filepath.Join(tools, "ltm.exe"),
		"PATH=.;" + system, "PATH=;" + system, `PATH=..\tools;` + system, "PATH=" + tools + ";" + system,
		`PATH="` + project + `";` + system} {
		t.Run(strconv.Itoa(i), func(t *testing.T) { // a longer name would make paths too long for cmd.exe
			for _, variable := range []string{"CLAUDE_PROJECT_DIR=", "CLAUDE_PROJECT_DIR=" + project} {
				p := newPluginOnWindows(t)
				p.dir = tools
				p.env = append(p.env, set, variable)
				stdout, stderr, status := p.run("version")
				require.Equal(t, 1, status, "%s: %s", set, stderr)
				require.Empty(t, stdout)
				require.NoFileExists(t, p.path("bin", "ltm.exe"))
				require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
			}
		})
	}
	elsewhere := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(elsewhere, "ltm.exe"), data, 0o755))
	p := newPluginOnWindows(t)
	p.dir = tools
	p.env = append(p.env, "PATH=;.;"+tools+";"+elsewhere+";"+system)
	stdout, stderr, _ := p.run("version")
	require.Equal(t, "ltm "+version+"\n", stdout, stderr)
}
