package client_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/packet"
	"ltm/packet/client"
)

// TestReference plays what was recorded of the reference implementation: for each request the call
// that must make exactly that request, and what becomes of the answer.
func TestReference(t *testing.T) {
	var now exchange
	host := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		call := r.Method + " " + r.RequestURI
		if call != now.Call || r.Header.Get("Authorization") != bearer(now.Token) || !sameBody(t, body, now) {
			w.WriteHeader(http.StatusTeapot)
			fmt.Fprintf(w, "%s with %q: %s", call, r.Header.Get("Authorization"), body)
			return
		}
		if now.Type != "" {
			w.Header().Set("Content-Type", now.Type)
		}
		w.WriteHeader(now.Status)
		_, _ = io.WriteString(w, strings.ReplaceAll(now.Body, "<HOST>", r.Host))
	})
	played := 0
	for _, now = range exchanges(t) {
		t.Run(now.About, func(t *testing.T) {
			played++
			got, err := play(t, caller(t, host, now.Token), now)
			require.Equal(t, kindOf(now), memory.KindOf(err), "%v", err)
			if now.Status < 300 {
				requireHas(t, got, strings.ReplaceAll(now.Body, "<HOST>", strings.TrimPrefix(host.String(), "http://")))
			}
		})
	}
	require.Greater(t, played, 80)
}

func bearer(token string) string {
	if token == "" {
		return ""
	}
	return "Bearer " + token
}

// sameBody compares what was sent with the record: packets by value, as the reference does.
func sameBody(t testing.TB, body []byte, e exchange) bool {
	t.Helper()
	if e.Form != "" {
		return string(body) == e.Form
	}
	if strings.Contains(string(e.Send), "ltm_version") {
		p, err := packet.Parse(e.Send)
		require.NoError(t, err)
		want, err := p.Canonical()
		require.NoError(t, err)
		return string(body) == string(want)
	}
	return compact(t, body) == compact(t, e.Send)
}

// kindOf is the kind of error that an exchange means, "" for none.
func kindOf(e exchange) memory.Kind {
	var body struct{ Error string }
	_ = json.Unmarshal([]byte(e.Body), &body)
	onMember := strings.Contains(e.Call, "/members/")
	switch {
	case e.Status < 300, strings.HasPrefix(e.Call, "GET /v1/invites/"):
		return ""
	case strings.HasPrefix(e.Type, "text/plain"):
		return memory.KindRemoteUnsupported
	case body.Error == "not a member", onMember && e.Status == http.StatusNotFound:
		return memory.KindMemberUnknown
	case strings.HasPrefix(body.Error, "owner cannot"):
		return memory.KindTeamOwner
	}
	return map[string]memory.Kind{
		"missing bearer token":                   memory.KindTokenNone,
		"invalid token":                          memory.KindTokenRefused,
		"not found":                              memory.KindRemoteUnknown,
		"team not found":                         memory.KindTeamUnknown,
		"team name already taken":                memory.KindTeamTaken,
		"only the team owner can delete a team":  memory.KindRemoteDenied,
		"only the team owner can remove members": memory.KindRemoteDenied,
		"invite expired or already consumed":     memory.KindInviteGone,
	}[body.Error]
}

// play makes the call that a record is about.
func play(t testing.TB, c *client.Client, e exchange) (any, error) {
	t.Helper()
	ctx := context.Background()
	method, target, _ := strings.Cut(e.Call, " ")
	u, err := url.Parse(target)
	require.NoError(t, err)
	parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(u.Path, "/"), "v1/"), "/")
	arg := append(parts[1:], "", "", "")
	if parts[0] == "teams" && arg[0] != "" {
		return playTeam(ctx, c, method, arg)
	}
	var sent struct{ Name, Display string }
	_ = json.Unmarshal(e.Send, &sent)
	switch method + " " + parts[0] {
	case "GET healthz":
		return c.Health(ctx)
	case "GET whoami":
		return c.Whoami(ctx)
	case "POST oauth":
		_, err := c.Authorize(ctx)
		return nil, err
	case "POST packets":
		p, err := packet.Parse(e.Send)
		require.NoError(t, err)
		return c.Push(ctx, client.Push{Packet: p, Team: u.Query().Get("team")})
	case "DELETE packets":
		return nil, c.Delete(ctx, arg[0], "")
	case "GET packets":
		if arg[0] != "" {
			got, err := c.Pull(ctx, arg[0])
			return got.Packet, err
		}
		limit, _ := strconv.Atoi(u.Query().Get("limit"))
		return c.List(ctx, client.Query{Team: u.Query().Get("team"), Limit: limit})
	case "POST teams":
		team, err := c.CreateTeam(ctx, sent.Name)
		return map[string]any{"team": team}, err
	case "GET teams":
		list, err := c.Teams(ctx)
		return map[string]any{"teams": list}, err
	case "GET invites":
		_, known, err := c.Invitation(ctx, arg[0])
		require.False(t, known)
		return nil, err
	case "POST invites":
		return c.Accept(ctx, arg[0], sent.Display)
	}
	require.Fail(t, "no call for "+e.Call)
	return nil, nil
}

