package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// onTerminal runs ltm on a terminal of that many columns and returns what it
// wrote there, with the line ends of files.
func (p project) onTerminal(columns uint16, env []string, args ...string) string {
	p.t.Helper()
	return p.typed("", columns, env, args...)
}

// typed is onTerminal for a person who types input.
func (p project) typed(input string, columns uint16, env []string, args ...string) string {
	p.t.Helper()
	out, err := p.terminal(input, columns, env, args...)
	require.NoError(p.t, err, "%s", out)
	return out
}

// refused is typed for a command that is to fail.
func (p project) refused(input string, args ...string) string {
	p.t.Helper()
	out, err := p.terminal(input, 200, nil, args...)
	require.Error(p.t, err, "%s", out)
	return out
}

func (p project) terminal(input string, columns uint16, env []string, args ...string) (string, error) {
	p.t.Helper()
	return p.dialog([][2]string{{"", input}}, columns, env, args...)
}

// ctrlC in a dialog is what a terminal does then: the signal.
const ctrlC = "\x03"

// dialog runs the program on a terminal. It waits for the first text of each pair, and then types the second.
func (p project) dialog(pairs [][2]string, columns uint16, env []string, args ...string) (string, error) {
	p.t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(p.t, err, "this test needs a pseudo terminal")
	defer master.Close()
	fd := int(master.Fd())
	require.NoError(p.t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(p.t, err)
	require.NoError(p.t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}))
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(p.t, err)
	cmd := exec.Command("ltm", args...)
	cmd.Dir = p.dir
	cmd.Env = append(append(os.Environ(), "CLAUDE_PROJECT_DIR=", "LTM_DIR=", "NO_COLOR=", "TERM=xterm",
		"LTM_PAGER=cat"), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = terminal, terminal, terminal
	require.NoError(p.t, cmd.Start())
	terminal.Close()
	var out []byte
	for _, pair := range pairs {
		for from := len(out); !bytes.Contains(out[from:], []byte(pair[0])); {
			more := make([]byte, 4096)
			n, err := master.Read(more)
			require.NoError(p.t, err, "%q is not in %s", pair[0], out)
			out = append(out, more[:n]...)
		}
		if pair[1] == ctrlC {
			require.NoError(p.t, cmd.Process.Signal(os.Interrupt))
			continue
		}
		_, err = master.WriteString(pair[1])
		require.NoError(p.t, err)
	}
	rest, _ := io.ReadAll(master) // ends with an error when the last writer is gone
	return strings.ReplaceAll(string(append(out, rest...)), "\r\n", "\n"), cmd.Wait()
}

// TestWaitingOnATerminal starts what only a client starts: it says what it waits for.
func TestWaitingOnATerminal(t *testing.T) {
	const done = "\x04"
	p := newProject(t)
	p.run("", "remember", "Pool", "The pool was exhausted.")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"mcp"},
			"ltm mcp: waiting for an MCP client's messages on standard input; Claude Code starts this by itself, " +
				"Ctrl-D ends it\n"},
		{[]string{"hook", "PreCompact"},
			"ltm hook: waiting for the payload of PreCompact on standard input; Claude Code starts this by itself, " +
				"Ctrl-D ends it\n"},
	} {
		require.Contains(t, p.typed("{}\n"+done, 200, nil, c.args...), c.want)
	}
}

func TestTerminal(t *testing.T) {
	p := newProject(t)
	p.run("", "remember", strings.Repeat("Connection pool ", 10), "The pool was exhausted.")
	colored := p.onTerminal(60, nil, "list")
	require.Contains(t, colored, "\x1b[2mID            STATE  PRIO  AGE  TOPIC\x1b[0m\n")
	require.Contains(t, colored, "Connection pool Connection …\n")
	require.Contains(t, p.onTerminal(60, nil, "recall", "pools"), "Connection \x1b[1mpool\x1b[0m Conn")
	for _, c := range []struct {
		name string
		env  []string
		args []string
	}{
		{"NO_COLOR", []string{"NO_COLOR=1"}, []string{"list"}},
		{"TERM", []string{"TERM=dumb"}, []string{"list"}},
		{"flag", nil, []string{"list", "--color", "never"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			plain := p.onTerminal(60, c.env, c.args...)
			require.NotContains(t, plain, "\x1b")
			require.Contains(t, plain, "ID            STATE  PRIO  AGE  TOPIC\n", "still a table")
		})
	}
	require.Contains(t, p.onTerminal(60, []string{"NO_COLOR=1"}, "list", "--color", "always"), "\x1b[2m",
		"a flag is stronger")
	require.Contains(t, p.onTerminal(0, []string{"COLUMNS=50"}, "list"), "Connection pool C…\n",
		"a terminal that does not tell its width")
}
