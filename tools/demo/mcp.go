package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// server is a running `ltm mcp`, called as Claude Code does.
type server struct {
	d      *demo
	client *client.Client // nil: the demo has failed
}

// connect starts the MCP server of a session and initializes it.
func (d *demo) connect(session string) *server {
	s := &server{d: d}
	if d.err != nil {
		return s
	}
	start := func(context.Context, string, []string, []string) (*exec.Cmd, error) {
		cmd := d.command(d.binary, "mcp")
		cmd.Env = append(cmd.Env, "CLAUDE_CODE_SESSION_ID="+session)
		return cmd, nil
	}
	started, err := client.NewStdioMCPClientWithOptions(d.binary, nil, nil, transport.WithCommandFunc(start))
	if err != nil {
		d.fail(err)
		return s
	}
	s.client = started
	_, err = s.client.Initialize(context.Background(), mcp.InitializeRequest{Params: mcp.InitializeParams{
		ProtocolVersion: mcp.ProtocolVersion20251125, ClientInfo: mcp.Implementation{Name: "demo", Version: "1"}}})
	d.fail(err)
	return s
}

// call calls a tool, shows its answer and returns the answer's fields.
func (s *server) call(tool string, arguments fields) fields {
	if s.d.err != nil {
		return nil
	}
	result, err := s.client.CallTool(context.Background(),
		mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: arguments}})
	if err != nil {
		s.d.fail(fmt.Errorf("%s: %w", tool, err))
		return nil
	}
	text := ""
	for _, c := range result.Content {
		if part, ok := mcp.AsTextContent(c); ok {
			text += part.Text
		}
	}
	s.d.expect(!result.IsError, tool+" succeeds, but: "+text)
	s.d.say("→ %s %s", tool, brief(arguments))
	s.d.show(text)
	answer, _ := result.StructuredContent.(fields)
	return answer
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
	if s.client == nil {
		return
	}
	if err := s.client.Close(); err != nil {
		s.d.fail(fmt.Errorf("ltm mcp: %w", err))
	}
}
