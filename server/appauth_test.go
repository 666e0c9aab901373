package server_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
)

const someThread = "3f2b8c1e-5d4a-4b6f-9c8e-7a6b5c4d3e2f"

func TestKeysOfApplications(t *testing.T) {
	p := start(t, withApps)
	_, ann := p.newUser("ann")
	const what = "GET /v1/threads?user_id=u"
	p.ok(200, what, of(keyA))
	p.ok(200, what, request{token: keyA})
	for _, scheme := range []string{"bearer ", "BEARER   "} {
		p.ok(200, what, request{header: map[string]string{"Authorization": scheme + keyA}})
	}
	same := of(keyA)
	same.token = keyA
	p.ok(200, what, same)
	for name, r := range map[string]request{
		"none": {}, "another": of("ltmk_" + strings.Repeat("c", 43)), "empty": of(""), "long": of(strings.Repeat("k",
			5000)),
		"with more": of(keyA + "x"), "basic": {header: map[string]string{"Authorization": "Basic " + keyA}},
		"a token of a user": {token: ann}, "a token of a user as key": of(ann),
		"key and another key":  {token: keyB, header: map[string]string{"X-API-Key": keyA}},
		"key and a user":       {token: ann, header: map[string]string{"X-API-Key": keyA}},
		"key and garbage":      {header: map[string]string{"X-API-Key": keyA, "Authorization": "Basic x"}},
		"wrong key, right one": {token: keyA, header: map[string]string{"X-API-Key": "wrong"}},
	} {
		a := p.ok(401, what, r)
		require.NotEmpty(t, a.header.Get("WWW-Authenticate"), name)
		require.NotContains(t, string(a.body), keyA)
	}
	p.ok(401, "GET /v1/packets", request{token: keyA})
	p.ok(401, "GET /v1/whoami", of(keyA))
}

// TestTwoKeys sends headers twice, of which a proxy may have checked one.
func TestTwoKeys(t *testing.T) {
	p := start(t, withApps)
	for _, header := range []http.Header{{"X-Api-Key": {keyA, keyB}}, {"X-Api-Key": {keyA, keyA}},
		{"Authorization": {"Bearer " + keyA, "Bearer " + keyB}}, {"X-Api-Key": {keyA}, "Authorization": {"", ""}}} {
		r, err := http.NewRequest("GET", p.url+"/v1/threads?user_id=u", nil)
		require.NoError(t, err)
		r.Header = header
		resp, err := p.http.Client().Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, 401, resp.StatusCode, header)
	}
}

// TestRoutesOfApplicationsAreAbsent checks a server without a memory.
func TestRoutesOfApplicationsAreAbsent(t *testing.T) {
	p := start(t)
	for _, what := range []string{"GET /v1/threads", "POST /v1/retrieve", "GET /health", "DELETE /v1/users/u"} {
		p.ok(404, what, of(keyA))
	}
}

func TestLimitsOfApplications(t *testing.T) {
	slow := server.Rate{PerSecond: 1, Burst: 3}
	few := func(what string, r request, change func(*server.Options)) (last answer) {
		p := start(t, withApps, change)
		for range 3 {
			require.Less(t, p.do(what, r).status, 429)
		}
		last = p.ok(429, what, r)
		require.NotEmpty(t, last.header.Get("Retry-After"))
		p.clock.advance(2 * time.Second)
		require.Less(t, p.do(what, r).status, 429)
		return last
	}
	key := few("GET /v1/changes", of(keyA), func(o *server.Options) { o.KeyRate = slow })
	require.Contains(t, string(key.body), "this key")
	user := few("GET /v1/claims?user_id=u", of(keyA), func(o *server.Options) { o.UserRate = slow })
	require.Contains(t, string(user.body), "this user")
	few("POST /v1/search", of(keyA, `{"user_id":"u","query":"x","kinds":["nothing"]}`),
		func(o *server.Options) { o.AddressRate = slow })
	few("GET /v1/claims?user_id=u", of("wrong"), func(o *server.Options) { o.FailureRate = slow })

	p := start(t, withApps, func(o *server.Options) { o.UserRate = slow })
	for range 3 {
		p.ok(200, "GET /v1/claims?user_id=u", of(keyA))
	}
	p.ok(429, "GET /v1/claims?user_id=u", of(keyA))
	p.ok(200, "GET /v1/claims?user_id=v", of(keyA))
	p.ok(200, "GET /v1/claims?user_id=u", of(keyB)) // the same name in another application is another user
}

