package client_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/packet"
	"ltm/packet/client"
)

// TestHostileAnswers gives one answer to a pull. None is taken for a packet.
func TestHostileAnswers(t *testing.T) {
	p := sample()
	data, err := p.Canonical()
	require.NoError(t, err)
	legal := string(data)
	other := strings.Replace(legal, "RHE01", "RHE02", 1)
	html := map[string]string{"Content-Type": "text/html"}
	for _, tt := range []struct {
		name   string
		status int
		header map[string]string
		body   string
		kind   memory.Kind
		code   memory.Code
	}{
		{"a page of a gate", 200, html, legal, memory.KindRemoteAnswer, memory.CodeRemote},
		{"no type", 200, map[string]string{"Content-Type": ""}, legal, memory.KindRemoteAnswer, memory.CodeRemote},
		{"a huge body", 200, nil, strings.Repeat(" ", packet.MaxStoredBytes) + legal, memory.KindRemoteAnswer,
			memory.CodeRemote},
		{"another packet", 200, nil, other, memory.KindRemoteAnswer, memory.CodeRemote},
		{"an illegal packet", 200, nil, strings.Replace(legal, "goal", "mood", 1), memory.KindRemoteAnswer,
			memory.CodeRemote},
		{"not JSON", 200, nil, "{", memory.KindRemoteAnswer, memory.CodeRemote},
		{"nothing", 200, nil, "", memory.KindRemoteAnswer, memory.CodeRemote},
		{"no content", 204, nil, "", memory.KindRemoteAnswer, memory.CodeRemote},
		{"no status of HTTP", 299, nil, "[]", memory.KindRemoteAnswer, memory.CodeRemote},
		{"a failure with a page", 500, html, "<h1>stack of the server</h1>", memory.KindRemoteFailed,
			memory.CodeRemote},
		{"a failure of a proxy", 502, html, "<h1>", memory.KindRemoteFailed, memory.CodeRemote},
		{"busy", 503, nil, `{"error":"locked"}`, memory.KindRemoteBusy, memory.CodeBusy},
		{"full", 507, nil, `{"error":"quota"}`, memory.KindRemoteLimit, memory.CodeBusy},
		{"too often", 429, nil, `{"error":"slow down"}`, memory.KindRemoteLimit, memory.CodeBusy},
		{"sent twice at once", 409, nil, `{"error":"x","type":"/docs#under-way"}`, memory.KindRemoteBusy,
			memory.CodeBusy},
		{"a proxy's 404", 404, html, "<h1>404</h1>", memory.KindRemoteUnsupported, memory.CodeRemote},
		{"unknown", 404, nil, `{"error":"not found"}`, memory.KindRemoteUnknown, memory.CodeNotFound},
		{"denied", 403, nil, `{"error":"no"}`, memory.KindRemoteDenied, memory.CodeDenied},
		{"a token that ended", 401, nil, `{"error":"invalid token"}`, memory.KindTokenRefused, memory.CodeDenied},
		{"refused", 422, nil, `{"detail":"secrets"}`, memory.KindRemoteRefused, memory.CodeInvalid},
		{"changed", 412, nil, `{"error":"stale"}`, memory.KindRemoteStale, memory.CodeConflict},
		{"a jump", 302, map[string]string{"Location": "https://evil.example/"}, "", memory.KindRemoteRedirect,
			memory.CodeRemote},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := caller(t, answering(t, tt.status, tt.header, tt.body), token)
			got, err := c.Pull(context.Background(), p.ID)
			require.Equal(t, client.Pulled{}, got)
			require.Equal(t, []string{string(tt.kind), string(tt.code)},
				[]string{string(memory.KindOf(err)), string(memory.CodeOf(err))}, "%v", err)
			require.NotContains(t, err.Error(), "stack of the server")
			require.NotContains(t, err.Error(), token)
			if tt.status == http.StatusInsufficientStorage {
				require.ErrorContains(t, err, " has no room for it: status 507")
			}
		})
	}
}

// TestOnlyNoContentIsDone has a network's gate answer what has no body in the protocol.
func TestOnlyNoContentIsDone(t *testing.T) {
	for _, status := range []int{200, 201, 202, 204, 206} {
		c := caller(t, answering(t, status, nil, ""), token)
		ctx := context.Background()
		for name, err := range map[string]error{"delete": c.Delete(ctx, sample().ID, ""),
			"delete a team": c.DeleteTeam(ctx, "a"), "leave": c.LeaveTeam(ctx, "a"),
			"remove": c.RemoveMember(ctx, "a", "user-0001"), "revoke": c.RevokeInvite(ctx, "a", "invite-0001")} {
			if status == http.StatusNoContent {
				require.NoError(t, err, name)
				continue
			}
			require.Equal(t, memory.KindRemoteAnswer, memory.KindOf(err), "%s %d: %v", name, status, err)
		}
	}
}

