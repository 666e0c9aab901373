package server_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server/threads"
)

// TestAUserInABodyIsChecked names another user in the body of each route below a thread.
func TestAUserInABodyIsChecked(t *testing.T) {
	p := start(t, withMemory(&threads.Models{Chat: &talker{pieces: []string{"Yes."}}}))
	thread := p.thread("ann")
	p.say(thread, "user", "My name is Ada.")
	reply := p.say(thread, "assistant", "Hello Ada.")
	path := "/v1/threads/" + thread
	for what, fields := range map[string]string{
		"POST " + path + "/memory-context":                  `"latest_user_text":"who am I?"`,
		"POST " + path + "/events":                          `"actor":"user","content":"I am Bob."`,
		"POST " + path + "/events/" + reply + "/reaction":   `"reaction":"heart"`,
		"POST " + path + "/promote-core-memory":             `"note":"x"`,
		"POST " + path + "/chat":                            `"text":"who am I?"`,
		"PATCH " + path:                                     `"title":"Bob's"`,
		"DELETE " + path:                                    `"note":"x"`,
		"POST " + path + "/events:batch":                    `"events":[{"actor":"user","content":"I am Bob."}]`,
		"DELETE " + path + "/events/" + reply:               `"note":"x"`,
		"DELETE /v1/users/ann":                              `"note":"x"`,
		"DELETE /v1/claims/" + thread + "?user_id=ann":      `"note":"x"`,
		"POST /v1/search":                                   `"query":"x","thread_id":"` + thread + `"`,
		"POST /v1/claims/" + thread + "/forget?user_id=ann": `"note":"x"`,
	} {
		a := p.do(what, of(keyA, `{"user_id":"bob",`+fields+`}`))
		if what == "DELETE "+path {
			require.Contains(t, string(a.body), `"deleted": false`)
			continue
		}
		require.Contains(t, []int{400, 404, 422}, a.status, "%s: %s", what, a.body)
		require.NotContains(t, string(a.body), "Ada", what)
		if !strings.Contains(what, ":batch") && strings.Contains(what, path) && a.status != 422 {
			p.ok(422, what, of(keyA, `{"user_id":5,`+fields+`}`))
			p.ok(400, what+"?user_id=ann", of(keyA, `{"user_id":"bob",`+fields+`}`))
			p.ok(400, what, of(keyA, `{"user_id":"\u0000",`+fields+`}`))
		}
	}
	require.Len(t, p.ask(200, "GET "+path+"/events").value(t)["messages"], 2)
	require.Contains(t, string(p.ask(200, "GET /v1/threads?user_id=ann").body), `"title": "Talk"`)
	p.ask(200, "POST "+path+"/memory-context", `{"user_id":"ann","latest_user_text":"who am I?"}`)
	p.ask(200, "PATCH "+path, `{"user_id":null,"title":"Ann's"}`)
	p.ask(200, "POST "+path+"/promote-core-memory", `{"user_id":"ann"}`)
	p.ask(200, "POST "+path+"/promote-core-memory", "")
	p.ask(200, "DELETE "+path+"/events/"+reply, "{}")
}

// TestIgnoredFieldsAreNamed sends fields that no route has.
func TestIgnoredFieldsAreNamed(t *testing.T) {
	p := start(t, withMemory(nil))
	const header = "Ignored-Fields"
	path := "/v1/threads/" + p.thread("ann")
	a := p.ask(200, "POST "+path+"/memory-context", `{"Latest_User_Text":"x","top_k":3,"a, b\n":1,"ü":2}`)
	require.Equal(t, "top_k, a%2C+b, %C3%BC", a.header.Get(header))
	for _, other := range []string{"user_ıd", "uſer_ıd"} { // an upper-case ı is an I, but the decoder does not fold it
		require.Equal(t, url.QueryEscape(other), p.ask(200, "POST "+path+"/memory-context",
			`{"latest_user_text":"x","`+other+`":"bob"}`).header.Get(header))
	}
	require.Equal(t, "role", p.ask(200, "PATCH "+path, `{"title":"x","role":1}`).header.Get(header))
	require.Equal(t, "x", p.ask(200, "POST "+path+"/promote-core-memory", `{"x":1}`).header.Get(header))
	require.Empty(t, p.ask(200, "POST "+path+"/events", `{"actor":"user","content":"x","user_id":"ann"}`).
		header.Get(header))
	many := `{"actor":"user","content":"x"`
	for i := range 100 {
		many += `,"f` + strings.Repeat("o", i) + `x":1`
	}
	require.Equal(t, 20, strings.Count(p.ask(200, "POST "+path+"/events", many+"}").header.Get(header), ",")+1)
	for range 2 { // a repeated answer has it, too
		r := of(keyA, `{"user_id":"ann","name":"x"}`)
		r.header["Idempotency-Key"] = "k"
		require.Equal(t, "name", p.ok(200, "POST /v1/threads", r).header.Get(header))
	}
	_, ann := p.newUser("ann")
	require.Equal(t, "color", p.ok(201, "POST /v1/teams", request{token: ann, body: `{"name":"alpha","color":"red"}`}).
		header.Get(header))
	for _, what := range []string{"POST /v1/retrieve", "POST /v1/search", "POST /v1/claims"} {
		require.Empty(t, p.ask(422, what, `{"user_id":"ann","query":"x","bucket":"GOALS","text":"x","nope":1}`).
			header.Get(header))
	}
}
