package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestTokenOnATerminal types a token once ltm asks for it. The terminal does not show it, and shows
// what is typed again afterwards.
func TestTokenOnATerminal(t *testing.T) {
	s, _ := startStandIn(t, false)
	for name, tt := range map[string]struct {
		typed string
		ok    bool
	}{"a token": {rootToken + "\n", true}, "a wrong token": {"another-token\n", false}} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			master, slave := pseudoTerminal(t)
			cmd := exec.Command("ltm", "auth", "http://"+s.address)
			cmd.Dir = p.dir
			cmd.Env = append(append(os.Environ(), "CLAUDE_PROJECT_DIR=", "LTM_DIR=", "TERM=xterm"), p.env...)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
			cmd.SysProcAttr = &unix.SysProcAttr{Setsid: true, Setctty: true}
			require.NoError(t, cmd.Start())
			var out bytes.Buffer
			for !bytes.Contains(out.Bytes(), []byte("sign in with a code): ")) {
				piece := make([]byte, 256)
				n, err := master.Read(piece)
				require.NoError(t, err, "%s", out.String())
				out.Write(piece[:n])
			}
			for echoes(t, slave) { // it asks before it changes the terminal
				unix.Nanosleep(&unix.Timespec{Nsec: 1e6}, nil)
			}
			_, err := master.WriteString(tt.typed)
			require.NoError(t, err)
			err = cmd.Wait()
			require.True(t, echoes(t, slave))
			slave.Close()
			rest, _ := io.ReadAll(master)
			require.Equal(t, tt.ok, err == nil, "%s", rest)
			require.NotContains(t, out.String()+string(rest), rootToken)
			if tt.ok {
				require.Contains(t, string(rest), "as root (default)")
			}
		})
	}
}

// TestNoTokenOnATerminal ends the program while it waits. The terminal is left as it was.
func TestNoTokenOnATerminal(t *testing.T) {
	s, _ := startStandIn(t, false)
	_, slave := pseudoTerminal(t)
	ctx, end := context.WithCancel(t.Context())
	done := make(chan int)
	home := t.TempDir()
	go func() {
		done <- run(ctx, []string{"auth", "http://" + s.address}, slave, slave, slave, func(name string) string {
			return map[string]string{"HOME": home}[name]
		})
	}()
	for echoes(t, slave) {
		unix.Nanosleep(&unix.Timespec{Nsec: 1e6}, nil)
	}
	end()
	require.Equal(t, exitFailure, <-done)
	require.True(t, echoes(t, slave))
	require.NoDirExists(t, filepath.Join(home, ".config"))
}

func echoes(t *testing.T, terminal *os.File) bool {
	mode, err := unix.IoctlGetTermios(int(terminal.Fd()), unix.TCGETS)
	require.NoError(t, err)
	return mode.Lflag&unix.ECHO != 0
}

func pseudoTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	require.NoError(t, err, "this test needs a pseudo terminal")
	t.Cleanup(func() { master.Close() })
	require.NoError(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { slave.Close() })
	return master, slave
}
