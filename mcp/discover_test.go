package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/mcp"
)

// TestDiscovery speaks the protocol without a handshake from the first message on: each request says what
// the client is.
func TestDiscovery(t *testing.T) {
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{}}`
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{` + meta + `}}`,
		`{"jsonrpc":"2.0","id":"l","method":"tools/list","params":{` + meta + `}}`,
		`{"jsonrpc":"2.0","id":"r","method":"resources/list","params":{` + meta + `}}`,
		`{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{` + meta +
			`,"name":"recall","arguments":{"query":"pool"}}}`,
	}, "\n") + "\n"
	var out bytes.Buffer
	e := &library{}
	require.NoError(t, mcp.Serve(context.Background(), e, mcp.Options{Version: "1.2.3", Stdin: strings.NewReader(in),
		Stdout: &out}))
	found := answers(t, &out)

	var hello struct {
		SupportedVersions []string
		Instructions      string
		Capabilities      map[string]any
	}
	require.NoError(t, json.Unmarshal(found[`"d"`], &hello), "%s", found[`"d"`])
	require.Equal(t, "2026-07-28", hello.SupportedVersions[0])
	require.Contains(t, hello.SupportedVersions, "2025-11-25", "the handshake of older clients")
	require.Contains(t, hello.Instructions, "long-term memory")
	require.Contains(t, hello.Capabilities, "tools")

	type cached struct {
		ResultType string
		TTLMs      *int64
		CacheScope string
		Tools      []listedTool
	}
	var tools, resources cached
	require.NoError(t, json.Unmarshal(found[`"l"`], &tools))
	require.Equal(t, "complete", tools.ResultType)
	require.Equal(t, time.Hour.Milliseconds(), *tools.TTLMs, "the list differs between versions only")
	require.Equal(t, "public", tools.CacheScope)
	require.NotEmpty(t, tools.Tools)
	require.NoError(t, json.Unmarshal(found[`"r"`], &resources))
	require.Zero(t, *resources.TTLMs, "memories come and go")
	require.Equal(t, "private", resources.CacheScope)

	var call struct {
		ResultType        string
		StructuredContent map[string]any
	}
	require.NoError(t, json.Unmarshal(found[`"c"`], &call), "%s", found[`"c"`])
	require.Equal(t, "complete", call.ResultType)
	require.Contains(t, call.StructuredContent, "memories")
	require.NotContains(t, string(serve(t, e, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)["1"]), "ttlMs",
		"older protocols have no such field")
}