// TestARightKeyIsLetInBehindWrongOnes checks that a stranger at the same address locks no one out.
func TestARightKeyIsLetInBehindWrongOnes(t *testing.T) {
	p := start(t, withApps, func(o *server.Options) { o.FailureRate = server.Rate{PerSecond: 0.01, Burst: 3} })
	p.ok(200, "GET /v1/changes", of(keyA))
	for range 3 {
		p.ok(401, "GET /v1/changes", of("wrong"))
	}
	p.ok(429, "GET /v1/changes", of("wrong"))
	p.ok(200, "GET /v1/changes", of(keyB)) // not used before
	p.ok(200, "GET /v1/changes", of(keyA))
}

func TestNamesOfUsers(t *testing.T) {
	p := start(t, withApps)
	for _, good := range []string{"u", "a%20b", "%C3%A4", strings.Repeat("u", 128), "u%2F..%2Fv"} {
		p.ok(200, "GET /v1/claims?user_id="+good, of(keyA))
	}
	for _, bad := range []string{"", "%00", "a%0Ab", "%FF", strings.Repeat("u", 129), "%E2%80%AE", "%7F"} {
		p.ok(400, "GET /v1/claims?user_id="+bad, of(keyA))
	}
	p.ok(400, "GET /v1/claims?user_id=a&user_id=b", of(keyA))
	p.ok(400, "GET /v1/claims?user_id=a&userid=b", of(keyA))
	a := p.ok(400, "POST /v1/claims/"+someThread+"/confirm?user_id=a", of(keyA, `{"user_id":"b"}`))
	require.Contains(t, string(a.body), "two identities")
}

// TestIdsAreCheckedAtTheDoor sends what is not a UUID to every route that takes one.
func TestIdsAreCheckedAtTheDoor(t *testing.T) {
	p := start(t, withApps)
	tried := 0
	for _, pattern := range p.srv.Patterns() {
		if !strings.Contains(pattern, "{t}") && !strings.Contains(pattern, "{id}") || strings.Contains(pattern,
			"packets") {
			continue
		}
		for _, bad := range []string{"x", "0", strings.Repeat("a", 36), someThread + "0",
			"%7B" + someThread[1:35] + "%7D",
			strings.ReplaceAll(someThread, "-", ""), "%00", "'%20OR%201=1--"} {
			what := strings.NewReplacer("{t}", bad, "{e}", someThread, "{id}", bad).Replace(pattern)
			p.ok(404, what+"?user_id=u", of(keyA, `{}`))
			tried++
		}
	}
	require.Greater(t, tried, 160)
	require.Empty(t, *p.memory.(emptyMemory).asks, "the memory was not asked")
}

