package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/sqlstore"
	"ltm/server/threads"
)

// withMemory gives a server the memory of its database, with two applications. models may be nil.
func withMemory(models *threads.Models) func(*server.Options) {
	return func(o *server.Options) {
		keep := o.Storage.(*sqlstore.Store).Threads()
		t := threads.Options{Storage: keep, Now: o.Now, Random: rand.NewChaCha8([32]byte{1})}
		if models != nil {
			t.Models = *models
		}
		service, err := threads.New(t)
		if err != nil {
			panic(err)
		}
		ctx := context.Background()
		for name, key := range map[string]string{"a": keyA, "b": keyB} {
			app := threads.App{ID: "01K3Q8ZJ6M4T2V9XWBDN7RAPP" + strings.ToUpper(name), Name: name, CreatedAt: o.Now(),
				Settings: threads.Settings{Fields: map[string]string{"topic": "text"}}}
			if err := keep.CreateApp(ctx, app); err != nil {
				panic(err)
			}
			if err := keep.CreateKey(ctx, threads.Key{ID: "K" + app.ID[1:], App: app.ID, Name: "test",
				Hash:      server.Hash(key),
				CreatedAt: o.Now()}); err != nil {
				panic(err)
			}
		}
		o.Memory = service
		o.KeyRate, o.UserRate = plenty(), plenty()
	}
}

// work does all side effects that are due.
func (p *place) work() {
	p.t.Helper()
	for range 20 {
		n, err := p.memory.(*threads.Service).RunDue(context.Background())
		require.NoError(p.t, err)
		if n == 0 {
			return
		}
	}
	p.t.Fatal("the jobs do not end")
}

// ask sends a request with application a's key.
func (p *place) ask(status int, what string, body ...string) answer {
	p.t.Helper()
	return p.ok(status, what, of(keyA, body...))
}

// thread makes a thread of a user of application a, and returns its id.
func (p *place) thread(user string) string {
	p.t.Helper()
	return p.ask(200, "POST /v1/threads", `{"user_id":"`+user+`","title":"Talk"}`).value(p.t)["thread_id"].(string)
}

// say adds an event to a thread of application a, and returns its id.
func (p *place) say(thread, actor, text string) string {
	p.t.Helper()
	return p.ask(200, "POST /v1/threads/"+thread+"/events", toJSON(p.t, map[string]string{"actor": actor,
		"content": text})).
		value(p.t)["event_id"].(string)
}

var aTime = regexp.MustCompile(`"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"`)

// shape checks an answer's body, in which times are "TIME".
func (p *place) shape(want string, a answer) {
	p.t.Helper()
	require.JSONEq(p.t, want, aTime.ReplaceAllString(string(a.body), `"TIME"`))
}

// TestDetailsOfAnEvent says of one event what a batch says of many.
func TestDetailsOfAnEvent(t *testing.T) {
	p := start(t, withMemory(nil))
	id := p.ask(200, "POST /v1/threads", `{"user_id":"ann"}`).value(t)["thread_id"].(string)
	const event = "11111111-2222-4333-8444-555555555555"
	const body = `{"actor":"user","content":"My name is Ada.","id":"` + event + `","occurred_at":"2026-05-01T10:00:00Z",` +
		`"agent":"clerk","session":"s1","lang":"de","key":"k","unknown":1}`
	for range 2 {
		require.Equal(t, event, p.ask(200, "POST /v1/threads/"+id+"/events", body).value(t)["event_id"])
	}
	p.work()
	all := p.ask(200, "GET /v1/threads/"+id+"/events?detail=true").value(t)["messages"].([]any)
	require.Len(t, all, 1)
	got := all[0].(map[string]any)
	require.Equal(t, []any{"2026-05-01T10:00:00.000000Z", "clerk", "s1", "de", "k"},
		[]any{got["occurred_at"], got["agent"], got["session"], got["lang"], got["key"]})
	require.Empty(t, p.ask(200, "GET /v1/claims?user_id=ann").value(t)["claims"], "there are no rules for German yet")
	for _, bad := range []string{`"id":"x"`, `"occurred_at":"yesterday"`, `"lang":5`,
		`"key":"` + strings.Repeat("k", 129) + `"`} {
		p.ask(422, "POST /v1/threads/"+id+"/events", `{"actor":"user","content":"x",`+bad+`}`)
	}
	a := p.ask(422, "POST /v1/threads/"+id+"/events", `{"actor":"user","content":"x","lang":5}`)
	require.Contains(t, a.value(t)["detail"], `the field "lang" has`)
}

