package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

// server is a running `ltm mcp`, called as Claude Code does.
type server struct {
	d     *demo
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Scanner
	calls int
}

// connect starts the MCP server of a session and initializes it.
func (d *demo) connect(session string) *server {
	s := &server{d: d}
	if d.err != nil {
		return s
	}
	s.cmd = d.command(d.binary, "mcp")
	s.cmd.Env = append(s.cmd.Env, "CLAUDE_CODE_SESSION_ID="+session)
	var err error
	if s.stdin, err = s.cmd.StdinPipe(); err != nil {
		d.fail(err)
		return s
	}
	stdout, err := s.cmd.StdoutPipe()
	if err != nil {
		d.fail(err)
		return s
	}
	s.lines = bufio.NewScanner(stdout)
	s.lines.Buffer(nil, 1<<20)
	if err := s.cmd.Start(); err != nil {
		s.cmd = nil
		d.fail(err)
		return s
	}
	s.request("initialize", fields{"protocolVersion": "2025-11-25", "capabilities": fields{},
		"clientInfo": fields{"name": "demo", "version": "1"}})
	s.send(fields{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return s
}

func (s *server) send(message fields) {
	raw, err := json.Marshal(message)
	if err == nil {
		_, err = s.stdin.Write(append(raw, '\n'))
	}
	if err != nil {
		s.d.fail(err)
	}
}

// request sends a request and returns its result.
func (s *server) request(method string, params fields) json.RawMessage {
	s.calls++
	s.send(fields{"jsonrpc": "2.0", "id": s.calls, "method": method, "params": params})
	for s.d.err == nil && s.lines.Scan() {
		var answer struct {
			ID     any
			Result json.RawMessage
			Error  json.RawMessage
		}
		if err := json.Unmarshal(s.lines.Bytes(), &answer); err != nil {
			s.d.fail(fmt.Errorf("ltm mcp put out %q: %w", s.lines.Text(), err))
		}
		if answer.ID != float64(s.calls) {
			continue // a notification
		}
		if answer.Error != nil {
			s.d.fail(fmt.Errorf("%s: %s", method, answer.Error))
		}
		return answer.Result
	}
	s.d.fail(errors.New("ltm mcp ended before it answered " + method))
	return nil
}

// call calls a tool, shows its answer and returns the answer's fields.
func (s *server) call(tool string, arguments fields) fields {
	if s.d.err != nil {
		return nil
	}
	raw := s.request("tools/call", fields{"name": tool, "arguments": arguments})
	var result struct {
		Content           []struct{ Text string }
		StructuredContent fields
		IsError           bool
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		s.d.fail(fmt.Errorf("%s answered %q: %w", tool, raw, err))
		return nil
	}
	text := ""
	for _, c := range result.Content {
		text += c.Text
	}
	s.d.expect(!result.IsError, tool+" succeeds, but: "+text)
	s.d.say("→ %s %s", tool, brief(arguments))
	s.d.show(text)
	return result.StructuredContent
}

// brief shows the arguments of a call on one line.
func brief(arguments fields) string {
	raw, err := json.Marshal(arguments)
	if err != nil {
		return ""
	}
	if r := []rune(string(raw)); len(r) > 100 {
		return string(r[:99]) + "…"
	}
	return string(raw)
}

// close stops the server as the client does: by closing its stdin.
func (s *server) close() {
	if s.cmd == nil {
		return
	}
	_ = s.stdin.Close()
	if err := s.cmd.Wait(); err != nil {
		s.d.fail(fmt.Errorf("ltm mcp: %w", err))
	}
}
