package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/internal/stopwatch"
)

// BenchmarkRecallRatios is what a client waits for calls of tools: of a server with 1,000 memories of
// a project, and of one with as many of the person beside them. Every round does each call once.
func BenchmarkRecallRatios(b *testing.B) {
	ltm := filepath.Join(b.TempDir(), "ltm")
	installed(b, ltm, ".")
	project := benchStore(b, ltm, 1000)
	shelf := benchShelf(b, ltm, project)
	alone, both := startServer(b, ltm, project, b.TempDir()), startServer(b, ltm, project, shelf)
	s := stopwatch.Stopwatch{}
	questions := map[string]string{"rare": "w7919", "three": "learned about detail",
		"question": "why does the scheduler drop the last job of a batch?", "none": "kubernetes zebra"}
	for b.Loop() {
		for name, text := range questions {
			for way, server := range map[string]*pipes{"alone": alone, "both": both} {
				s.Time(name+"-"+way, func() { server.call("recall", map[string]any{"query": text}) })
			}
		}
	}
	for name := range s {
		b.ReportMetric(s.Median(name)/1000, name+"-us")
	}
	for name := range questions {
		b.ReportMetric(s.Ratio(name+"-both", name+"-alone"), name+"-both/"+name+"-alone")
	}
}

// pipes lead to a server, as those of a client do.
type pipes struct {
	b     *testing.B
	in    io.Writer
	lines *bufio.Reader
	id    int
}

// startServer starts a server beside a store of a person, and waits until its first answers have made
// everything ready.
func startServer(b *testing.B, ltm, project, own string) *pipes {
	b.Helper()
	cmd := exec.Command(ltm, "mcp")
	cmd.Dir = project
	cmd.Env = append(processIn(project, "", []string{ltm}).Env, "LTM_USER_DIR="+own, "CLAUDE_CODE_SESSION_ID=")
	in, err := cmd.StdinPipe()
	require.NoError(b, err)
	out, err := cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	c := &pipes{b: b, in: in, lines: bufio.NewReaderSize(out, 1<<20)}
	c.ask("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "bench", "version": "1"}})
	_, err = fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	require.NoError(b, err)
	for range 3 {
		time.Sleep(100 * time.Millisecond) // while it warms up
		c.call("recall", map[string]any{"query": "component"})
	}
	return c
}

func (c *pipes) call(tool string, arguments map[string]any) {
	c.ask("tools/call", map[string]any{"name": tool, "arguments": arguments})
}

// ask sends a request and waits for its answer.
func (c *pipes) ask(method string, params map[string]any) {
	c.id++
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	require.NoError(c.b, err)
	_, err = c.in.Write(append(request, '\n'))
	require.NoError(c.b, err)
	for {
		line, err := c.lines.ReadBytes('\n')
		require.NoError(c.b, err)
		if bytes.Contains(line, fmt.Appendf(nil, `"id":%d,`, c.id)) {
			require.NotContains(c.b, string(line), `"isError":true`)
			require.Contains(c.b, string(line), `"result"`)
			return
		}
	}
}
