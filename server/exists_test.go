package server_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhatTellsThatSomethingExists checks that the two exceptions in SECURITY.md are what they say: the name of a team,
// and an id that a client chooses within an application. An id in another application tells nothing.
func TestWhatTellsThatSomethingExists(t *testing.T) {
	p := start(t, withMemory(nil))
	_, ann := p.newUser("ann")
	_, bob := p.newUser("bob")
	p.ok(201, "POST /v1/teams", request{token: ann, body: `{"name":"alpha"}`})
	p.ok(409, "POST /v1/teams", request{token: bob, body: `{"name":"alpha"}`})
	for _, what := range []string{"GET /v1/teams/%/members", "GET /v1/teams/%/invites", "POST /v1/teams/%/invites",
		"POST /v1/teams/%/leave", "DELETE /v1/teams/%", "POST /v1/teams/%/transfer", "GET /v1/packets?team=%",
		"DELETE /v1/teams/%/members/x", "POST /v1/packets?team=%"} {
		of := func(name string) answer {
			return p.ok(404, fillName(what, name), request{token: bob, body: `{"user_id":"x"}`})
		}
		require.Equal(t, requestID.ReplaceAllString(string(of("alpha").body), ""),
			requestID.ReplaceAllString(string(of("beta").body), ""), what)
	}

	const thread, event = "11111111-2222-4333-8444-555555555555", "22222222-2222-4333-8444-555555555555"
	make, say := `{"user_id":"ann","id":"`+thread+`"}`, `{"actor":"user","content":"x","id":"`+event+`"}`
	p.ok(200, "POST /v1/threads", of(keyA, make))
	p.ok(200, "POST /v1/threads/"+thread+"/events", of(keyA, say))
	p.ok(200, "POST /v1/threads", of(keyB, make)) // another application is another world
	p.ok(200, "POST /v1/threads/"+thread+"/events", of(keyB, say))
	p.ok(409, "POST /v1/threads", of(keyA, `{"user_id":"bob","id":"`+thread+`"}`))
	bobs := p.thread("bob")
	told := p.do("POST /v1/threads/"+bobs+"/events", of(keyA, say))
	require.Equal(t, 409, told.status, "as SECURITY.md says")
	p.ok(404, "GET /v1/threads/"+thread+"/events?user_id=bob", of(keyA))
}

func fillName(what, name string) string { return strings.ReplaceAll(what, "%", name) }
