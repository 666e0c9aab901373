package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"

	"ltm/internal/emulated"
	"ltm/memory/api"
)

// machine is a person's Windows: a home directory, a project in a git work tree,
// and the program as a process of its own.
type machine struct {
	t         *testing.T
	home, dir string
	program   string
	beside    []string // more of the environment
}

// newMachine makes a project. LTM_TEST_PROGRAM names the program, where it was
// built apart from the tests; otherwise the tests' own binary is used.
func newMachine(t *testing.T) machine {
	t.Helper()
	program := os.Getenv("LTM_TEST_PROGRAM")
	if program == "" {
		var err error
		program, err = exec.LookPath("ltm")
		require.NoError(t, err)
	}
	m := machine{t: t, home: t.TempDir(), program: program}
	return m.in(filepath.Join(t.TempDir(), "My Project"))
}

// in is the machine with another project.
func (m machine) in(dir string) machine {
	m.t.Helper()
	require.NoError(m.t, os.MkdirAll(dir, 0o755))
	require.NoError(m.t, makeRepository(dir, "main"))
	m.dir = dir
	return m
}

// command starts the program in the project, with no variable of a client's.
func (m machine) command(args ...string) *exec.Cmd {
	cmd := exec.Command(m.program, args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR=", "LTM_DIR=", "HOME=", "USERPROFILE="+m.home,
		"CLAUDE_CONFIG_DIR=", "CLAUDE_PLUGIN_ROOT=")
	cmd.Env = append(cmd.Env, m.beside...)
	return cmd
}

// start runs the program. state is nil if no process could be started: on a busy machine, Wine sometimes
// reports an error of its own, after which start tries once more.
func (m machine) start(stdin string, args ...string) (stdout, stderr string, state *os.ProcessState, err error) {
	for again := range 2 {
		cmd := m.command(args...)
		cmd.Stdin = strings.NewReader(stdin)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		err = cmd.Run()
		stdout, stderr, state = out.String(), errs.String(), cmd.ProcessState
		if state != nil || again > 0 || !emulated.Wine() || !errors.Is(err, windows.ERROR_INTERNAL_ERROR) {
			break
		}
		m.t.Logf("Wine could not start ltm %q, which is started once more: %v", args, err)
	}
	return stdout, stderr, state, err
}

// try runs the program and returns what it printed and its exit status.
func (m machine) try(stdin string, args ...string) (stdout, stderr string, status int) {
	m.t.Helper()
	stdout, stderr, state, err := m.start(stdin, args...)
	if state == nil {
		require.NoError(m.t, err)
	}
	return stdout, stderr, state.ExitCode()
}

// run runs the program, which must succeed.
func (m machine) run(stdin string, args ...string) string {
	m.t.Helper()
	stdout, stderr, status := m.try(stdin, args...)
	require.Zero(m.t, status, "ltm %q: %s%s", args, stdout, stderr)
	return stdout
}

// remember stores a memory and returns its id.
func (m machine) remember(topic, content string) string {
	m.t.Helper()
	id := regexp.MustCompile(`mem_[0-9a-f]{8}`).FindString(m.run("", "remember", topic, content))
	require.NotEmpty(m.t, id)
	return id
}

func (m machine) path(name string) string { return filepath.Join(m.dir, filepath.FromSlash(name)) }

// TestWindowsCommandLine takes a memory through its life.
func TestWindowsCommandLine(t *testing.T) {
	m := newMachine(t)
	id := m.remember("Uploads time out", "The retry budget is per host.")
	require.FileExists(t, m.path(".claude/ltm/memories/"+id+".md"))
	require.Contains(t, m.run("", "list"), id)
	require.Contains(t, m.run("", "recall", "why do uploads time out?"), id)
	m.run("", "update", id, "--content", "The retry budget is per tenant.")
	require.Contains(t, m.run("", "show", id), "per tenant")
	m.run("", "forget", id)
	require.NotContains(t, m.run("", "list"), id)
	m.run("", "restore", id)
	require.Contains(t, m.run("", "show", id), "per tenant")
	m.run("", "config", "max_memories", "40")
	require.Contains(t, m.run("", "config", "max_memories"), "40")
	m.run("", "trust", "--all", "--yes")
	m.run("", "fix")
	require.Contains(t, m.run("", "check"), "in order")
	_, stderr, status := m.try("", "show", "mem_00000000")
	require.Equal(t, exitNotFound, status)
	require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
}

