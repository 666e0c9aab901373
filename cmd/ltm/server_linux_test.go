package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// ending is how long a server may take to end. It takes less than a second; the
// rest is for slow machines.
const ending = 20 * time.Second

// served is a server of the real program, and its client's ends.
type served struct {
	t   *testing.T
	cmd *exec.Cmd
	in  interface { // of the client, to the server
		io.WriteCloser
		SetWriteDeadline(time.Time) error
	}
	out io.ReadCloser
}

// serveIn starts a server in a project, over pipes or, as Node does, over sockets.
func serveIn(t *testing.T, ltm, dir string, sockets bool) *served {
	t.Helper()
	s := &served{t: t, cmd: exec.Command(ltm, "mcp")}
	s.cmd.Dir = dir
	s.cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR=", "LTM_DIR=", "HOME="+t.TempDir())
	var theirs [2]*os.File
	for i := range theirs {
		if !sockets {
			r, w, err := os.Pipe()
			require.NoError(t, err)
			if i == 0 {
				theirs[i], s.in = r, w
			} else {
				theirs[i], s.out = w, r
			}
			continue
		}
		fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		require.NoError(t, err)
		theirs[i] = os.NewFile(uintptr(fds[0]), "server")
		file := os.NewFile(uintptr(fds[1]), "client")
		ours, err := net.FileConn(file)
		require.NoError(t, err)
		require.NoError(t, file.Close())
		if i == 0 {
			s.in = ours.(*net.UnixConn)
		} else {
			s.out = ours
		}
	}
	s.cmd.Stdin, s.cmd.Stdout = theirs[0], theirs[1]
	require.NoError(t, s.cmd.Start())
	require.NoError(t, errors.Join(theirs[0].Close(), theirs[1].Close()))
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	return s
}

// flood writes lines until the server takes no more.
func (s *served) flood(line string) (taken int) {
	s.t.Helper()
	for taken < 1<<30 {
		require.NoError(s.t, s.in.SetWriteDeadline(time.Now().Add(time.Second/2)))
		n, err := io.WriteString(s.in, strings.Repeat(line+"\n", 100))
		if taken += n; errors.Is(err, os.ErrDeadlineExceeded) {
			return taken
		}
		require.NoError(s.t, err)
	}
	s.t.Fatal("the server takes without end")
	return 0
}

// peak returns the most memory that the server has had.
func (s *served) peak() int {
	s.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	require.NoError(s.t, err)
	kib, err := strconv.Atoi(regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindStringSubmatch(string(status))[1])
	require.NoError(s.t, err)
	return kib << 10
}

// ends waits for the server's end.
func (s *served) ends() {
	s.t.Helper()
	late := time.AfterFunc(ending, func() { _ = s.cmd.Process.Kill() })
	err := s.cmd.Wait()
	require.True(s.t, late.Stop(), "the server did not end")
	require.NoError(s.t, err)
}

// TestAClientThatReadsNothing has the server answer until nothing fits into the
// pipe or socket, and ends it in every way.
func TestAClientThatReadsNothing(t *testing.T) {
	t.Parallel() // it waits, mostly
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP) // under nohup the server would inherit that it is ignored
	t.Cleanup(func() { signal.Stop(hangup) })
	p := newProject(t)
	p.run("", "remember", "Pool", strings.Repeat("Fifty connections. ", 1000))
	ltm := program(t)
	end := map[string]func(*served) error{
		"SIGTERM":          func(s *served) error { return s.cmd.Process.Signal(syscall.SIGTERM) },
		"SIGINT":           func(s *served) error { return s.cmd.Process.Signal(syscall.SIGINT) },
		"SIGHUP":           func(s *served) error { return s.cmd.Process.Signal(syscall.SIGHUP) },
		"end of the input": func(s *served) error { return s.in.Close() },
	}
	for _, sockets := range []bool{false, true} {
		for name, end := range end {
			for _, line := range []string{`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
				toolLine(1, "list_memories", `{}`)} {
				t.Run(fmt.Sprint(name, " ", sockets, " ", len(line)), func(t *testing.T) {
					t.Parallel()
					s := serveIn(t, ltm, p.dir, sockets)
					defer s.out.Close()
					taken := s.flood(line)
					require.Less(t, s.peak(), 150<<20, "bytes of memory, after %d bytes of requests", taken)
					require.NoError(t, end(s))
					s.ends()
				})
			}
		}
	}
}

func toolLine(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool,
		arguments)
}

// holdLock takes the project's lock, as another process would.
func (p project) holdLock() (release func()) {
	p.t.Helper()
	var held []*flock.Flock
	require.NoError(p.t, filepath.WalkDir(p.dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.TrimPrefix(d.Name(), ".") == "lock" {
			held = append(held, flock.New(path))
			return held[len(held)-1].Lock()
		}
		return err
	}))
	require.NotEmpty(p.t, held)
	return func() {
		for _, l := range held {
			require.NoError(p.t, l.Close())
		}
	}
}

// TestRecallBehindManyStores holds the lock in this process, and asks the server
// behind 150 stores: the question is answered while the lock is held, and each store
// is answered in its turn.
func TestRecallBehindManyStores(t *testing.T) {
	const stores = 150
	p := newProject(t)
	p.run("", "remember", "Pool", "Fifty connections.")
	release := p.holdLock()
	ltm := program(t)
	s := serveIn(t, ltm, p.dir, false)
	answers := bufio.NewScanner(s.out)
	answers.Buffer(nil, 1<<20)
	next := func() (id int, failed bool) {
		require.True(t, answers.Scan(), answers.Err())
		var m struct {
			ID     int
			Result struct{ IsError bool }
		}
		require.NoError(t, json.Unmarshal(answers.Bytes(), &m), answers.Text())
		return m.ID, m.Result.IsError
	}
	for id := range stores {
		_, err := fmt.Fprintln(s.in, toolLine(id, "store_memory",
			fmt.Sprintf(`{"topic":"Store %d","content":"Content number %d."}`, id, id)))
		require.NoError(t, err)
	}
	for id := stores; id < stores+20; id++ {
		_, err := fmt.Fprintln(s.in, toolLine(id, []string{"recall", "get_memory"}[id%2],
			`{"query":"connections","id":"mem_00000000"}`))
		require.NoError(t, err)
	}
	seen, waiting := map[int]bool{}, 20
	for waiting > 0 {
		id, failed := next()
		if seen[id] = true; id >= stores {
			waiting--
			continue
		}
		require.True(t, failed, "store %d did without the lock", id)
	}
	require.Less(t, len(seen), 100, "questions were answered before most of the stores")
	release()
	last := -1
	for len(seen) < stores+20 {
		id, _ := next()
		require.Greater(t, id, last, "stores are carried out in their order")
		seen[id], last = true, id
	}
	require.NoError(t, s.in.Close())
	s.ends()
}
