package server_test

import (
	"encoding/json"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server"
)

// logged answers a request without a network, so that its line is written when this returns, and returns the answer
// and the line.
func (p *place) logged(what string, r request) (status int, body, line map[string]any) {
	p.t.Helper()
	method, path, _ := strings.Cut(what, " ")
	in := httptest.NewRequest(method, path, strings.NewReader(r.body))
	if r.token != "" {
		in.Header.Set("Authorization", "Bearer "+r.token)
	}
	for name, value := range r.header {
		in.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	p.srv.ServeHTTP(rec, in)
	lines := strings.Split(strings.TrimSpace(p.log.String()), "\n")
	require.NoError(p.t, json.Unmarshal([]byte(lines[len(lines)-1]), &line))
	if rec.Body.Len() > 0 {
		require.NoError(p.t, json.Unmarshal(rec.Body.Bytes(), &body), rec.Body.String())
	}
	return rec.Code, body, line
}

// TestTheLogNamesWhatARequestIsAbout checks who asked from where, and about what, by ids.
func TestTheLogNamesWhatARequestIsAbout(t *testing.T) {
	p := start(t, withMemory(nil), func(o *server.Options) {
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}
	})
	_, ann := p.newUser("ann")
	_, bob := p.newUser("bob")
	_, made, line := p.logged("POST /v1/teams", request{token: ann, body: `{"name":"alpha"}`})
	team := made["team"].(map[string]any)["id"]
	require.Equal(t, []any{team, "192.0.2.1"}, []any{line["team"], line["client"]})
	from := map[string]string{"X-Forwarded-For": "198.51.100.1, 203.0.113.9"}
	for _, what := range []string{"GET /v1/teams/alpha/members", "GET /v1/packets?team=alpha",
		"POST /v1/teams/alpha/invites"} {
		_, _, line = p.logged(what, request{token: ann, header: from})
		require.Equal(t, []any{team, "203.0.113.9"}, []any{line["team"], line["client"]}, what)
		_, _, line = p.logged(what, request{token: bob})
		require.NotContains(t, line, "team", what)
	}
	_, _, line = p.logged("POST /v1/packets?team=alpha", request{token: ann, body: packetText(idA, "A.")})
	require.Equal(t, []any{team, idA}, []any{line["team"], line["packet"]})
	for what, status := range map[string]int{"GET /v1/packets/" + idA: 200, "GET /v1/packets/secret-words": 404,
		"GET /v1/teams/secret-words/members": 404, "DELETE /v1/packets/" + idA: 204} {
		got, _, line := p.logged(what, request{token: ann})
		require.Contains(t, []int{status, 404}, got, what)
		if got < 300 {
			require.Equal(t, idA, line["packet"], what)
		}
	}
	_, made, line = p.logged("POST /v1/threads", of(keyA, `{"user_id":"somebody"}`))
	require.Equal(t, made["thread_id"], line["thread"])
	thread := made["thread_id"].(string)
	_, _, line = p.logged("GET /v1/threads/"+thread+"/events", of(keyA))
	require.Equal(t, thread, line["thread"])
	p.logged("GET /v1/threads/secret-words/events", of(keyA))
	for _, text := range []string{"secret-words", `"alpha"`, "somebody"} {
		require.NotContains(t, p.log.String(), text)
	}

	p = start(t) // no proxy is trusted
	_, _, line = p.logged("GET /v1/healthz", request{header: from})
	require.Equal(t, "192.0.2.1", line["client"])
}
