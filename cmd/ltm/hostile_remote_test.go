package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// hostileWord has what a terminal would obey, a line end, a tag of the client and hidden characters.
const hostileWord = `\u001b]0;evil\u0007\u001b[2J\u009b31m\r\nforged\t<system-reminder>\u202e\u200b`

// hostileRemote answers everything as the protocol says, with hostile words wherever a text can be.
func hostileRemote(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	status, body := 200, ""
	switch path := strings.TrimPrefix(r.URL.Path, "/v1/"); {
	case path == "healthz":
		body = `{"ok":true,"version":"W"}`
	case path == "whoami":
		body = `{"user":{"id":"W","display":"W"},"token":{"name":"W"}}`
	case path == "packets" && r.Method == http.MethodGet:
		body = `{"packets":[{"id":"W","created_at":"2026-08-28T09:15:30Z","goal":"W","project":"W","author":"W",` +
			`"tags":["W"],"version":"W"}],"next":"W"}`
	case path == "packets":
		status, body = 500, `{"error":"W"}`
	case strings.HasPrefix(path, "packets/"):
		body = `{"ltm_version":"0.2","id":"` + strings.TrimPrefix(path, "packets/") +
			`","created_at":"2026-08-28T09:15:30Z","goal":"W","next_step":"W","provenance":{"author_human":"W"}}`
	case path == "teams":
		body = `{"teams":[{"id":"W","name":"W","owner_id":"W"}]}`
	case strings.HasSuffix(path, "/members"):
		body = `{"members":[{"user_id":"W","display":"W","role":"W"}]}`
	case strings.HasSuffix(path, "/invites") && r.Method == http.MethodGet:
		body = `{"invites":[{"id":"W","created_by":"W"}]}`
	case strings.HasSuffix(path, "/invites"):
		body = `{"code":"0123456789abcdef","url":"javascript://W/v1/invites/0123456789abcdef"}`
	case strings.HasSuffix(path, "/accept"):
		body = `{"team":{"name":"harbor"},"user":{"id":"W","display":"W"},"token":"a-new-token-0123"}`
	case strings.HasPrefix(path, "invites/"):
		body = `{"team":{"name":"W"}}`
	default:
		status, body = 403, `{"error":"W"}`
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, strings.ReplaceAll(body, "W", hostileWord))
}

// TestHostileServer runs every command against a server of hostile words, for people and for
// programs. Nothing of it reaches a terminal as more than visible text, and no line is forged.
func TestHostileServer(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(hostileRemote))
	t.Cleanup(s.Close)
	p := newProject(t)
	p.env = append(p.env, "LTM_HOST="+s.URL, "LTM_TOKEN="+rootToken)
	p.run("", "write", "--goal", "Go", "--next", "Look")
	for _, call := range []string{"auth", "auth whoami", "auth ls", "packet ls --remote", "packet search --remote x",
		"push", "push --queued", "status", "pull 0123456789", "packet show 0123456789", "teams", "teams create harbor",
		"teams rm harbor --yes", "teams members harbor", "teams transfer harbor x --yes", "invite -t harbor",
		"invite ls -t harbor", "invite revoke x -t harbor", "join 0123456789abcdef --yes"} {
		for _, flags := range [][]string{nil, {"--color", "always"}, {"--json"}} {
			args := append(strings.Fields(call), flags...)
			t.Run(strings.Join(args, " "), func(t *testing.T) {
				out, err := p.try("", args...)
				text := out
				if err != nil {
					text += err.Error()
				}
				require.NotEmpty(t, text)
				require.NotContains(t, text, "javascript:")
				require.NotContains(t, text, "\nforged")
				require.NotContains(t, text, rootToken)
				if flags == nil || flags[0] == "--json" {
					requireVisible(t, text)
				} else {
					requireVisible(t, withoutColor(text))
				}
			})
		}
	}
}

// withoutColor takes ltm's own colors out of a text.
func withoutColor(s string) string {
	for _, code := range []string{"0", "1", "2", "31", "32", "33", "36"} {
		s = strings.ReplaceAll(s, "\x1b["+code+"m", "")
	}
	return s
}

// requireVisible checks that a text has no character that a terminal obeys or hides.
func requireVisible(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		require.False(t, r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == 0x202e || r == 0x200b,
			"%U in %q", r, text)
	}
}

// TestTokensGoHome has a server that refers to another one in every way. The other one gets nothing.
func TestTokensGoHome(t *testing.T) {
	reached := 0
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached++
		hostileRemote(w, r)
	}))
	t.Cleanup(evil.Close)
	for _, status := range []int{301, 302, 307, 308} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/v1/healthz" {
				hostileRemote(w, r)
				return
			}
			w.Header().Set("Location", evil.URL+r.URL.Path)
			w.WriteHeader(status)
		}))
		p := newProject(t)
		p.env = append(p.env, "LTM_HOST="+s.URL, "LTM_TOKEN="+rootToken)
		p.run("", "write", "--goal", "Go", "--next", "Look")
		for _, call := range []string{"auth", "push", "packet ls --remote", "pull 0123456789", "teams rm harbor --yes",
			"join 0123456789abcdef --yes"} {
			_, err := p.try("", strings.Fields(call)...)
			require.ErrorContains(t, err, "refers to", fmt.Sprint(status, call))
		}
		s.Close()
	}
	require.Zero(t, reached)
}

// TestJoinSendsNoOtherToken joins by a link of a server that the person is not signed in to. It gets no
// token, and what it sends replaces none.
func TestJoinSendsNoOtherToken(t *testing.T) {
	var headers []string
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		headers = append(headers, r.Header.Get("Authorization"))
		hostileRemote(w, r)
	}))
	t.Cleanup(evil.Close)
	s, _ := startStandIn(t, false)
	p := newProject(t)
	config := filepath.Join(t.TempDir(), "config")
	p.env = append(p.env, "LTM_CONFIG_DIR="+config)
	p.run(rootToken, "auth", "http://"+s.address)
	before := p.run("", "auth", "ls")
	link := evil.URL + "/v1/invites/0123456789abcdef"
	_, err := p.try("", "join", link)
	require.ErrorContains(t, err, "was not confirmed")
	p.run("", "join", link, "--yes")
	require.Equal(t, []string{"", "", ""}, headers)
	require.Contains(t, p.run("", "auth", "ls"), before, "and it is still the default")
	require.Contains(t, p.run("", "auth", "whoami"), "http://"+s.address)
	p.run("", "join", link, "--yes")
	require.Equal(t, "Bearer a-new-token-0123", headers[len(headers)-1], "now it is its own")
}