// TestWindowsInit sets a project up and takes it back, byte for byte, also where
// its files end their lines with CRLF.
func TestWindowsInit(t *testing.T) {
	m := newMachine(t)
	const rules = "# Rules\r\n\r\nUse tabs.\r\n"
	require.NoError(t, os.WriteFile(m.path("CLAUDE.md"), []byte(rules), 0o644))
	m.run("", "init")
	text, err := os.ReadFile(m.path("CLAUDE.md"))
	require.NoError(t, err)
	require.NotContains(t, strings.ReplaceAll(string(text), "\r\n", ""), "\n", "a line does not end as the others do")

	var settings struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Command string
				Args    []string
			}
		}
	}
	data, err := os.ReadFile(m.path(".claude/settings.local.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &settings))
	hook := settings.Hooks["SessionStart"][0].Hooks[0]
	require.Equal(t, []string{"hook", "SessionStart"}, hook.Args)
	found, err := exec.LookPath(hook.Command) // no shell: an absolute path, or a name that the PATH has as .exe
	require.NoError(t, err)
	require.Equal(t, ".exe", strings.ToLower(filepath.Ext(found)))

	m.remember("Kept", "A memory is never taken back.")
	m.run("", "init", "--undo")
	text, err = os.ReadFile(m.path("CLAUDE.md"))
	require.NoError(t, err)
	require.Equal(t, rules, string(text))
	require.NoFileExists(t, m.path(".mcp.json"))
	require.NoFileExists(t, m.path(".claude/settings.local.json"))
	require.Contains(t, m.run("", "list"), "Kept")
}

// TestWindowsHooks runs hooks as the client does in the exec form: no shell, the
// project with backslashes, the payload on stdin.
func TestWindowsHooks(t *testing.T) {
	m := newMachine(t)
	m.remember("Uploads time out", "The retry budget is per host.")
	cwd, err := json.Marshal(m.dir)
	require.NoError(t, err)
	payload := `{"session_id":"s1","cwd":` + string(cwd) + `,"source":"startup"}`
	elsewhere := m
	elsewhere.dir, elsewhere.beside = m.home, []string{"CLAUDE_PROJECT_DIR=" + m.dir}
	text, err := contextOf(elsewhere.run(payload, "hook", "SessionStart"))
	require.NoError(t, err)
	require.Contains(t, text, "The retry budget is per host.")
	for _, event := range []string{"PostToolUse", "PostToolUseFailure", "SessionEnd"} {
		_, stderr, status := elsewhere.try(payload, "hook", event)
		require.Zero(t, status, stderr)
	}
	for _, bad := range []string{"", "{", `{"session_id":"s1","cwd":"\\\\?\\X:\\nowhere"}`} {
		_, stderr, status := m.try(bad, "hook", "PostToolUse")
		require.Contains(t, []int{0, 1}, status)
		require.LessOrEqual(t, strings.Count(stderr, "\n"), 1, stderr)
	}
}

// TestWindowsServer stores over a pipe, with lines that end in CRLF, and ends
// with its input.
func TestWindowsServer(t *testing.T) {
	m := newMachine(t)
	out := m.run(strings.Join([]string{
		initialize,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"store_memory",` +
			`"arguments":{"topic":"Over a pipe","content":"Line one.\r\nLine two."}}}`,
	}, "\r\n")+"\r\n", "mcp")
	require.NotContains(t, out, "\r\n")
	require.Contains(t, out, `"id":2`)
	require.NotContains(t, out, `"isError":true`)
	require.Contains(t, m.run("", "list"), "Over a pipe")
}

// TestWindowsTwoWriters has two processes change one store at a time. What was
// acknowledged is there.
func TestWindowsTwoWriters(t *testing.T) {
	m := newMachine(t)
	m.remember("First", "Makes the store.")
	const rounds = 5
	stored := make([]int, 2)
	var work sync.WaitGroup
	for w := range stored {
		work.Go(func() {
			for i := range rounds {
				topic := "Writer " + string(rune('A'+w)) + " round " + string(rune('0'+i))
				_, stderr, state, err := m.start("", "remember", topic, "Text of "+topic)
				if err == nil {
					stored[w]++
				} else if state == nil || state.ExitCode() != exitConflict { // the lock was held for too long
					t.Errorf("%s: %v: %s", topic, err, stderr)
				}
			}
		})
	}
	work.Wait()
	var list api.Listing
	require.NoError(t, json.Unmarshal([]byte(m.run("", "list", "--json", "--limit", "100")), &list))
	require.Equal(t, 1+stored[0]+stored[1], list.Total)
	require.Contains(t, m.run("", "check"), "in order")
}

// TestWindowsReaderHoldsAFile updates a memory while a program that shares no
// right to delete has its file open: one line, and nothing lost. When the file is
// closed, the same succeeds.
func TestWindowsReaderHoldsAFile(t *testing.T) {
	m := newMachine(t)
	id := m.remember("Held", "before")
	path, err := windows.UTF16PtrFromString(m.path(".claude/ltm/memories/" + id + ".md"))
	require.NoError(t, err)
	held, err := windows.CreateFile(path, windows.GENERIC_READ, windows.FILE_SHARE_READ, nil, windows.OPEN_EXISTING,
		windows.FILE_ATTRIBUTE_NORMAL, 0)
	require.NoError(t, err)
	_, stderr, status := m.try("", "update", id, "--content", "after")
	require.NoError(t, windows.CloseHandle(held))
	require.Equal(t, exitStorage, status)
	require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	require.Contains(t, m.run("", "show", id), "before")
	m.run("", "update", id, "--content", "after")
	require.Contains(t, m.run("", "show", id), "after")
	require.Contains(t, m.run("", "check"), "in order")
}

// TestWindowsPlaces uses one project by every name that Windows has for it.
func TestWindowsPlaces(t *testing.T) {
	m := newMachine(t)
	id := m.remember("One place", "many names")
	drive, rest := m.dir[:1], m.dir[2:]
	for name, dir := range map[string]string{
		"small drive":      strings.ToLower(drive) + ":" + rest,
		"slashes":          filepath.ToSlash(m.dir),
		"another case":     strings.ToUpper(m.dir),
		"no normalization": `\\?\` + m.dir,
		"share":            `\\localhost\` + drive + `$` + rest,
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(dir); err != nil && name == "share" {
				t.Skipf("no administrative share on this machine: %v", err)
			}
			at := m
			at.t, at.dir, at.beside = t, m.home, []string{"CLAUDE_PROJECT_DIR=" + dir}
			require.Contains(t, at.run("", "list"), id)
			at.run("", "remember", "By "+name, "text")
			require.Contains(t, at.run("", "check"), "in order")
		})
	}
	require.Contains(t, m.run("", "list"), "By slashes")
}

// TestWindowsNames stores under topics that name devices, edits with CRLF, and
// looks at a store in which files have the names of devices.
func TestWindowsNames(t *testing.T) {
	m := newMachine(t)
	for _, topic := range []string{"con", "nul", "aux.md", "COM1", `C:\Users\me`, "a:stream"} {
		require.Contains(t, m.run("", "show", m.remember(topic, "Text of "+topic)), topic)
	}
	id := m.remember("Lines", "one\r\ntwo")
	file := m.path(".claude/ltm/memories/" + id + ".md")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	crlf := strings.ReplaceAll(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n", "\r\n")
	require.NoError(t, os.WriteFile(file, []byte(crlf), 0o644))
	require.Contains(t, m.run("", "show", id), "two")
	for _, name := range []string{"nul.md", "aux", "con.md", id + ".md."} {
		// newer systems may refuse some
		_ = os.WriteFile(`\\?\`+m.path(".claude/ltm/memories/"+name), []byte("not a memory"), 0o644)
	}
	require.Contains(t, m.run("", "list"), id)
	require.Contains(t, m.run("", "show", id), "two")
	stdout, stderr, status := m.try("", "fix")
	require.LessOrEqual(t, status, 1, "what only another system can rename may be left: %s%s", stdout, stderr)
	require.NotContains(t, stdout, "chmod")
	require.Contains(t, m.run("", "show", id), "two")
}

// TestWindowsLongPaths keeps a store below a path of more than 260 characters,
// which the program is told of, for no process can be started there.
func TestWindowsLongPaths(t *testing.T) {
	m := newMachine(t)
	deep := m.in(filepath.Join(m.dir, strings.Repeat("a", 100), strings.Repeat("b", 100), strings.Repeat("c", 60)))
	deep.dir, deep.beside = m.home, []string{"CLAUDE_PROJECT_DIR=" + deep.dir}
	id := deep.remember("Deep", "down")
	require.Contains(t, deep.run("", "list"), id)
	require.Contains(t, deep.run("", "check"), "in order")
}