// TestNoRedirectIsFollowed is about every method, within a host and to another.
func TestNoRedirectIsFollowed(t *testing.T) {
	reached := 0
	evil := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	t.Cleanup(evil.Close)
	targets := []string{evil.URL + "/v1/packets", "/v1/healthz", "//evil.example", "javascript:alert(1)"}
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, target := range targets {
			c := caller(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "healthz") {
					reached++
				}
				w.Header().Set("Location", target)
				w.WriteHeader(status)
			}), token)
			ctx := context.Background()
			_, pushed := c.Push(ctx, client.Push{Packet: sample()})
			_, pulled := c.Pull(ctx, sample().ID)
			_, joined := c.Accept(ctx, strings.Repeat("a", 48), "")
			for _, err := range []error{pushed, pulled, joined, c.Delete(ctx, sample().ID, ""),
				c.DeleteTeam(ctx, "a")} {
				require.Equal(t, memory.KindRemoteRedirect, memory.KindOf(err), "%v", err)
			}
		}
	}
	require.Zero(t, reached)
}

// TestSlowAnswers has a server that never ends its head, and one that never ends its body.
func TestSlowAnswers(t *testing.T) {
	for _, begins := range []bool{false, true} {
		stop := make(chan struct{})
		host := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if begins {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, "{")
				w.(http.Flusher).Flush()
			}
			select {
			case <-stop:
			case <-r.Context().Done():
			}
		})
		t.Cleanup(func() { close(stop) })
		c, err := client.New(client.Options{Host: host, Token: token, Timeout: 50 * time.Millisecond})
		require.NoError(t, err)
		_, err = c.Pull(context.Background(), sample().ID)
		require.Equal(t, memory.KindRemoteUnreachable, memory.KindOf(err), "%v", err)
		require.Contains(t, err.Error(), "did not answer in time")
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err = c.Pull(ctx, sample().ID)
		require.ErrorIs(t, err, context.Canceled)
		require.EqualError(t, err, "interrupted")
	}
}

func TestUnreachable(t *testing.T) {
	s := httptest.NewServer(nil)
	host := hostOf(t, s.URL)
	s.Close()
	_, err := caller(t, host, token).Accept(context.Background(), strings.Repeat("c0de", 12), "")
	require.Equal(t, memory.KindRemoteUnreachable, memory.KindOf(err))
	require.NotContains(t, err.Error(), "c0de", "the code of an invite")
}

// TestServersWordsAreQuoted is about what would reach a terminal, and when to try again.
func TestServersWordsAreQuoted(t *testing.T) {
	c := caller(t, answering(t, 429, map[string]string{"Retry-After": "90"},
		`{"error":"\u001b]0;evil\u0007\u001b[2J`+strings.Repeat("x", 5000)+`"}`), token)
	_, err := c.Teams(context.Background())
	require.NotContains(t, err.Error(), "\x1b")
	require.Contains(t, err.Error(), "(try again in 1m30s)")
	require.Less(t, len(err.Error()), 600)
	require.Equal(t, 90*time.Second, client.RefusalOf(err).RetryAfter)
	for after, want := range map[string]time.Duration{"": 0, "-5": 0, "soon": 0, "99999999": 24 * time.Hour,
		"99999999999999999999": 0, "Thu, 01 Jan 1970 00:00:00 GMT": 0} {
		_, err := caller(t, answering(t, 503, map[string]string{"Retry-After": after}, "{}"), token).
			Teams(context.Background())
		require.Equal(t, want, client.RefusalOf(err).RetryAfter, after)
	}
}

// TestInvitesFromHostileServers gives invalid links: ltm makes the link itself.
func TestInvitesFromHostileServers(t *testing.T) {
	const code = "c0dec0dec0dec0de"
	for given, want := range map[string]string{
		"javascript://evil/v1/invites/" + code:            "",
		"javascript:alert(1)":                             "",
		"https://user:pw@evil.example/v1/invites/" + code: "",
		"https://evil.example/v1/invites/another-code":    "",
		"https://a.example/\x1b[2J/v1/invites/" + code:    "",
		code: "",
		"":   "",
		"https://ltm.example.org/team/v1/invites/" + code: "https://ltm.example.org/team/v1/invites/" + code,
		"HTTPS://LTM.example.org:443/v1/invites/" + code:  "https://ltm.example.org/v1/invites/" + code,
	} {
		host := answering(t, 201, nil, fmt.Sprintf(`{"code":%q,"url":%s}`, code, quoteJSON(given)))
		made, err := caller(t, host, token).Invite(context.Background(), "a")
		require.NoError(t, err)
		if want == "" {
			want = host.String() + "/v1/invites/" + code
		}
		require.Equal(t, want, made.URL, given)
	}
	for _, code := range []string{"", "short", "a/../../b/../c/d", strings.Repeat("a", 300), "with blank and more"} {
		_, err := caller(t, answering(t, 201, nil, fmt.Sprintf(`{"code":%q}`, code)), token).
			Invite(context.Background(), "a")
		require.Equal(t, memory.KindRemoteAnswer, memory.KindOf(err), code)
	}
}

