package client_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/packet/client"
)

// exchange is one request to the reference implementation and its answer, as they were recorded.
type exchange struct {
	About  string          `json:"about"`
	Call   string          `json:"call"` // method, path and query
	Token  string          `json:"token"`
	Send   json.RawMessage `json:"send"`
	Form   string          `json:"form"`
	Status int             `json:"status"`
	Type   string          `json:"type"`
	Body   string          `json:"body"`
}

func exchanges(t testing.TB) []exchange {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "exchanges.jsonl"))
	require.NoError(t, err)
	defer f.Close()
	var all []exchange
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e exchange
		require.NoError(t, json.Unmarshal(lines.Bytes(), &e))
		all = append(all, e)
	}
	require.NoError(t, lines.Err())
	return all
}

// serve answers every request as fn says until the test ends.
func serve(t testing.TB, fn http.HandlerFunc) client.Host {
	t.Helper()
	s := httptest.NewServer(fn)
	t.Cleanup(s.Close)
	return hostOf(t, s.URL)
}

func hostOf(t testing.TB, address string) client.Host {
	t.Helper()
	host, err := client.ParseHost(address)
	require.NoError(t, err)
	return host
}

// caller returns a client with a token, which may be empty.
func caller(t testing.TB, host client.Host, token string) *client.Client {
	t.Helper()
	c, err := client.New(client.Options{Host: host, Token: token, Agent: "ltm/test"})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// answering returns a server that gives one answer to everything.
func answering(t testing.TB, status int, header map[string]string, body string) client.Host {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		for name, value := range header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}

// compact returns JSON in one form, "" for none.
func compact(t testing.TB, data []byte) string {
	t.Helper()
	if len(data) == 0 || strings.TrimSpace(string(data)) == "{}" {
		return ""
	}
	var v any
	require.NoError(t, json.Unmarshal(data, &v), "%s", data)
	out, err := json.Marshal(v)
	require.NoError(t, err)
	return string(out)
}