func playTeam(ctx context.Context, c *client.Client, method string, arg []string) (any, error) {
	switch {
	case method == http.MethodDelete && arg[1] == "members":
		return nil, c.RemoveMember(ctx, arg[0], arg[2])
	case method == http.MethodDelete:
		return nil, c.DeleteTeam(ctx, arg[0])
	case arg[1] == "members":
		list, err := c.Members(ctx, arg[0])
		return map[string]any{"members": list}, err
	case arg[1] == "leave":
		return nil, c.LeaveTeam(ctx, arg[0])
	}
	return c.Invite(ctx, arg[0])
}

// requireHas checks that a result has all that an answer says.
func requireHas(t testing.TB, got any, body string) {
	t.Helper()
	if body == "" {
		return
	}
	var data []byte
	var err error
	if p, ok := got.(packet.Packet); ok {
		data, err = p.Canonical()
	} else {
		data, err = json.Marshal(got)
	}
	require.NoError(t, err)
	var want, have map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &want))
	require.NoError(t, json.Unmarshal(data, &have))
	require.Equal(t, want, have)
}

// TestPushSendsCanonicalBytes is also about the headers, and a key of its own for each push.
func TestPushSendsCanonicalBytes(t *testing.T) {
	var bodies, keys, matches []string
	host := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		bodies = append(bodies, string(body))
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		matches = append(matches, r.Header.Get("If-Match")+" "+r.Header.Get("If-None-Match"))
		require.Equal(t, "application/json", r.Header.Get("Content-Type"))
		require.Equal(t, "ltm/test", r.Header.Get("User-Agent"))
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("ETag", `W/"v1"`)
		fmt.Fprintf(w, `{"id":%q}`, sample().ID)
	})
	c := caller(t, host, token)
	for _, p := range []client.Push{{Packet: sample()}, {Packet: sample(), IfMatch: "v0"},
		{Packet: sample(), Team: "a", IfNoneMatch: true}} {
		done, err := c.Push(context.Background(), p)
		require.NoError(t, err)
		require.Equal(t, client.Pushed{ID: sample().ID, Version: "v1"}, done)
	}
	p := sample()
	want, err := p.Canonical()
	require.NoError(t, err)
	require.Equal(t, []string{string(want), string(want), string(want)}, bodies)
	require.Len(t, map[string]bool{keys[0]: true, keys[1]: true, keys[2]: true}, 3)
	require.Equal(t, []string{" ", `"v0" `, " *"}, matches)
}

const token = "a-token-of-the-tests"

func sample() packet.Packet {
	return packet.Packet{Version: "0.2", ID: "01K3Q8ZJ6M4T2V9XWBDN7RHE01", CreatedAt: "2026-08-28T09:15:30Z",
		Goal: "Keep the clock within two seconds a week.", NextStep: "Run the cold chamber test."}
}

// TestNothingUnsafeIsSent counts the requests: there are none.
func TestNothingUnsafeIsSent(t *testing.T) {
	requests := 0
	host := serve(t, func(http.ResponseWriter, *http.Request) { requests++ })
	c := caller(t, host, token)
	ctx := context.Background()
	push := func(change func(*packet.Packet)) error {
		p := sample()
		change(&p)
		_, err := c.Push(ctx, client.Push{Packet: p})
		return err
	}
	secret := "AKIA" + strings.Repeat("Q7", 8)
	for _, tt := range []struct {
		name string
		kind memory.Kind
		err  error
	}{
		{"a key in the goal", memory.KindPacketLeaks, push(func(p *packet.Packet) { p.Goal = "use " + secret })},
		{"a key in project.ref", memory.KindPacketLeaks,
			push(func(p *packet.Packet) { p.Project = &packet.Project{Ref: "h.org/" + secret} })},
		{"a local path, and an illegal form", memory.KindPacketLeaks,
			push(func(p *packet.Packet) { p.NextStep, p.Version = "see /home/mira/x", "9" })},
		{"an illegal form", memory.KindPacketInvalid, push(func(p *packet.Packet) { p.Goal = "" })},
		{"a name that is a path", memory.KindTeamMalformed, c.DeleteTeam(ctx, "../packets")},
		{"an empty name", memory.KindTeamMalformed, c.LeaveTeam(ctx, "")},
		{"a short id", memory.KindRemoteIDMalformed, c.Delete(ctx, "..", "")},
		{"a user that is a path", memory.KindRemoteIDMalformed, c.RemoveMember(ctx, "a", "..")},
		{"an invite that is a path", memory.KindInviteMalformed, second(c.Accept(ctx, "../../teams", ""))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.kind, memory.KindOf(tt.err), "%v", tt.err)
			require.NotContains(t, tt.err.Error(), secret)
		})
	}
	require.Zero(t, requests)
}