func quoteJSON(s string) string {
	return `"` + strings.NewReplacer("\x1b", `\u001b`).Replace(s) + `"`
}

// TestJoinedAnswers refuses what would be stored or shown.
func TestJoinedAnswers(t *testing.T) {
	for _, body := range []string{`{}`, `{"team":{"name":"a"}}`, `{"team":{"name":"\u001b[2J"},"token":"abcdefghijkl"}`,
		`{"team":{"name":"a"},"token":"line\nbreak-in-it"}`, `{"team":{"name":"a"},"token":""}`,
		`{"team":{"name":"a"},"token":"` + strings.Repeat("x", 5000) + `"}`, `{"team":[],"token":"abcdefghijkl"}`} {
		_, err := caller(t, answering(t, 201, nil, body), "").Accept(context.Background(), strings.Repeat("a", 48), "")
		require.Equal(t, memory.KindRemoteAnswer, memory.KindOf(err), body)
	}
}

// TestEndlessLists stops at a server that has no end.
func TestEndlessLists(t *testing.T) {
	requests := 0
	host := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests++
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"packets":[{"id":"always-the-same","created_at":"2026-08-28T09:15:30Z"}],"next":"same"}`)
	})
	page, err := caller(t, host, token).ListAll(context.Background(), client.Query{}, 0)
	require.NoError(t, err)
	require.Equal(t, 2, requests)
	require.Len(t, page.Packets, 2)
	many := `{"packets":[` + strings.Repeat(`{"id":"always-the-same"},`, 501) + `{"id":"always-the-same"}]}`
	_, err = caller(t, answering(t, 200, nil, many), token).List(context.Background(), client.Query{})
	require.Equal(t, memory.KindRemoteAnswer, memory.KindOf(err))
	_, err = caller(t, answering(t, 200, nil, `{"packets":[{"id":".."}]}`), token).List(context.Background(),
		client.Query{})
	require.Equal(t, memory.KindRemoteAnswer, memory.KindOf(err))
}

// FuzzAnswer gives one answer to every call. Whatever a server says, errors are of known kinds and
// have no control characters, and what is shown as a link or stored as a token is one.
func FuzzAnswer(f *testing.F) {
	for _, e := range exchanges(f) {
		f.Add(e.Status, e.Type, "", e.Body)
	}
	var status int
	var kind, extra, body string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = []string{kind}
		w.Header()["Link"], w.Header()["Location"] = []string{extra}, []string{extra}
		w.Header()["Retry-After"], w.Header()["Etag"] = []string{extra}, []string{extra}
		w.WriteHeader(200 + (status&0x7fffffff)%400)
		_, _ = io.WriteString(w, body)
	}))
	f.Cleanup(s.Close)
	c := caller(f, hostOf(f, s.URL), token)
	open := caller(f, hostOf(f, s.URL), "")
	ctx := context.Background()
	f.Fuzz(func(t *testing.T, givenStatus int, givenKind, givenExtra, givenBody string) {
		status, kind, extra, body = givenStatus-200, givenKind, givenExtra, givenBody
		var errs []error
		check := func(err error) bool {
			errs = append(errs, err)
			return err == nil
		}
		pulled, err := c.Pull(ctx, sample().ID)
		if check(err) {
			require.Equal(t, sample().ID, pulled.Packet.ID)
			require.NoError(t, pulled.Packet.Check())
		}
		page, err := c.ListAll(ctx, client.Query{Team: "a"}, 3)
		if check(err) {
			require.LessOrEqual(t, len(page.Packets), 3)
		}
		made, err := c.Invite(ctx, "a")
		if check(err) {
			link, err := client.ParseInvite(made.URL)
			require.NoError(t, err)
			require.Equal(t, made.URL, link.String())
			require.Equal(t, made.Code, link.Code)
		}
		joined, err := open.Accept(ctx, strings.Repeat("a", 48), "x")
		if check(err) {
			require.NoError(t, client.CheckToken(joined.Token))
		}
		device, err := open.Authorize(ctx)
		if check(err) {
			require.Regexp(t, `^https?://[!-~]+$`, device.Page)
		}
		_, err = c.Push(ctx, client.Push{Packet: sample()})
		check(err)
		_, _, err = c.Invitation(ctx, strings.Repeat("a", 48))
		check(err)
		_, err = c.Members(ctx, "a")
		check(err)
		check(c.TransferTeam(ctx, "a", "b"))
		for _, err := range errs {
			requireSafeError(t, err)
		}
	})
}

func requireSafeError(t testing.TB, err error) {
	t.Helper()
	if err == nil {
		return
	}
	require.NotEmpty(t, memory.KindOf(err), "%v", err)
	require.NotContains(t, err.Error(), token)
	for _, r := range err.Error() {
		require.False(t, r < ' ' && r != '\n' || r == 0x7f || r >= 0x80 && r < 0xa0, "%q", err.Error())
	}
}