// TestBodiesOfApplications sends bodies that do not validate.
func TestBodiesOfApplications(t *testing.T) {
	p := start(t, withApps)
	deep := `{"user_id":"u","meta":` + strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000) + "}"
	for _, body := range []string{"", "{", "[]", "null", `"x"`, "1", `{"user_id":1}`, `{"user_id":["u"]}`, `{"title":1}`,
		"{\"user_id\":\"u\",\"title\":\"\xff\"}", `{"user_id":"u"} {}`, deep,
		`{"user_id":"u","user_id":"v"}`, `{"user_id":"u","USER_ID":"v"}`, `{"user_id":"u","u\u017fer_id":"v"}`, `{"user_id":"u","id":"x"}`,
		`{"user_id":"u","meta":[1]}`, `{"user_id":"u","title":"` + strings.Repeat("t", 1001) + `"}`,
		`{"user_id":"u","agent":"a\nb"}`, `{"user_id":"u","meta":{"a":"` + strings.Repeat("m", 33<<10) + `"}}`} {
		a := p.ok(422, "POST /v1/threads", of(keyA, body))
		require.Less(t, len(a.body), 1000)
	}
	p.ok(413, "POST /v1/threads", of(keyA, strings.Repeat(" ", 70<<10)))
	p.ok(400, "POST /v1/threads", of(keyA, `{}`))
	for path, bodies := range map[string][]string{
		"POST /v1/search": {`{}`, `{"query":1}`, `{"user_id":"u","query":"x","limit":"a"}`, `{"user_id":"u","query":"x","limit":0}`,
			`{"user_id":"u","query":"x","limit":1.5}`, `{"user_id":"u","query":"x","kinds":"event"}`,
			`{"user_id":"u","query":"x","kinds":["thread"]}`, `{"user_id":"u","query":"x","as_of":"yesterday"}`,
			`{"user_id":"u","query":"x","as_of":"99999-01-01T00:00:00Z"}`, `{"user_id":"u","query":"x","filters":{}}`},
		"POST /v1/retrieve": {`{}`, `{"user_id":"u","query":"x","budget":-1}`, `{"user_id":"u","query":"x","threshold":2}`,
			`{"user_id":"u","query":"x","recent":201}`, `{"user_id":"u","query":"x","explain":1}`},
		"POST /v1/claims": {`{}`, `{"user_id":"u","bucket":"X","text":"a"}`, `{"user_id":"u","bucket":"GOALS","text":" "}`,
			`{"user_id":"u","bucket":"GOALS","text":"a","confidence":1.1}`,
			`{"user_id":"u","bucket":"GOALS","text":"a","stability":"low "}`,
			`{"user_id":"u","bucket":"GOALS","text":"a","event_id":"e"}`,
			`{"user_id":"u","bucket":"GOALS","text":"a","expires_at":"2020-01-01T00:00:00Z"}`},
		"POST /v1/claims/" + someThread + "/correct": {``, `{"user_id":"u"}`, `{"user_id":"u","text":"a","other":"b"}`,
			`{"user_id":"u","other":"b"}`},
		"POST /v1/claims/" + someThread + "/dispute": {``, `{"user_id":"u"}`},
		"POST /v1/claims/" + someThread + "/confirm": {`{"user_id":"u","note":"` + strings.Repeat("n", 1001) + `"}`, `[]`},
	} {
		for _, body := range bodies {
			p.ok(422, path, of(keyA, body))
		}
	}
}