func second[T any](_ T, err error) error { return err }

// TestIDsAreEncoded holds every id to one part of the path, with nothing lost.
func TestIDsAreEncoded(t *testing.T) {
	var path string
	host := serve(t, func(w http.ResponseWriter, r *http.Request) {
		path = r.RequestURI
		w.WriteHeader(http.StatusNoContent)
	})
	c := caller(t, host, token)
	for id, want := range map[string]string{
		"../teams/x":      "/v1/packets/..%2Fteams%2Fx",
		"a b?c#d%e/f":     "/v1/packets/a%20b%3Fc%23d%25e%2Ff",
		"../healthz":      "/v1/packets/..%2Fhealthz",
		"ünïcode-id":      "/v1/packets/%C3%BCn%C3%AFcode-id",
		"line\nbreak\x00": "/v1/packets/line%0Abreak%00",
	} {
		require.NoError(t, c.Delete(context.Background(), id, ""))
		require.Equal(t, want, path)
	}
	require.NoError(t, c.RemoveMember(context.Background(), "a", "../b?c"))
	require.Equal(t, "/v1/teams/a/members/..%2Fb%3Fc", path)
}

// TestLargeAnswer is about a packet that a server gives back in a longer form than it was sent in.
func TestLargeAnswer(t *testing.T) {
	p := sample()
	for range 24 {
		p.Constraints = append(p.Constraints, strings.Repeat("<>&", 300))
	}
	data, err := p.Canonical()
	require.NoError(t, err)
	long := strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`).Replace(string(data))
	require.Greater(t, len(long), 4*packet.MaxBytes-1<<12)
	got, err := caller(t, answering(t, 200, nil, long), token).Pull(context.Background(), p.ID)
	require.NoError(t, err)
	require.Equal(t, p, got.Packet)
}

// TestPages follows both ways of naming the next page, with the filters.
func TestPages(t *testing.T) {
	for _, way := range []string{"link", "next", "address"} {
		t.Run(way, func(t *testing.T) {
			var asked []string
			host := serve(t, func(w http.ResponseWriter, r *http.Request) {
				require.Equal(t, "Bearer "+token, r.Header.Get("Authorization"))
				asked = append(asked, r.URL.RawQuery)
				w.Header().Set("Content-Type", "application/json")
				n := len(asked)
				next := ""
				if n < 3 {
					switch way {
					case "link": // to another host, which does not count
						w.Header().Set("Link",
							fmt.Sprintf(`<https://evil.example/x?cursor=c%d&team=a>; rel="next"`, n))
					case "next":
						next = fmt.Sprintf(`,"next":"c%d"`, n)
					case "address":
						next = fmt.Sprintf(`,"next":"/v1/packets?cursor=c%d&team=a"`, n)
					}
				}
				fmt.Fprintf(w, `{"packets":[{"id":"packet-number-%d","created_at":"2026-08-28T09:15:30Z",`+
					`"goal":"g","tags":["x"]}]%s}`, n, next)
			})
			since := time.Date(2026, 8, 1, 2, 0, 0, 0, time.FixedZone("", 7200))
			page, err := caller(t, host, token).ListAll(context.Background(), client.Query{Team: "a", Tag: "x",
				Project: "p q", Parent: "parent-of-it", Text: "words & more", Since: since, Detail: true}, 0)
			require.NoError(t, err)
			require.Len(t, page.Packets, 3)
			require.Empty(t, page.Next)
			require.Equal(t, "detail=true&limit=500&parent=parent-of-it&project=p+q"+
				"&since=2026-08-01T00%3A00%3A00Z&tag=x&team=a&text=words+%26+more", asked[0])
			for i, query := range asked[1:] {
				values, err := url.ParseQuery(query)
				require.NoError(t, err)
				require.Equal(t, fmt.Sprintf("c%d", i+1), values.Get("cursor"))
				require.Equal(t, "a", values.Get("team"))
			}
			require.Len(t, asked, 3)
		})
	}
}

// TestDeleteNamesTheVersion: a server deletes what the person saw, or nothing.
func TestDeleteNamesTheVersion(t *testing.T) {
	var sent []string
	host := serve(t, func(w http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.Method+" "+strings.Join(r.Header.Values("If-Match"), ","))
		w.WriteHeader(http.StatusNoContent)
	})
	c := caller(t, host, "token-of-a-test")
	require.NoError(t, c.Delete(t.Context(), sample().ID, "7f"))
	require.NoError(t, c.Delete(t.Context(), sample().ID, ""))
	require.Equal(t, []string{`DELETE "7f"`, "DELETE "}, sent)
}
