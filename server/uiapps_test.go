package server_test

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/server"
	"ltm/server/threads"
)

// operator signs a browser in with an application's key.
func (p *place) operator(key string) *browser {
	p.t.Helper()
	b := p.browser()
	require.Equal(p.t, "/ui/app", b.enter(key).address)
	return b
}

// pageLink finds the address of the first link to a page.
func pageLink(t testing.TB, v shown, name string) string {
	t.Helper()
	found := regexp.MustCompile(`href="(` + name + `\?[^"]+)"`).FindStringSubmatch(v.text())
	require.NotNil(t, found, "%s: %s", name, v.body)
	return html.UnescapeString(found[1])
}

func TestPagesOfApplications(t *testing.T) {
	p := start(t, withMemory(nil))
	b := p.operator(keyA)
	v := b.get(200, "app")
	require.Contains(t, v.text(), "Nothing is kept of any user yet")
	require.Contains(t, v.text(), "<code>topic</code>")
	require.NotContains(t, v.text(), keyA)
	require.Contains(t, b.get(200, "jobs").text(), "Nothing waits")

	thread := p.thread("ann")
	p.say(thread, "user", "My name is Ann and I live in Rome.")
	p.say(thread, "assistant", "Nice to meet you, Ann.")
	waiting := b.get(200, "jobs?user=ann")
	require.Contains(t, waiting.text(), "suggest")
	p.work()
	p.ask(200, "POST /v1/threads/"+thread+"/promote-core-memory")
	p.claim("has a dog")

	v = b.get(200, pageLink(t, b.get(200, "app"), "user"))
	require.Contains(t, v.text(), "has a dog")
	require.Contains(t, v.text(), `class="mark suggested"`)
	b.get(400, "user")
	b.get(400, "user?user=ann&state=strange")
	require.Contains(t, b.get(200, "user?user=ann&state=rejected").text(), "No claim matches.")
	require.NotContains(t, b.get(200, "user?user=ann&state=active").text(), `class="mark suggested"`)

	v = b.get(200, pageLink(t, b.get(200, "user?user=ann&state=suggested"), "claim"))
	require.Contains(t, v.text(), "My name is Ann and I live in Rome.", "the evidence is quoted")
	v = b.get(200, pageLink(t, v, "thread"))
	require.Contains(t, v.text(), "core memory")
	require.Contains(t, v.text(), "Nice to meet you, Ann.")
	v = b.get(200, pageLink(t, v, "summary"))
	require.Contains(t, v.text(), "What it was made of")
	require.Contains(t, v.text(), "I live in Rome.</p>", "the events that it covers")
	v = b.get(200, pageLink(t, b.get(200, "user?user=ann&state=active"), "claim"))
	require.Contains(t, v.text(), "Stated directly, without an event.")
	require.Contains(t, v.text(), "Acts, the oldest first")

	v = b.get(200, "jobs?state=skipped&user=ann")
	require.Contains(t, v.text(), "Jobs that are skipped for this user")
	require.Contains(t, v.text(), "no model", "with the reason")
	b.get(400, "jobs?state=strange")
	require.Contains(t, b.get(200, "jobs?state=failed").text(), "Nothing failed")
	require.Contains(t, b.get(200, "threads?user=ann").text(), ">Talk</bdi>")
	require.Contains(t, b.get(200, "threads?user=nobody").text(), "has no conversations")

	require.NoError(t, p.store.(interface{ Threads() threads.Storage }).Threads().
		RevokeKey(t.Context(), "K1K3Q8ZJ6M4T2V9XWBDN7RAPPA", p.clock.now()))
	b.get(401, "app")
}

// TestPagesDecideOnSuggestions confirms and rejects what is suggested, on its own page and in the list, and shows what
// then holds of the user.
func TestPagesDecideOnSuggestions(t *testing.T) {
	p := start(t, withMemory(nil))
	thread := p.thread("ann")
	p.say(thread, "user", "My name is Ann and I live in Rome.")
	p.work()
	b := p.operator(keyA)
	v := b.get(200, "profile?user=ann")
	require.Contains(t, v.text(), "Nothing holds of this user")
	require.Contains(t, v.text(), "2 more are suggested")
	require.Contains(t, b.get(200, "app").text(), `>2<span class="hidden"> suggested about ann</span>`)
	one := pageLink(t, b.get(200, "user?user=ann&state=suggested"), "claim")
	claim := regexp.MustCompile(`[0-9a-f-]{36}`).FindString(one)
	v = b.press(200, one, "confirm", "id", claim)
	require.Contains(t, v.text(), "The claim is confirmed")
	require.Contains(t, v.text(), `class="mark active"`)
	require.NotContains(t, v.text(), `value="confirm"`, "it is decided")
	rest := "user?user=ann&state=suggested"
	v = b.press(200, rest, "reject", "id", regexp.MustCompile(`[0-9a-f-]{36}`).FindString(pageLink(t, b.get(200, rest), "claim")))
	require.Contains(t, v.text(), "The claim is rejected")
	require.Contains(t, v.text(), "No claim matches.")
	require.Contains(t, b.get(200, "user?user=ann&state=rejected").text(), `class="mark rejected"`)
	v = b.get(200, "profile?user=ann")
	require.Contains(t, v.text(), "Who they are")
	require.NotContains(t, v.text(), "suggested</a>")
	require.Contains(t, v.text(), "Claims 2</a>")

	form := hidden(b.get(200, one))
	form.Set("do", "confirm")
	form.Set("id", absent)
	b.post(404, one, form)
	other := p.operator(keyB)
	form.Set("form", hidden(other.get(200, "app")).Get("form"))
	form.Set("id", claim)
	other.post(404, "user?user=ann", form)
}

