package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// process is a server that runs in a process of its own.
type process struct {
	cmd  *exec.Cmd
	url  string
	mu   sync.Mutex
	said bytes.Buffer
	read chan struct{} // closed when standard error has ended
}

// serving are the arguments of a server whose limits do not matter.
func serving(db string, more ...string) []string {
	return append([]string{"serve", "--db", db, "--addr", "127.0.0.1:0", "--log", "json", "--rate-token", "1000000",
		"--rate-address", "1000000", "--rate-key", "1000000", "--rate-user", "1000000",
		"--max-packets", "10000000"}, more...)
}

// start starts a server and waits until it listens. It is killed at the end of the test.
func start(t testing.TB, args ...string) *process {
	t.Helper()
	p, err := launch(args...)
	require.NoError(t, err, "the server did not start")
	t.Cleanup(p.kill)
	return p
}

// launch starts a server and waits until it listens.
func launch(args ...string) (*process, error) {
	p := &process{cmd: exec.Command("ltm-server", args...), read: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), "LTM_SERVER_DB=", "LTM_DB=", "LTM_SERVER_ADDR=")
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	listening := make(chan string, 1)
	go p.listen(stderr, listening)
	select {
	case p.url = <-listening:
		return p, nil
	case <-p.read:
		p.kill()
		return nil, errors.New(p.log())
	}
}

// listen keeps what the server logs, and reports its address.
func (p *process) listen(stderr io.Reader, listening chan<- string) {
	defer close(p.read)
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		p.mu.Lock()
		p.said.Write(lines.Bytes())
		p.said.WriteByte('\n')
		p.mu.Unlock()
		var line struct{ Msg, URL string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
			listening <- line.URL
		}
	}
}

func (p *process) log() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.String()
}

// kill ends the process as a power failure would.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.read
	_ = p.cmd.Wait()
}

// stop asks the process to end, and returns its exit status.
func (p *process) stop(t testing.TB) int {
	t.Helper()
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	<-p.read
	_ = p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode()
}

// command runs a command to its end and returns what it printed.
func command(t testing.TB, args ...string) string {
	t.Helper()
	cmd := exec.Command("ltm-server", args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Run(), "%v: %s", args, stderr.String())
	return stdout.String()
}

// answer is what a server answered. Status 0 is that nothing came back whole.
type answer struct {
	status int
	body   []byte
	header http.Header
}

// ask sends a request. A client has its own connections.
func ask(client *http.Client, method, url, token, body string, headers ...string) answer {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := client.Do(r)
	if err != nil {
		return answer{}
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}
	}
	return answer{response.StatusCode, data, response.Header}
}

// packetOf returns a packet with an id and a goal.
func packetOf(id, goal string) string {
	return fmt.Sprintf(`{"ltm_version":"0.1","id":%q,"created_at":"2026-08-28T09:15:30Z","goal":%q,"next_step":"Go on."}`,
		id, goal)
}
