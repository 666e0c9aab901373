package server_test

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server"
)

// claim adds a claim about ann, and returns its id.
func (p *place) claim(text string) string {
	p.t.Helper()
	a := p.ask(201, "POST /v1/claims", toJSON(p.t, map[string]any{"user_id": "ann", "bucket": "PROFILE", "text": text}))
	c := a.value(p.t)["claim"].(map[string]any)
	require.Equal(p.t, "/v1/claims/"+c["id"].(string), a.header.Get("Location"))
	return c["id"].(string)
}

// claims returns the texts of ann's claims in some states.
func (p *place) claims(more string) string {
	p.t.Helper()
	var texts []string
	for _, c := range p.list("/v1/claims?user_id=ann"+more, "claims", keyA) {
		texts = append(texts, c["state"].(string)+": "+c["text"].(string))
	}
	return strings.Join(texts, "; ")
}

// act does something with a claim of ann, and returns the state that it is in then and the act.
func (p *place) act(id, verb, body string) (state, act string) {
	p.t.Helper()
	p.clock.advance(1e9)
	v := p.ask(200, "POST /v1/claims/"+id+"/"+verb+"?user_id=ann", body).value(p.t)
	if c, ok := v["claim"].(map[string]any); ok {
		state = c["state"].(string)
	}
	return state, v["act"].(map[string]any)["id"].(string)
}

func (p *place) undo(act string) {
	p.t.Helper()
	p.clock.advance(1e9)
	p.ask(200, "POST /v1/acts/"+act+"/undo", `{"user_id":"ann"}`)
}

// TestClaims does with claims what can be done, and undoes it.
func TestClaims(t *testing.T) {
	p := start(t, withMemory(nil))
	rome := p.claim("lives in Rome")
	require.Equal(t, rome, p.claim("Lives in rome"), "the same claim")
	before := p.clock.now().Format("2006-01-02T15:04:05Z")
	state, corrected := p.act(rome, "correct", `{"text":"lives in Oslo","note":"she moved"}`)
	require.Equal(t, "superseded", state)
	require.Equal(t, "active: lives in Oslo", p.claims("&state=active"))
	require.Contains(t, p.claims("&as_of="+before), "lives in Rome")
	require.NotContains(t, p.claims("&as_of="+before), "Oslo")
	p.undo(corrected)
	require.Equal(t, "active: lives in Rome", p.claims(""))

	for _, c := range []struct{ verb, body, state string }{{"deprecate", "", "deprecated"},
		{"reject", `{"note":"x"}`, "rejected"}} {
		state, act := p.act(rome, c.verb, c.body)
		require.Equal(t, c.state, state, c.verb)
		p.undo(act)
		require.Equal(t, "active: lives in Rome", p.claims(""), c.verb)
	}
	paris := p.claim("lives in Paris")
	state, dispute := p.act(rome, "dispute", `{"other":"`+paris+`"}`)
	require.Equal(t, "conflicted", state)
	require.Equal(t, "conflicted: lives in Paris; conflicted: lives in Rome", sorted(p.claims("")))
	against := p.ask(200, "GET /v1/claims/"+rome+"?user_id=ann").value(t)["claim"].(map[string]any)["against"]
	require.Equal(t, []any{paris}, against)
	p.undo(dispute)
	state, _ = p.act(rome, "correct", `{"other":"`+paris+`"}`)
	require.Equal(t, "superseded", state)
	got := p.ask(200, "GET /v1/claims/"+rome+"?user_id=ann").value(t)["claim"].(map[string]any)
	require.Equal(t, paris, got["superseded_by"])

	history := p.ask(200, "GET /v1/claims/"+rome+"/history?user_id=ann").value(t)["acts"].([]any)
	require.Greater(t, len(history), 5)
	require.Equal(t, "add", history[0].(map[string]any)["verb"])
	p.ask(409, "POST /v1/claims/"+rome+"/deprecate?user_id=ann")
	p.ask(404, "POST /v1/acts/"+rome+"/undo", `{"user_id":"ann"}`)
	p.ask(404, "POST /v1/claims/"+rome+"/confirm", `{"user_id":"bob"}`)
	p.ask(400, "POST /v1/claims/"+rome+"/confirm", `{}`)

	suggested := p.ask(201, "POST /v1/claims", `{"user_id":"ann","bucket":"GOALS","text":"wants to sing","suggest":true}`).
		value(t)["claim"].(map[string]any)
	require.Equal(t, "suggested", suggested["state"])
	require.InDelta(t, 0.5, suggested["confidence"], 0)
	require.Equal(t, "suggested: wants to sing", p.claims("&state=suggested"))
	require.Equal(t, "suggested: wants to sing", p.claims("&bucket=GOALS,PROJECTS"))
	require.Equal(t, "suggested: wants to sing", p.claims("&filter="+
		url.QueryEscape(`{"field":"confidence","range":{"to":0.6}}`)))
	state, _ = p.act(suggested["id"].(string), "confirm", "")
	require.Equal(t, "active", state)
	p.ask(400, "GET /v1/claims?user_id=ann&state=happy")
	p.ask(400, "GET /v1/claims?user_id=ann&bucket=goals")
	p.ask(400, "GET /v1/claims?user_id=ann&as_of=then")

	deleted := p.ask(200, "DELETE /v1/claims/"+paris+"?user_id=ann").value(t)
	require.Equal(t, true, deleted["deleted"])
	require.NotContains(t, p.claims("&limit=200"), "Paris")
	p.ask(404, "DELETE /v1/claims/"+paris+"?user_id=ann")
	p.ask(404, "DELETE /v1/claims/"+absent+"?user_id=ann")
	state, forgotten := p.act(suggested["id"].(string), "forget", `{"note":"x"}`)
	require.Empty(t, state, "nothing states it any more")
	p.undo(forgotten)
	require.NotContains(t, p.claims("&limit=200"), "sing", "what is forgotten is gone for good")
}

