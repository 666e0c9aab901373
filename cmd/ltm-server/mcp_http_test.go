package main

import (
	"io"
	"net/http"
	"strings"
	"testing"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"ltm/server/conversation/mcp"
)

// overHTTP is a model's client of a user's memory over HTTP.
func overHTTP(t *testing.T, url, user string, headers map[string]string) (*mcpclient.Client, error) {
	t.Helper()
	c, err := mcpclient.NewStreamableHttpClient(url+"/mcp?user="+user, transport.WithHTTPHeaders(headers))
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.Start(t.Context()))
	hello := mcpgo.InitializeRequest{}
	hello.Params.ProtocolVersion = mcpgo.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcpgo.Implementation{Name: "test", Version: "1"}
	_, err = c.Initialize(t.Context(), hello)
	return c, err
}

// use calls a tool.
func use(t *testing.T, c *mcpclient.Client, tool string, args map[string]any) string {
	t.Helper()
	r := mcpgo.CallToolRequest{}
	r.Params.Name, r.Params.Arguments = tool, args
	a, err := c.CallTool(t.Context(), r)
	require.NoError(t, err)
	return a.Content[0].(mcpgo.TextContent).Text
}

func TestMCPOverHTTP(t *testing.T) {
	db, _ := initialized(t)
	command(t, "app", "create", "notes", "--db", db)
	key := strings.TrimSpace(command(t, "key", "issue", "--db", db, "--app", "notes", "--name", "test"))
	s := start(t, serving(db)...)
	ann, err := overHTTP(t, s.url, "ann", map[string]string{"Authorization": "bearer  " + key})
	require.NoError(t, err)
	listed, err := ann.ListTools(t.Context(), mcpgo.ListToolsRequest{})
	require.NoError(t, err)
	require.Len(t, listed.Tools, 4)
	for range 2 { // the thread is made once
		require.Contains(t, use(t, ann, "add_event", map[string]any{"text": "My cat is called Socks."}),
			" to thread b65a99d4-e117-5c28-aba6-823e00f9ad0f.")
	}
	again, err := overHTTP(t, s.url, "ann", map[string]string{"X-API-Key": key})
	require.NoError(t, err)
	require.Contains(t, use(t, again, "retrieve", map[string]any{"query": "What is the name of my cat?"}), "Socks")
	bob, err := overHTTP(t, s.url, "bob", map[string]string{"X-API-Key": key})
	require.NoError(t, err)
	require.NotContains(t, use(t, bob, "retrieve", map[string]any{"query": "What is the name of my cat?"}), "Socks")
	require.NotContains(t, use(t, bob, "retrieve", map[string]any{"query": "cat", "user": "ann"}), "Socks")
	_, err = overHTTP(t, s.url, "ann", map[string]string{"X-API-Key": "wrong"})
	require.Error(t, err)
	_, err = overHTTP(t, s.url, "ann", map[string]string{"X-API-Key": key, "Authorization": "Bearer of.no.user"})
	require.Error(t, err)
}

func TestMCPOverHTTPRefuses(t *testing.T) {
	db, _ := initialized(t)
	command(t, "app", "create", "notes", "--db", db)
	key := strings.TrimSpace(command(t, "key", "issue", "--db", db, "--app", "notes", "--name", "test"))
	s := start(t, serving(db)...)
	const mine = "/mcp?user=ann"
	large := `{"x": "` + strings.Repeat("x", mcp.MaxMessage) + `"}`
	const ping = `{"jsonrpc": "2.0", "id": 1, "method": "ping"}`
	for name, c := range map[string]struct {
		address, key, origin, body string
		status                     int
		want                       string
	}{
		"a message":       {mine, key, "", ping, http.StatusOK, `"result"`},
		"no key":          {mine, "", "", ping, http.StatusUnauthorized, "a key of an application is needed"},
		"wrong key":       {mine, "ltmk_wrong", "", ping, http.StatusUnauthorized, `"detail"`},
		"key with blanks": {mine, "a b", "", ping, http.StatusUnauthorized, "visible ASCII"},
		"no user":         {"/mcp", key, "", ping, http.StatusBadRequest, "names no user"},
		"another origin":  {mine, key, "https://elsewhere.example.org", ping, http.StatusForbidden, "another origin"},
		"too large":       {mine, key, "", large, http.StatusBadRequest, ""},
		"no JSON":         {mine, key, "", `{`, http.StatusBadRequest, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequest(http.MethodPost, s.url+c.address, strings.NewReader(c.body))
			require.NoError(t, err)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			r.Header.Set("X-API-Key", c.key)
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			a, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			defer a.Body.Close()
			body, err := io.ReadAll(a.Body)
			require.NoError(t, err)
			require.Equal(t, c.status, a.StatusCode, "%s", body)
			require.Contains(t, string(body), c.want)
		})
	}
}

// TestMCPOverHTTPIsLimited as the routes are, and says when to ask again.
func TestMCPOverHTTPIsLimited(t *testing.T) {
	db, _ := initialized(t)
	command(t, "app", "create", "notes", "--db", db)
	key := strings.TrimSpace(command(t, "key", "issue", "--db", db, "--app", "notes", "--name", "test"))
	s := start(t, serving(db, "--rate-user", "1")...)
	status, after := http.StatusOK, ""
	for range 1000 {
		r, err := http.NewRequest(http.MethodPost, s.url+"/mcp?user=ann", strings.NewReader("{}"))
		require.NoError(t, err)
		r.Header.Set("X-API-Key", key)
		a, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, a.Body.Close())
		if status, after = a.StatusCode, a.Header.Get("Retry-After"); status == http.StatusTooManyRequests {
			break
		}
	}
	require.Equal(t, http.StatusTooManyRequests, status)
	require.NotEmpty(t, after)
}