// TestRoutesOfTheReference plays what an application written for CortexLTM sends, and compares the answers.
func TestRoutesOfTheReference(t *testing.T) {
	p := start(t, withMemory(&threads.Models{Chat: &talker{pieces: []string{"Yes."}}}))
	p.shape(`{"status":"ok"}`, p.ok(200, "GET /health", request{}))
	made := p.ask(200, "POST /v1/threads", `{"user_id":"ann","title":"Trip"}`).value(t)
	require.Equal(t, "ann", made["user_id"])
	require.Len(t, made, 2)
	id := made["thread_id"].(string)
	p.ask(400, "POST /v1/threads", `{"title":"x"}`)
	p.ask(422, "POST /v1/threads", `{"user_id":"ann","title":5}`)
	p.clock.advance(1e9)
	untitled := p.ask(200, "POST /v1/threads", `{"user_id":"ann","anything":"else"}`).value(t)["thread_id"].(string)

	entry := func(id, title string) string {
		return `{"id":"` + id + `","user_id":"ann","title":` + title + `,"created_at":"TIME","is_core_memory":false}`
	}
	p.shape(`{"user_id":"ann","threads":[`+entry(untitled, "null")+`,`+entry(id, `"Trip"`)+`]}`,
		p.ask(200, "GET /v1/threads?user_id=ann"))
	require.Len(t, p.ask(200, "GET /v1/threads?user_id=ann&limit=0").value(t)["threads"], 1)
	require.Len(t, p.ask(200, "GET /v1/threads?user_id=ann&limit=999").value(t)["threads"], 2)
	p.shape(`{"user_id":"bob","threads":[]}`, p.ask(200, "GET /v1/threads?user_id=bob"))
	p.ask(400, "GET /v1/threads")
	p.ask(422, "GET /v1/threads?user_id=ann&limit=many")

	p.shape(`{"thread_id":"`+id+`","title":"Rome","ok":true}`, p.ask(200, "PATCH /v1/threads/"+id, `{"title":" Rome "}`))
	p.ask(400, "PATCH /v1/threads/"+id, `{"title":"  "}`)
	for _, bad := range []string{`{}`, `{"title":""}`, `{"title":null}`, `{"title":"` + strings.Repeat("é", 121) + `"}`} {
		p.ask(422, "PATCH /v1/threads/"+id, bad)
	}
	p.ask(200, "PATCH /v1/threads/"+id, `{"title":"`+strings.Repeat("é", 120)+`"}`)

	user := p.say(id, "user", "My name is Ann and I live in Rome.")
	reply := p.ask(200, "POST /v1/threads/"+id+"/events",
		`{"actor":"assistant","content":"Nice to meet you.","meta":{"model":"m","n":1.50}}`).value(t)["event_id"].(string)
	for _, bad := range []string{`{"actor":"system","content":"x"}`, `{"actor":"user"}`, `{"actor":"user","content":""}`,
		`{"content":"x"}`, `{"actor":"user","content":"` + strings.Repeat("ä", 6001) + `"}`,
		`{"actor":"user","content":"x","meta":[]}`, `{"actor":"user","content":5}`} {
		p.ask(422, "POST /v1/threads/"+id+"/events", bad)
	}
	p.shape(`{"thread_id":"`+id+`","event_id":"`+reply+`","reaction":"heart","summary_updated":false,"ok":true}`,
		p.ask(200, "POST /v1/threads/"+id+"/events/assistant-"+reply+"/reaction", `{"reaction":"heart"}`))
	p.ask(400, "POST /v1/threads/"+id+"/events/"+user+"/reaction", `{"reaction":"heart"}`)
	p.ask(404, "POST /v1/threads/"+id+"/events/"+someThread+"/reaction", `{"reaction":"heart"}`)
	p.ask(404, "POST /v1/threads/"+id+"/events/7/reaction", `{"reaction":"heart"}`)
	p.ask(422, "POST /v1/threads/"+id+"/events/"+reply+"/reaction", `{"reaction":"smile"}`)
	message := func(id2, role, text, meta string) string {
		return `{"id":"` + id2 + `","thread_id":"` + id + `","role":"` + role + `","content":"` + text + `","meta":` + meta +
			`,"created_at":"TIME"}`
	}
	first := message(user, "user", "My name is Ann and I live in Rome.", `{}`)
	p.shape(`{"thread_id":"`+id+`","messages":[`+first+`,`+
		message(reply, "assistant", "Nice to meet you.", `{"model":"m","n":1.50,"reaction":"heart"}`)+`]}`,
		p.ask(200, "GET /v1/threads/"+id+"/events"))
	p.shape(`{"thread_id":"`+id+`","event_id":"`+reply+`","reaction":null,"summary_updated":false,"ok":true}`,
		p.ask(200, "POST /v1/threads/"+id+"/events/"+reply+"/reaction", `{"reaction":null}`))
	newest := p.ask(200, "GET /v1/threads/"+id+"/events?limit=1").value(t)
	require.Equal(t, reply, newest["messages"].([]any)[0].(map[string]any)["id"])

	p.shape(`{"thread_id":"`+id+`","summary":null}`, p.ask(200, "GET /v1/threads/"+id+"/summary"))
	promoted := p.ask(200, "POST /v1/threads/"+id+"/promote-core-memory").value(t)
	require.Equal(t, map[string]any{"thread_id": id, "summary": promoted["summary"], "summary_updated": true,
		"is_core_memory": true, "ok": true}, promoted)
	require.Contains(t, promoted["summary"], "Rome")
	require.Equal(t, promoted["summary"], p.ask(200, "GET /v1/threads/"+id+"/summary").value(t)["summary"])
	require.Contains(t, string(p.ask(200, "GET /v1/threads?user_id=ann").body), `"is_core_memory": true`)
	p.ask(200, "POST /v1/threads/"+id+"/events/"+reply+"/reaction", `{"reaction":"brain"}`)

	p.clock.advance(1e9)
	context := p.ask(200, "POST /v1/threads/"+id+"/memory-context", `{"latest_user_text":"Where do I live?"}`).value(t)
	require.Len(t, context, 2)
	messages := context["messages"].([]any)
	require.NotEmpty(t, messages)
	last := messages[len(messages)-1].(map[string]any)
	require.Equal(t, map[string]any{"role": "assistant", "content": "Nice to meet you."}, last)
	p.ask(200, "POST /v1/threads/"+id+"/memory-context", `{"latest_user_text":"x","short_term_limit":null}`)
	for _, bad := range []string{`{}`, `{"latest_user_text":"x","short_term_limit":0}`,
		`{"latest_user_text":"x","short_term_limit":201}`, `{"latest_user_text":"x","short_term_limit":"a"}`} {
		p.ask(422, "POST /v1/threads/"+id+"/memory-context", bad)
	}
	for _, bad := range []string{`{}`, `{"text":""}`, `{"text":"` + strings.Repeat("x", 6001) + `"}`,
		`{"text":"x","short_term_limit":0}`} {
		p.ask(422, "POST /v1/threads/"+id+"/chat", bad)
	}
	p.ask(400, "POST /v1/threads/"+id+"/chat", `{"text":" \n"}`)

	p.shape(`{"thread_id":"`+untitled+`","ok":true,"deleted":true,"rows":{"thread":1}}`, p.ask(200, "DELETE /v1/threads/"+untitled))
	p.shape(`{"thread_id":"`+untitled+`","ok":true,"deleted":false}`, p.ask(200, "DELETE /v1/threads/"+untitled))
	for _, what := range []string{"GET /v1/threads/$/events", "PATCH /v1/threads/$", "GET /v1/threads/$/summary",
		"POST /v1/threads/$/promote-core-memory", "POST /v1/threads/$/events", "POST /v1/threads/$/memory-context",
		"POST /v1/threads/$/chat"} {
		body := `{"title":"x","actor":"user","content":"x","latest_user_text":"x","text":"x"}`
		for _, id := range []string{untitled, someThread, "7"} {
			p.ask(404, strings.Replace(what, "$", id, 1), body)
		}
	}
}