func sorted(list string) string {
	parts := strings.Split(list, "; ")
	if len(parts) == 2 && parts[0] > parts[1] {
		parts[0], parts[1] = parts[1], parts[0]
	}
	return strings.Join(parts, "; ")
}

// TestSearchAndRetrieve asks for what was said.
// TestStatedClaimsAreMasked states and corrects claims with a token and the number of a card.
func TestStatedClaimsAreMasked(t *testing.T) {
	p := start(t, withMemory(nil))
	_, token := p.newUser("ann")
	said := func(card string) string {
		return `{"user_id":"ann","bucket":"PROFILE","text":"pays with ` + card + `","note":"she said ` + token + `"}`
	}
	a := p.ask(201, "POST /v1/claims", said("4111 1111 1111 1111 12/29 123"))
	require.Contains(t, string(a.body), `"pays with [redacted] 12/29 123"`)
	id := a.value(t)["claim"].(map[string]any)["id"].(string)
	require.Contains(t, string(p.ask(201, "POST /v1/claims", said("4242424242424242 12/29 123")).body), id)
	_, _ = p.act(id, "correct", `{"text":"knows `+token+`","note":"and 4111-1111-1111-1111"}`)
	_, _ = p.act(id, "confirm", `{"note":"`+token+`"}`)
	all := p.claims("") + string(p.ask(200, "GET /v1/claims/"+id+"/history?user_id=ann").body) +
		string(p.ask(200, "GET /v1/users/ann/export").body)
	require.Contains(t, all, "knows [redacted]")
	require.Contains(t, all, "and [redacted]")
	require.Contains(t, all, "she said [redacted]")
	for _, hidden := range []string{token, "4111", "4242"} {
		require.NotContains(t, all, hidden)
	}
}

