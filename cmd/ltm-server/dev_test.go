package main

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	dataIn    = regexp.MustCompile(`its data in (/.+?)(, which is removed at the end)?\. Ctrl-C`)
	variables = regexp.MustCompile(`LTM_URL=(\S+) LTM_KEY=(\S+)`)
)

// tried is a server for trying out, and what it printed.
type tried struct {
	cmd      *exec.Cmd
	url, key string
	dir      string // of its data
}

// try starts one.
func try(t *testing.T, args ...string) *tried {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("signals cannot be sent there")
	}
	s := &tried{cmd: exec.Command("ltm-server", append([]string{"dev", "--addr", "127.0.0.1:0"}, args...)...)}
	s.cmd.Env = append(os.Environ(), "LTM_SERVER_DB=/nowhere/ltm.db")
	out, err := s.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	lines := bufio.NewScanner(out)
	for s.key == "" && lines.Scan() {
		if m := dataIn.FindStringSubmatch(lines.Text()); m != nil {
			s.dir = m[1]
		}
		if m := variables.FindStringSubmatch(lines.Text()); m != nil {
			s.url, s.key = m[1], m[2]
		}
	}
	require.NotEmpty(t, s.key)
	go func() {
		for lines.Scan() { // so that the program can go on printing
		}
	}()
	return s
}

func (s *tried) stop(t *testing.T) {
	t.Helper()
	require.NoError(t, s.cmd.Process.Signal(os.Interrupt))
	require.NoError(t, s.cmd.Wait())
}

// threads asks for a user's threads with a key.
func (s *tried) threads(key string) int {
	return ask(http.DefaultClient, http.MethodGet, s.url+"/v1/threads?user_id=ann", key, "").status
}

func TestDevNeedsNothingAndLeavesNothing(t *testing.T) {
	s := try(t)
	require.Equal(t, http.StatusOK, s.threads(s.key))
	require.DirExists(t, s.dir)
	s.stop(t)
	require.NoDirExists(t, s.dir)
}

func TestDevGoesOnInItsDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	first := try(t, "--dir", dir)
	made := ask(http.DefaultClient, http.MethodPost, first.url+"/v1/threads", first.key, `{"user_id": "ann"}`)
	require.Equal(t, http.StatusOK, made.status, "%s", made.body)
	first.stop(t)
	second := try(t, "--dir", dir)
	require.Equal(t, http.StatusUnauthorized, second.threads(first.key), "nobody can be shown that key again")
	list := ask(http.DefaultClient, http.MethodGet, second.url+"/v1/threads?user_id=ann", second.key, "")
	require.Contains(t, string(list.body), `"id"`)
	second.stop(t)
}

func TestDevLeavesAServerAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	first := try(t, "--dir", dir)
	status, out, said := call(t, nil, "dev", "--dir", dir, "--addr", "127.0.0.1:0")
	require.Equal(t, exitConflict, status, said)
	require.Empty(t, out)
	require.Contains(t, said, "another server uses it")
	require.Equal(t, http.StatusOK, first.threads(first.key), "its key is as good as before")
	first.stop(t)
}

func TestDevServesThisMachineAlone(t *testing.T) {
	for _, addr := range []string{":5860", "0.0.0.0:5860", "192.0.2.1:5860", "memory.example.org:5860"} {
		status, out, said := call(t, nil, "dev", "--addr", addr)
		require.Equal(t, exitInvalid, status, said)
		require.Contains(t, said, "is not of this machine alone")
		require.Empty(t, out)
	}
	status, _, said := call(t, nil, "dev", "--db", "x.db")
	require.Equal(t, exitInvalid, status)
	require.Contains(t, said, "--dir")
}