// TestPagesOfOtherApplications checks that what another application remembers looks like nothing.
func TestPagesOfOtherApplications(t *testing.T) {
	p := start(t, withMemory(nil))
	thread := p.thread("ann")
	p.say(thread, "user", "My zebra is called Quagga.")
	p.say(thread, "assistant", "I see.")
	p.ask(200, "POST /v1/threads/"+thread+"/promote-core-memory")
	claim := p.claim("has a zebra")
	summary := p.list("/v1/threads/"+thread+"/summaries", "summaries", keyA)[0]["id"]
	b := p.operator(keyB)
	same := func(status int, format string, ids ...any) {
		t.Helper()
		nothing := make([]any, len(ids))
		for i := range nothing {
			nothing[i] = absent
		}
		theirs, none := b.get(status, fmt.Sprintf(format, ids...)), b.get(status, fmt.Sprintf(format, nothing...))
		require.Equal(t, plainPage(none.text()), plainPage(theirs.text()), format)
		require.NotContains(t, theirs.text(), "zebra")
		require.NotContains(t, theirs.text(), "Quagga")
	}
	same(404, "claim?user=ann&id=%s", claim)
	same(404, "thread?user=ann&id=%s", thread)
	same(404, "summary?user=ann&thread=%s&id=%s", thread, summary)
	// A user of the same application who is not theirs.
	own := p.operator(keyA)
	own.get(200, "claim?user=ann&id="+claim)
	for _, page := range []string{"claim?user=bob&id=" + claim, "thread?user=bob&id=" + thread,
		fmt.Sprintf("summary?user=bob&thread=%s&id=%s", thread, summary), "thread?user=ann&id=7"} {
		own.get(404, page)
	}
	for _, page := range []string{"app", "user?user=ann", "profile?user=ann", "threads?user=ann", "jobs",
		"jobs?user=ann"} {
		v := b.get(200, page)
		require.NotContains(t, v.text(), thread, page)
		require.NotContains(t, v.text(), claim, page)
	}
	require.NotContains(t, b.get(200, "app").text(), "ann")
	require.Equal(t, plainPage(b.get(200, "profile?user=nobody").text()),
		strings.ReplaceAll(plainPage(b.get(200, "profile?user=ann").text()), "ann", "nobody"))
}

// TestPagesOfManyRows pages through users, claims, threads, events and jobs.
func TestPagesOfManyRows(t *testing.T) {
	p := start(t, withMemory(nil))
	thread := ""
	for i := range 60 {
		thread = p.thread("ann")
		p.thread(fmt.Sprintf("user %02d", i))
		p.claim(fmt.Sprintf("knows the number %d", i))
		p.clock.advance(1e9)
	}
	for i := range 60 {
		p.say(thread, "user", fmt.Sprintf("I live in Town number %d.", i))
	}
	jobs := len(p.list("/v1/jobs?limit=200", "jobs", keyA))
	require.Greater(t, jobs, 50)
	require.Less(t, jobs, 200)
	b := p.operator(keyA)
	for page, c := range map[string]struct {
		row  string
		want int
	}{
		"app":                          {`<td data-label="User"><a href="profile\?user=([^"]+)"`, 61},
		"user?user=ann&state=active":   {`href="claim\?([^"]+)"`, 60},
		"threads?user=ann":             {`href="thread\?([^"]+)"`, 60},
		"thread?user=ann&id=" + thread: {`>(I live in Town number \d+\.)<`, 60},
		"jobs?state=pending":           {`<td data-label="Job">`, jobs},
	} {
		rows, first := 0, page
		for address, n := page, 0; address != ""; n++ {
			require.Less(t, n, 20, page)
			v := b.get(200, address)
			require.Equal(t, n > 0, strings.Contains(v.text(), `rel="first"`), address)
			require.LessOrEqual(t, len(regexp.MustCompile(c.row).FindAllString(v.text(), -1)), 25)
			rows += len(regexp.MustCompile(c.row).FindAllString(v.text(), -1))
			next := regexp.MustCompile(`href="([^"]+)" rel="next"`).FindStringSubmatch(v.text())
			if address = ""; next != nil {
				address = html.UnescapeString(next[1])
			}
		}
		require.Equal(t, c.want, rows, first)
	}
}