// query returns a path with a filter as its parameter.
func query(path, filter string) string { return path + "filter=" + url.QueryEscape(filter) }

func TestBatches(t *testing.T) {
	p := start(t, withMemory(nil))
	id := p.thread("ann")
	big := strings.Repeat("a ", 32<<10)
	rows := []string{`{"actor":"user","content":"one","key":"k1","occurred_at":"2020-01-02T03:04:05+01:00","meta":{"topic":"x"}}`,
		`{"actor":"user","content":"two","typo":1}`, `{"actor":"nobody","content":"two"}`, `7`,
		`{"actor":"tool","content":` + toJSON(t, big) + `,"session":"s","agent":"g","lang":"de"}`,
		`{"actor":"tool","content":` + toJSON(t, big+"a") + `}`, `{"actor":"user","content":"one","key":"k1"}`,
		`{"actor":"user","content":"x","occurred_at":"noon"}`, `{"actor":"user","content":"x","id":"1"}`,
		`{"actor":"assistant","content":"x","id":"` + strings.ToUpper(someThread) + `"}`}
	send := func(status int, rows ...string) map[string]any {
		return p.ask(status, "POST /v1/threads/"+id+"/events:batch", `{"events":[`+strings.Join(rows, ",")+`]}`).value(t)
	}
	got := send(200, rows...)
	require.EqualValues(t, 3, got["added"])
	answers := got["rows"].([]any)
	require.Len(t, answers, len(rows))
	for i, wrong := range []bool{false, true, true, true, false, true, false, true, true, false} {
		row := answers[i].(map[string]any)
		require.Equal(t, wrong, row["error"] != nil, "%d: %v", i, row)
		require.Equal(t, wrong, row["event_id"] == nil, "%d: %v", i, row)
	}
	require.Equal(t, answers[0].(map[string]any)["event_id"], answers[6].(map[string]any)["event_id"])
	require.Equal(t, false, answers[6].(map[string]any)["new"])
	require.Equal(t, someThread, answers[9].(map[string]any)["event_id"])
	require.EqualValues(t, 0, send(200, rows[0])["added"])
	send(422)
	send(422, strings.Split(strings.Repeat(`{"actor":"user","content":"x"} `, 1001), " ")[:1001]...)
	p.ask(422, "POST /v1/threads/"+id+"/events:batch", `{"events":{}}`)
	p.ask(413, "POST /v1/threads/"+id+"/events:batch", strings.Repeat(" ", 17<<20))

	events := p.list("/v1/threads/"+id+"/events?detail=true&user_id=ann", "messages", keyA)
	require.Len(t, events, 3)
	require.Equal(t, "2020-01-02T02:04:05.000000Z", events[0]["occurred_at"])
	require.Equal(t, "k1", events[0]["key"])
	require.Equal(t, "g", events[1]["agent"])
	list := func(filter string) int {
		return len(p.list(query("/v1/threads/"+id+"/events?", filter), "messages", keyA))
	}
	require.Equal(t, 1, list(`{"field":"meta.topic","eq":"x"}`))
	require.Equal(t, 2, list(`{"not":{"field":"role","eq":"user"}}`))
	require.Equal(t, 1, list(`{"field":"occurred_at","range":{"to":"2021-01-01T00:00:00Z"}}`))
	p.ask(400, query("GET /v1/threads/"+id+"/events?", `{"field":"meta.other","eq":"x"}`))
	all := list(`{"field":"thread","eq":"` + id + `"}`)
	require.Positive(t, all)
	require.Equal(t, all, list(`{"field":"thread","eq":"`+strings.ToUpper(id)+`"}`), "as in paths")
	require.Equal(t, all, list(`{"field":"thread","in":["x","`+strings.ToUpper(id)+`"]}`))

	effects := p.ask(200, "GET /v1/threads/"+id+"/events/"+someThread+"/effects").value(t)["effects"].([]any)
	require.NotEmpty(t, effects)
	p.work()
	for _, e := range p.ask(200, "GET /v1/threads/"+id+"/events/"+someThread+"/effects").value(t)["effects"].([]any) {
		require.NotEqual(t, "pending", e.(map[string]any)["state"])
	}
	require.Equal(t, true, p.ask(200, "DELETE /v1/threads/"+id+"/events/"+someThread).value(t)["deleted"])
	p.ask(404, "DELETE /v1/threads/"+id+"/events/"+someThread)
	p.ask(404, "GET /v1/threads/"+id+"/events/"+someThread+"/effects")
}