func TestSearchAndRetrieve(t *testing.T) {
	p := start(t, withMemory(nil))
	id := p.thread("ann")
	p.say(id, "user", "My bicycle is painted in a bright turquoise.")
	p.say(id, "assistant", "A lovely colour for a bicycle.")
	p.say(id, "user", "The weather was bad all week.")
	p.claim("owns a turquoise bicycle")
	p.work()
	p.clock.advance(1e9)
	kinds := func(body string) (all []string) {
		for _, hit := range p.ask(200, "POST /v1/search", body).value(t)["results"].([]any) {
			h := hit.(map[string]any)
			require.NotEmpty(t, h["id"])
			require.GreaterOrEqual(t, h["score"], 0.0)
			all = append(all, h["kind"].(string))
		}
		return all
	}
	require.Contains(t, kinds(`{"user_id":"ann","query":"Which colour is the bicycle?"}`), "event")
	require.Contains(t, kinds(`{"thread_id":"`+id+`","query":"bicycle"}`), "event")
	require.Equal(t, []string{"claim"}, kinds(`{"user_id":"ann","query":"bicycle","kinds":["claim"]}`))
	require.NotContains(t, kinds(`{"user_id":"ann","query":"bicycle","filter":{"field":"role","eq":"user"}}`), "claim")
	require.Empty(t, kinds(`{"user_id":"bob","query":"bicycle"}`))
	p.ask(404, "POST /v1/search", `{"user_id":"bob","thread_id":"`+id+`","query":"bicycle"}`)
	p.ask(400, "POST /v1/search", `{"query":"bicycle"}`)

	got := p.ask(200, "POST /v1/retrieve",
		`{"thread_id":"`+id+`","query":"turquoise bicycle","budget":500,"explain":true,"recent":2}`).value(t)
	require.Contains(t, got["memory"], "turquoise")
	require.Len(t, got["recent"], 2)
	require.LessOrEqual(t, got["tokens"], 500.0)
	block := got["blocks"].([]any)[0].(map[string]any)
	require.NotEmpty(t, block["reasons"])
	empty := p.ask(200, "POST /v1/retrieve", `{"user_id":"bob","query":"bicycle"}`).value(t)
	require.NotEmpty(t, empty["empty"])
	require.Equal(t, "", empty["memory"])
}

// TestCreationsHappenOnce repeats creations with an idempotency key.
func TestCreationsHappenOnce(t *testing.T) {
	p := start(t, withMemory(nil))
	once := func(status int, key, name, what, body string) answer {
		r := of(key, body)
		r.header["Idempotency-Key"] = name
		return p.ok(status, what, r)
	}
	const body = `{"user_id":"ann","title":"Talk"}`
	first := once(200, keyA, "n1", "POST /v1/threads", body)
	again := once(200, keyA, "n1", "POST /v1/threads", body)
	require.Equal(t, string(first.body), string(again.body))
	require.Equal(t, "true", again.header.Get("Idempotency-Replayed"))
	require.Equal(t, first.header.Get("Location"), again.header.Get("Location"))
	require.NotEqual(t, string(first.body), string(once(200, keyB, "n1", "POST /v1/threads", body).body))
	once(422, keyA, "n1", "POST /v1/threads", `{"user_id":"bob","title":"Talk"}`)
	require.Len(t, p.list("/v1/threads?user_id=ann", "threads", keyA), 1)

	const secret = "a very private zebra"
	claim := `{"user_id":"ann","bucket":"PROFILE","text":"` + secret + `"}`
	made := once(201, keyA, "ann-n2", "POST /v1/claims", claim)
	require.Contains(t, string(made.body), secret)
	require.Equal(t, string(made.body), string(once(201, keyA, "ann-n2", "POST /v1/claims", claim).body))
	once(422, keyA, "n3", "POST /v1/threads", `{"user_id":"ann","title":5}`)
	once(200, keyA, "n3", "POST /v1/threads", body) // a failure is not kept
	once(400, keyA, "n4", "POST /v1/search", `{"user_id":"ann","query":"x"}`)
	once(400, keyA, "n n", "POST /v1/threads", body)

	var all sync.Map
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			r := of(keyA, body)
			r.header["Idempotency-Key"] = "n5"
			if a, err := p.try("POST /v1/threads", r); err == nil && a.status == 200 {
				all.Store(string(a.body), true)
			}
		})
	}
	group.Wait()
	count := 0
	all.Range(func(any, any) bool { count++; return true })
	require.Equal(t, 1, count)

	// What is kept of answers does not outlive the user.
	p.ask(200, "DELETE /v1/users/ann")
	if p.file != "" {
		_, err := p.store.Purge(context.Background(), p.clock.now().Add(-1))
		require.NoError(t, err)
		require.Zero(t, p.count(secret))
	}
}