// hostile are texts that would do something in a page that did not escape them.
func hostile() []string {
	return []string{`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`,
		`javascript:alert(1)`, `{{.Form}}`, `</title><svg onload=alert(1)>`, `&lt;script&gt;`, "\u202egnp.exe",
		`--><iframe src=//evil.example>`, `</pre></details><base href=//evil.example>`, `<style>*{display:none}</style>`,
		`%3Cscript%3E`, "`${alert(1)}`", `<form action=//evil.example><button>Sign in`, strings.Repeat("W", 500)}
}

// TestPagesEscapeTexts puts hostile texts into every field that people write, and loads every page.
func TestPagesEscapeTexts(t *testing.T) {
	for i, bad := range hostile() {
		t.Run(fmt.Sprint(i), func(t *testing.T) { escapes(t, bad) })
	}
}

func escapes(t *testing.T, bad string) {
	p := start(t, withMemory(nil))
	user := bad
	if strings.Contains(bad, "\u202e") || len(bad) > 100 {
		user = "ann" // the interface does not take such names
	}
	b, _, ann := p.member("ann")
	b.press(200, "teams", "create", "name", "alpha")
	p.send(ann, "alpha", "first-packet", "", bad, map[string]any{"next_step": bad,
		"project":   map[string]any{"name": bad[:min(len(bad), 120)], "ref": bad[:min(len(bad), 120)]},
		"decisions": []any{map[string]any{"what": bad, "why": bad}}, "open_questions": []string{bad},
		"constraints": []string{bad},
		"attempts":    []any{map[string]any{"tried": bad, "outcome": "failed", "learned": bad}}})
	p.send(ann, "alpha", bad[:min(len(bad), 50)]+strings.Repeat("-", 10), "first-packet", bad, nil)
	code := p.invite("alpha", ann)
	p.ok(201, "POST /v1/invites/"+code+"/accept", request{body: toJSON(t, map[string]string{
		"display": bad[:min(len(bad), 80)]})})
	p.invite("alpha", ann)
	require.NoError(t, p.store.CreateToken(t.Context(), server.Token{ID: "TX", UserID: "01K3Q8ZJ6M4T2V9XWBDN7RANN0",
		Name: bad, Hash: server.Hash("x"), CreatedAt: p.clock.now()}, 10))
	team, part := url.QueryEscape(bad), bad[:min(len(bad), 200)]
	pages := []string{"packets?team=alpha", "packet?id=first-packet", "team?name=alpha", "teams", "tokens",
		"packets?text=" + url.QueryEscape("go "+part), "packets?tag=" + url.QueryEscape(part),
		"packets?parent=" + url.QueryEscape(part)}
	for _, page := range pages {
		b.get(200, page) // which checks what is in it
	}
	v := b.get(200, "packet?id=first-packet")
	_, after, _ := strings.Cut(v.text(), "Continued by")
	b.get(200, pageLink(t, shown{answer: answer{body: []byte(after)}}, "packet"))
	for _, page := range []string{"team?name=" + team, "packet?id=none" + team, "packets?team=" + team} {
		b.get(404, page)
	}
	for _, page := range []string{"packets?cursor=" + team, "packets?since=" + team, "packets?" + team + "=x"} {
		b.get(400, page)
	}
	b.get(200, "packets?done="+team)
	b.get(200, "sign-in?next="+team)

	meta := toJSON(t, map[string]any{"user_id": user, "title": bad})
	thread := p.ask(200, "POST /v1/threads", meta).value(t)["thread_id"].(string)
	event := p.ask(200, "POST /v1/threads/"+thread+"/events:batch", toJSON(t, map[string]any{"events": []any{
		map[string]any{"actor": "user", "content": "I live in Rome. " + bad, "session": user, "agent": user},
		map[string]any{"actor": "assistant", "content": bad, "agent": user}}})).value(t)["rows"].([]any)[0]
	p.ask(200, "POST /v1/threads/"+thread+"/promote-core-memory")
	claim := p.ask(201, "POST /v1/claims", toJSON(t, map[string]any{"user_id": user, "bucket": "PROFILE",
		"text": "has " + bad, "note": bad, "session": user, "event_id": event.(map[string]any)["event_id"]})).
		value(t)["claim"].(map[string]any)["id"].(string)
	p.work()
	operator, who := p.operator(keyA), "user="+url.QueryEscape(user)
	summaries := operator.get(200, "thread?"+who+"&id="+thread)
	for _, page := range []string{"app", "user?" + who, "claim?" + who + "&id=" + claim, "threads?" + who,
		"jobs?" + who, "jobs?state=skipped", pageLink(t, summaries, "summary")} {
		operator.get(200, page)
	}
	require.Contains(t, operator.get(200, "claim?"+who+"&id="+claim).text(), "I live in Rome.")
	operator.get(404, "claim?"+who+"&id="+team)
}