// TestPages follows the cursors of all lists.
func TestPages(t *testing.T) {
	p := start(t, withMemory(nil))
	for i := range 7 {
		p.clock.advance(1e9)
		p.thread("ann")
		p.ask(201, "POST /v1/claims", `{"user_id":"ann","bucket":"GOALS","text":"goal number `+string(rune('a'+i))+`"}`)
	}
	id := p.thread("ann")
	for i := range 7 {
		p.say(id, "user", "text "+string(rune('a'+i)))
	}
	p.settle()
	for path, key := range map[string]string{"/v1/threads?user_id=ann": "threads", "/v1/claims?user_id=ann": "claims",
		"/v1/threads/" + id + "/events?user_id=ann": "messages", "/v1/changes?user_id=ann": "changes"} {
		all := map[string]bool{}
		pages := 0
		for next := path + "&limit=3"; next != ""; pages++ {
			a := p.ask(200, "GET "+next)
			for _, row := range a.value(t)[key].([]any) {
				b, err := json.Marshal(row)
				require.NoError(t, err)
				require.False(t, key != "changes" && all[string(b)], "%s: twice: %s", path, b)
				all[string(b)] = true
			}
			next, _, _ = strings.Cut(strings.TrimPrefix(a.header.Get("Link"), "<"), ">")
		}
		require.GreaterOrEqual(t, len(all), 7, path)
		require.GreaterOrEqual(t, pages, 3, path)
	}
	p.pagesThatMove()
	cursor := p.ask(200, "GET /v1/threads?user_id=ann&limit=3").value(t)["next"].(string)
	for _, bad := range []string{"user_id=bob&cursor=" + cursor, "user_id=ann&agent=x&cursor=" + cursor,
		"user_id=ann&cursor=x", "user_id=ann&cursor=" + cursor[1:], "user_id=ann&cursor=" + strings.Repeat("A", 3000)} {
		p.ask(400, "GET /v1/threads?"+bad)
	}
	p.ok(400, "GET /v1/threads?user_id=ann&cursor="+cursor, of(keyB))
	p.ask(400, "GET /v1/changes?after=garbage")
	p.ask(400, "GET /v1/changes?after="+strings.Repeat("9", 2000))
	p.settle()
	end := p.ask(200, "GET /v1/changes?limit=1000").value(t)["next"].(string)
	p.shape(`{"changes":[],"next":"`+end+`"}`, p.ask(200, "GET /v1/changes?after="+end))
	require.Empty(t, p.ok(200, "GET /v1/changes", of(keyB)).value(t)["changes"])
}