// TestErasure erases a user.
func TestErasure(t *testing.T) {
	p := start(t, withMemory(nil))
	for _, user := range []string{"ann", "bob"} {
		p.say(p.thread(user), "user", "My name is "+user+".")
	}
	p.work()
	rows := p.ask(200, "DELETE /v1/users/ann").value(t)["rows"].(map[string]any)
	require.EqualValues(t, 1, rows["threads"])
	require.EqualValues(t, 1, rows["events"])
	require.Empty(t, p.list("/v1/threads?user_id=ann", "threads", keyA))
	require.Len(t, p.list("/v1/threads?user_id=bob", "threads", keyA), 1)
	again := p.ask(200, "DELETE /v1/users/ann").value(t)
	require.Equal(t, true, again["ok"])
	for _, bad := range []string{"%00", strings.Repeat("u", 129), "a%0A"} {
		p.ask(404, "DELETE /v1/users/"+bad)
	}
}

// TestRoutesOfApplicationsHoldTogether sends wrong methods, and headers that mean something elsewhere.
func TestRoutesOfApplicationsHoldTogether(t *testing.T) {
	p := start(t, withMemory(nil), func(o *server.Options) { o.RefuseSecrets = true })
	id := p.thread("ann")
	for _, what := range []string{"PUT /v1/threads", "POST /v1/threads/" + id, "GET /v1/search", "DELETE /v1/claims",
		"GET /v1/threads/" + id + "/events:batch", "PATCH /v1/users/ann", "OPTIONS /v1/threads"} {
		require.NotEmpty(t, p.ask(405, what).header.Get("Allow"), what)
	}
	for _, path := range []string{"/v1/threads/", "/v1/threads/" + id + "/", "/v1/threads/../threads/" + id,
		"/v1//threads/" + id, "/v1/threads/" + id + "%2Fevents", "/v1/threads/" + id + "/events:batch/x"} {
		p.ask(404, "DELETE "+path)
	}
	for name, value := range map[string]string{"X-HTTP-Method-Override": "DELETE", "X-Forwarded-User": "bob",
		"X-User-Id": "bob", "Cookie": "ltm-device=x", "X-Original-URL": "/v1/users/ann", "Content-Type": "text/xml",
		"Accept": "text/html;q=x", "Accept-Encoding": "gzip, br", "Range": "bytes=0-1", "Expect": "100-continue"} {
		r := of(keyA, `{"title":"Rome"}`)
		r.header[name] = value
		p.ok(200, "PATCH /v1/threads/"+id, r)
	}
	require.Len(t, p.list("/v1/threads?user_id=ann", "threads", keyA), 1)
	head := p.do("HEAD /v1/threads?user_id=ann", of(keyA))
	require.Equal(t, 200, head.status)
	require.Empty(t, head.body)
}

// TestASummaryAnswersWhatHolds: the summary of a thread does not bring back what was corrected, and the list of what
// was written does not change.
func TestASummaryAnswersWhatHolds(t *testing.T) {
	p := start(t, withMemory(nil))
	id := p.thread("ann")
	p.say(id, "user", "I live in Rome.")
	told := func() any { return p.ask(200, "GET /v1/threads/"+id+"/summary").value(t)["summary"] }
	promoted := func() any {
		return p.ask(200, "POST /v1/threads/"+id+"/promote-core-memory").value(t)["summary"]
	}
	list := func() any {
		all := p.ask(200, "GET /v1/threads/"+id+"/summaries").value(t)["summaries"].([]any)
		return all[0].(map[string]any)["summary"]
	}
	require.Equal(t, []any{"- I live in Rome.", "- I live in Rome."}, []any{promoted(), told()})
	claim := p.ask(201, "POST /v1/claims", `{"user_id":"ann","text":"I live in Rome","bucket":"PROFILE"}`).value(t)
	p.clock.advance(1e9)
	require.Equal(t, "- I live in Rome.", told())
	p.ask(200, "POST /v1/claims/"+claim["claim"].(map[string]any)["id"].(string)+"/correct",
		`{"user_id":"ann","text":"I live in Turin"}`)
	p.clock.advance(1e9)
	require.Equal(t, []any{nil, nil, "- I live in Rome."}, []any{promoted(), told(), list()})
	p.say(id, "user", "My cat hates the vet.")
	require.Equal(t, []any{"- My cat hates the vet.", "- I live in Rome.\n- My cat hates the vet."},
		[]any{promoted(), list()})
}
