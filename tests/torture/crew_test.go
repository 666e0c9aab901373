package torture_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"

	"ltm/memory"
	"ltm/memory/api"
)

// crew is the processes that work in one project at the same time.
type crew struct {
	p project
	l *ledger

	mu      sync.Mutex
	running []*os.Process
	struck  map[*os.Process]bool
}

func newCrew(p project) *crew { return &crew{p: p, l: newLedger(), struck: map[*os.Process]bool{}} }

func (c *crew) started(p *os.Process) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = append(c.running, p)
}

// ended reports whether a process that ended had been killed.
func (c *crew) ended(p *os.Process) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = slices.DeleteFunc(c.running, func(r *os.Process) bool { return r == p })
	return c.struck[p]
}

// kill kills a random process and reports whether there was one.
func (c *crew) kill(r *rand.Rand) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.running) == 0 {
		return false
	}
	victim := c.running[r.IntN(len(c.running))]
	c.struck[victim] = true
	_ = victim.Kill() // it may have just ended
	return true
}

// command runs the program. unsure reports that it was killed, so its change may or may not have
// happened.
func (c *crew) command(stdin string, args ...string) (o outcome, unsure bool, err error) {
	cmd, stdout, stderr := c.p.command(stdin, args...).prepare(c.p.t)
	if err := cmd.Start(); err != nil {
		return outcome{}, false, err
	}
	c.started(cmd.Process)
	_ = cmd.Wait() // the exit status is checked instead
	killed := c.ended(cmd.Process)
	o = ran(cmd, stdout, stderr)
	return o, killed && o.status != 0, nil
}

// isBusy reports whether a command gave up on the lock, and counts it.
func (c *crew) isBusy(text string) bool {
	busy := strings.Contains(text, "held the lock")
	if busy {
		c.l.do(func() { c.l.busy++ })
	}
	return busy
}

// server is a running `ltm mcp`, called as the client does.
type server struct {
	c      *crew
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	answer *bufio.Scanner
	calls  int
}

func (c *crew) serve(session string) (*server, error) {
	d := c.p.command("", "mcp")
	s := &server{c: c, cmd: exec.Command(binary(c.p.t), d.args...)}
	s.cmd.Dir, s.cmd.Env = d.dir, append(d.env, "CLAUDE_CODE_SESSION_ID="+session)
	var err error
	if s.stdin, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.answer = bufio.NewScanner(stdout)
	s.answer.Buffer(nil, 1<<20)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	c.started(s.cmd.Process)
	return s, nil
}

// toolResult is the answer of a tool.
type toolResult struct {
	Content           []struct{ Text string }
	StructuredContent json.RawMessage
	IsError           bool
}

// greet initializes a conversation.
func (s *server) greet() (alive bool, err error) {
	hello := map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "torture", "version": "1"}}
	if _, alive, err = s.request("initialize", hello); !alive || err != nil {
		return alive, err
	}
	return s.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}), nil
}

func (s *server) send(message any) (alive bool) {
	data, err := json.Marshal(message)
	if err == nil {
		_, err = s.stdin.Write(append(data, '\n'))
	}
	return err == nil
}

// request sends a request and returns its result; alive is false if the server died before it
// answered.
func (s *server) request(method string, params any) (result json.RawMessage, alive bool, err error) {
	s.calls++
	if !s.send(map[string]any{"jsonrpc": "2.0", "id": s.calls, "method": method, "params": params}) {
		return nil, false, nil
	}
	for s.answer.Scan() {
		var m struct {
			ID     any
			Result json.RawMessage
			Error  json.RawMessage
		}
		if err := json.Unmarshal(s.answer.Bytes(), &m); err != nil {
			return nil, true, fmt.Errorf("the server wrote %q: %w", s.answer.Text(), err)
		}
		if m.ID != float64(s.calls) {
			continue
		}
		if m.Error != nil {
			return nil, true, fmt.Errorf("%s: %s", method, m.Error)
		}
		return m.Result, true, nil
	}
	return nil, false, nil
}

func (s *server) call(tool string, arguments map[string]any) (r toolResult, alive bool, err error) {
	raw, alive, err := s.request("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if err != nil || !alive {
		return r, alive, err
	}
	err = json.Unmarshal(raw, &r)
	return r, true, err
}

func (r toolResult) text() string {
	if len(r.Content) == 0 {
		return ""
	}
	return r.Content[0].Text
}

// close waits for the server, which was killed or whose input it closes.
func (s *server) close() error {
	_ = s.stdin.Close()
	for s.answer.Scan() { // to its end
	}
	err := s.cmd.Wait()
	if s.c.ended(s.cmd.Process) {
		return nil
	}
	return err
}

// receipt decodes the output of storing a memory.
func receipt(data []byte) (memory.ID, error) {
	var r api.Receipt
	err := json.Unmarshal(data, &r)
	return r.ID, err
}