// TestAPurgedFeed follows changes, and comes back after some were purged.
func TestAPurgedFeed(t *testing.T) {
	p := start(t, withMemory(nil))
	began := p.ask(200, "GET /v1/changes?after=now").value(t)
	require.Empty(t, began["changes"])
	old := began["next"].(string)
	p.thread("ann")
	p.settle()
	followed := p.ask(200, "GET /v1/changes?after="+old).value(t)
	require.Len(t, followed["changes"], 2)
	p.clock.advance(time.Hour)
	_, err := p.store.Purge(t.Context(), p.clock.now())
	require.NoError(t, err)
	for _, query := range []string{"", "&user_id=ann"} {
		gone := p.ask(410, "GET /v1/changes?after="+old+query).value(t)
		require.Contains(t, gone["detail"], "ask with after=now, read everything again")
		require.Equal(t, "/docs#purged", gone["type"])
	}
	for _, start := range []string{"", "?after=now", "?after=" + followed["next"].(string)} {
		p.shape(`{"changes":[],"next":"`+followed["next"].(string)+`"}`, p.ask(200, "GET /v1/changes"+start))
	}
}

// settle waits until the feed shows all that was written before: Postgres holds lines back while any transaction runs
// that began earlier, in another test's database, too.
func (p *place) settle() {
	last := p.thread("ann")
	for !bytes.Contains(p.ask(200, "GET /v1/changes?limit=1000").body, []byte(last)) {
		time.Sleep(time.Millisecond)
	}
}

// pagesThatMove lists ann's seven claims while others come and go before the page: none is twice in it, and none is
// missing.
func (p *place) pagesThatMove() {
	p.t.Helper()
	all := p.list("/v1/claims?user_id=ann", "claims", keyA)
	require.Len(p.t, all, 7)
	first := p.ask(200, "GET /v1/claims?user_id=ann&limit=3").value(p.t)
	p.clock.advance(1e9)
	p.ask(201, "POST /v1/claims", `{"user_id":"ann","bucket":"GOALS","text":"a new goal, the surest of all"}`)
	next := p.ask(200, "GET /v1/claims?user_id=ann&limit=3&cursor="+first["next"].(string)).value(p.t)
	id := func(row any) any { return row.(map[string]any)["id"] }
	require.Equal(p.t, id(all[3]), id(next["claims"].([]any)[0]))
	p.ask(200, "DELETE /v1/claims/"+id(all[0]).(string)+"?user_id=ann")
	p.ask(200, "DELETE /v1/claims/"+id(all[2]).(string)+"?user_id=ann")
	after := p.ask(200, "GET /v1/claims?user_id=ann&limit=3&cursor="+first["next"].(string)).value(p.t)
	require.Equal(p.t, next["claims"], after["claims"], "also if the last of the page before is gone")
}