func TestFilters(t *testing.T) {
	p := start(t, withApps)
	send := func(filter string) int {
		return p.do("POST /v1/search", of(keyA, `{"user_id":"u","thread_id":"`+someThread+`","query":"x","filter":`+filter+`}`)).
			status
	}
	const passed = 404 // the thread is not there
	for _, good := range []string{`{"field":"role","eq":"user"}`, `{"field":"meta.topic","in":["a","b"]}`,
		`{"field":"occurred_at","range":{"from":"2026-01-01T00:00:00Z"}}`, `{"field":"importance","range":{"to":5}}`,
		`{"field":"confidence","eq":0.5}`, `{"field":"meta.topic","exists":false}`,
		`{"and":[{"field":"role","eq":"user"},{"not":{"or":[{"field":"lang","eq":"de"},{"field":"agent","exists":true}]}}]}`} {
		require.Equal(t, passed, send(good), good)
	}
	parts := strings.TrimSuffix(strings.Repeat(`{"field":"role","eq":"user"},`, 64), ",")
	for _, bad := range []string{`{}`, `{"field":"nope","eq":1}`, `{"field":"meta.nope","eq":"a"}`, `{"field":"meta.","eq":"a"}`,
		`{"field":"role","eq":1}`, `{"field":"role","eq":null}`, `{"field":"role"}`, `{"field":"role","eq":"a","in":["b"]}`,
		`{"field":"role","in":[]}`, `{"field":"role","range":{"from":"a"}}`, `{"field":"importance","range":{}}`,
		`{"field":"importance","range":{"from":"1"}}`, `{"field":"occurred_at","eq":"then"}`, `{"and":[]}`, `{"eq":"a"}`,
		`{"field":"role","eq":"a","or":[{"field":"role","eq":"a"}]}`, `{"not":{}}`, `{"and":[` + parts + `]}`,
		strings.Repeat(`{"not":`, 9) + `{"field":"role","eq":"a"}` + strings.Repeat("}", 9),
		`{"and":[{"field":"role","eq":"user"},{"field":"bucket","eq":"GOALS"}]}`,
		`{"field":"role","field":"lang","eq":"a"}`, `{"not":{"field":"role","eq":"a","eq":"b"}}`,
		`{"and":[{"field":"role","eq":"a","EQ":"b"}]}`, `{"field":"importance","range":{"from":1,"from":2}}`,
		`{"field":"role","eq":"` + strings.Repeat("a", 1025) + `"}`} {
		require.Equal(t, 400, send(bad), bad)
	}
	require.Equal(t, 422, send(`[]`))
	require.Equal(t, 422, send(`{"field":"role","equals":"user"}`))
	body := `{"user_id":"u","query":"x","kinds":["claim"],"filter":{"field":"role","eq":"user"}}`
	p.ok(400, "POST /v1/search", of(keyA, body))
	for filter, says := range map[string]string{`{"field":"role","equals":"user"}`: "a part has and, or, not, or field with",
		`{"role":"user"}`: "a part has and, or, not, or field with",
		`{"field":"importance","range":{"start":1}}`:                             "range has from and to",
		`{"field":"mood","eq":"x"}`:                                              "there are agent, bucket, confidence",
		`{"and":[{"field":"role","eq":"user"},{"field":"bucket","eq":"GOALS"}]}`: "events have agent, importance"} {
		said := p.do("POST /v1/search", of(keyA, `{"user_id":"u","query":"x","filter":`+filter+`}`))
		require.Contains(t, string(said.body), says, filter)
	}
	p.ok(400, "POST /v1/search", of(keyB, strings.Replace(body, "role", "meta.topic",
		1))) // another application's field

	p.ok(200, "GET /v1/claims?user_id=u&filter=%7B%22field%22%3A%22confidence%22%2C%22eq%22%3A1%7D", of(keyA))
	for _, bad := range []string{"x", "%7B%7D", "%5B%5D", "%7B%22field%22%3A%22role%22%2C%22eq%22%3A%22user%22%7D",
		"%7B%22field%22%3A%22state%22%2C%22field%22%3A%22bucket%22%2C%22eq%22%3A%22GOALS%22%7D",
		strings.Repeat("%7B%22not%22%3A", 40), "%7B%22field%22%3A%22confidence%22%2C%22eq%22%3A1%7D%7B%7D"} {
		p.ok(400, "GET /v1/claims?user_id=u&filter="+bad, of(keyA))
	}
}

func TestMetricsOfJobs(t *testing.T) {
	p := start(t, withApps, func(o *server.Options) { o.Metrics = true })
	p.ok(200, "GET /v1/claims?user_id=someone-private", of(keyA))
	text := string(p.do("GET /metrics", request{}).body)
	for _, line := range []string{`ltm_jobs{kind="embed",state="failed"} 3`, "ltm_jobs_oldest_pending_seconds 60",
		`ltm_model_calls_total{purpose="embeddings",result="refused"} 7`,
		`ltm_http_requests_total{route="GET /v1/claims",status="200"} 1`} {
		require.Contains(t, text, line)
	}
	require.NotContains(t, text, "someone-private")
	require.NotContains(t, p.log.String(), "someone-private")
	require.NotContains(t, p.log.String(), keyA)
	require.Contains(t, p.log.String(), `"app":"01K3Q8ZJ6M4T2V9XWBDN7RAPPA"`)
}
