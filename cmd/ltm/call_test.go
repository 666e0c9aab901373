package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// callTool starts the server, calls one tool and prints its text and its
// structured content: call TOOL JSON, or call TOOL @FILE. It fails when the tool
// answers with an error.
func callTool(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: call TOOL JSON")
	}
	arguments := args[1]
	if name, ok := strings.CutPrefix(arguments, "@"); ok {
		arguments = ts.ReadFile(name)
	}
	result, err := call(ts, args[0], arguments)
	ts.Check(err)
	var text strings.Builder
	for _, c := range result.Content {
		text.WriteString(c.Text + "\n")
	}
	_, err = fmt.Fprintf(ts.Stdout(), "%s%s\n", text.String(), result.StructuredContent)
	ts.Check(err)
	if result.IsError != neg {
		ts.Fatalf("call %s: error is %v: %s", args[0], result.IsError, text.String())
	}
}

type toolResult struct {
	Content           []struct{ Text string }
	StructuredContent json.RawMessage
	IsError           bool
}

func call(ts *testscript.TestScript, tool, arguments string) (toolResult, error) {
	path, err := exec.LookPath("ltm")
	if err != nil {
		return toolResult{}, err
	}
	cmd := exec.Command(path, "mcp")
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = []string{"HOME=" + ts.Getenv("HOME"), "LTM_DIR=" + ts.Getenv("LTM_DIR"), "PATH=" + ts.Getenv("PATH"),
		"LTM_USER_DIR=" + ts.Getenv("LTM_USER_DIR")}
	if id := ts.Getenv("CLAUDE_CODE_SESSION_ID"); id != "" {
		cmd.Env = append(cmd.Env, "CLAUDE_CODE_SESSION_ID="+id)
	}
	cmd.Stdin = strings.NewReader(initialize + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" +
		fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool,
			strings.TrimSpace(arguments)) + "\n")
	out, err := cmd.Output()
	if err != nil {
		return toolResult{}, err
	}
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var m struct {
			ID     int
			Result toolResult
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			return toolResult{}, fmt.Errorf("the server wrote %q: %w", lines.Text(), err)
		}
		if m.ID == 2 && m.Error != nil {
			return toolResult{Content: []struct{ Text string }{{m.Error.Message}}, IsError: true}, nil
		}
		if m.ID == 2 {
			return m.Result, nil
		}
	}
	return toolResult{}, fmt.Errorf("no answer in %q", out)
}

// initialize is what a client says to the server first.
const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`
