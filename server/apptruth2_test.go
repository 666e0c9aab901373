package server_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// suggested returns ann's suggested claims by text.
func (p *place) suggested() map[string]string {
	p.t.Helper()
	ids := map[string]string{}
	for _, c := range p.list("/v1/claims?user_id=ann&state=suggested&limit=200", "claims", keyA) {
		ids[c["text"].(string)] = c["id"].(string)
	}
	return ids
}

// proposed returns what the history of a claim of ann proposes: the verbs.
func (p *place) proposed(id string) (verbs []string) {
	p.t.Helper()
	for _, a := range p.ask(200, "GET /v1/claims/"+id+"/history?user_id=ann").value(p.t)["acts"].([]any) {
		if a := a.(map[string]any); a["proposed"] == true {
			verbs = append(verbs, a["verb"].(string))
		}
	}
	return verbs
}

// against returns the texts that contradict a claim of ann, in its own entry and in a context.
func (p *place) against(id, question string) (texts []string) {
	p.t.Helper()
	entry := p.ask(200, "GET /v1/claims/"+id+"?user_id=ann").value(p.t)["claim"].(map[string]any)
	for _, b := range p.ask(200, "POST /v1/retrieve", toJSON(p.t, map[string]any{"user_id": "ann", "query": question})).
		value(p.t)["blocks"].([]any) {
		if b := b.(map[string]any); b["id"] == id && b["against"] != nil {
			for _, other := range b["against"].([]any) {
				texts = append(texts, other.(map[string]any)["text"].(string))
			}
			require.Len(p.t, entry["against"], len(texts))
		}
	}
	if texts == nil {
		require.NotContains(p.t, entry, "against")
	}
	return texts
}

// TestContradictionsAreNoticed: another value of what has one, and the opposite, are proposed and change nothing.
func TestContradictionsAreNoticed(t *testing.T) {
	p := start(t, withMemory(nil))
	add := func(bucket, text string) string {
		p.clock.advance(1e9)
		body := toJSON(t, map[string]any{"user_id": "ann", "bucket": bucket, "text": text})
		return p.ask(201, "POST /v1/claims", body).value(t)["claim"].(map[string]any)["id"].(string)
	}
	home, taste := add("PROFILE", "I live in Rome"), add("PREFERENCES", "I love cilantro")
	pet := add("PROFILE", "I have a dog")
	thread := p.thread("ann")
	for _, text := range []string{"I live in Turin.", "My sister lives in Oslo.", "I hate cilantro.", "I love dogs.",
		"I live in the north of Rome."} {
		p.say(thread, "user", text)
	}
	p.work()
	p.clock.advance(1e9)
	require.Equal(t, []string{"supersede"}, p.proposed(home))
	require.Equal(t, []string{"I live in Turin"}, p.against(home, "where is home?"))
	require.Equal(t, []string{"dispute"}, p.proposed(taste))
	require.Equal(t, []string{"I hate cilantro"}, p.against(taste, "cilantro"))
	require.Empty(t, p.proposed(pet))
	require.Empty(t, p.against(pet, "pets"))
	require.Equal(t, 3, len(p.list("/v1/claims?user_id=ann&state=active", "claims", keyA)), "nothing was changed")

	turin := p.suggested()["I live in Turin"]
	require.Equal(t, []string{"supersede"}, p.proposed(turin))
	state, act := p.act(home, "correct", `{"other":"`+turin+`"}`)
	require.Equal(t, "superseded", state)
	require.Contains(t, p.claims("&state=active"), "I live in Turin")
	require.Empty(t, p.proposed(home))
	require.NotContains(t, p.recalled("where do I live?"), "I live in Rome")
	p.undo(act)
	require.Contains(t, p.suggested(), "I live in Turin")
	require.Equal(t, []string{"supersede"}, p.proposed(home))
	state, _ = p.act(taste, "dispute", `{"other":"`+p.suggested()["I hate cilantro"]+`"}`)
	require.Equal(t, "conflicted", state)
	_, _ = p.act(turin, "reject", "")
	require.Empty(t, p.proposed(home))
}

// TestWhatEndedIsProposed by what a user says is over, for what was said before.
func TestWhatEndedIsProposed(t *testing.T) {
	p := start(t, withMemory(nil))
	thread := p.thread("ann")
	oslo, siemens, wife := p.claim("I live in Oslo"), p.claim("I work at Siemens"), p.claim("My wife works at Siemens")
	p.clock.advance(1e9)
	said := p.say(thread, "user", "I used to live in Oslo.")
	p.say(thread, "user", "I quit my job at Siemens!")
	p.work()
	p.clock.advance(1e9)
	require.Equal(t, []string{"end"}, p.proposed(oslo))
	require.Equal(t, []string{"end"}, p.proposed(siemens))
	require.Empty(t, p.proposed(wife))
	require.Contains(t, p.claims("&state=active"), "I live in Oslo", "nothing was changed")
	for text := range p.suggested() {
		require.NotContains(t, text, "Oslo")
	}
	_, act := p.act(siemens, "deprecate", "")
	require.Empty(t, p.proposed(siemens))
	p.undo(act)
	p.ask(200, "DELETE /v1/threads/"+thread+"/events/"+said)
	require.Empty(t, p.proposed(oslo), "as if it had never been said")
}

// TestCorrectionsKnowSinceWhen something is so.
func TestCorrectionsKnowSinceWhen(t *testing.T) {
	p := start(t, withMemory(nil))
	rome := p.claim("I live in Rome")
	p.clock.advance(90 * 24 * time.Hour)
	since := p.clock.now().UTC().AddDate(0, 0, -30)
	at := func(t time.Time) string { return t.Format(time.RFC3339) }
	_, act := p.act(rome, "correct", `{"text":"I live in Turin","valid_from":"`+at(since)+`"}`)
	for days, want := range map[int]string{-1: "I live in Rome", 1: "I live in Turin"} {
		found := p.claims("&as_of=" + at(since.AddDate(0, 0, days)))
		require.Contains(t, found, want)
		require.NotContains(t, found, map[bool]string{true: "Turin", false: "Rome"}[days < 0])
	}
	p.undo(act)
	require.Equal(t, "active: I live in Rome", p.claims(""))
	for _, bad := range []string{at(p.clock.now().AddDate(0, 0, 2)), "1800-01-01T00:00:00Z", "then"} {
		a := p.do("POST /v1/claims/"+rome+"/correct?user_id=ann",
			of(keyA, `{"text":"I live in Turin","valid_from":"`+bad+`"}`))
		require.GreaterOrEqual(t, a.status, 400, bad)
		require.Less(t, a.status, 500, bad)
	}
	require.Equal(t, "active: I live in Rome", p.claims(""))

	// by an event that says when
	thread := p.thread("ann")
	event := p.ask(200, "POST /v1/threads/"+thread+"/events", toJSON(t, map[string]any{"actor": "user",
		"content": "We moved to Turin.", "occurred_at": at(since)})).value(t)["event_id"].(string)
	turin := p.ask(201, "POST /v1/claims",
		`{"user_id":"ann","bucket":"PROFILE","text":"I live in Turin","event_id":"`+event+`"}`).value(t)["claim"].(map[string]any)["id"].(string)
	_, _ = p.act(rome, "correct", `{"other":"`+turin+`"}`)
	require.Equal(t, "active: I live in Turin", p.claims("&state=active"))
	require.Contains(t, p.claims("&as_of="+at(since.AddDate(0, 0, -1))), "I live in Rome")
	require.NotContains(t, p.claims("&as_of="+at(since.AddDate(0, 0, 1))), "Rome")
}

// TestNearlyTheSameReinforces a claim, and is no other one.
func TestNearlyTheSameReinforces(t *testing.T) {
	p := start(t, withMemory(nil))
	for _, text := range []string{"I love sushi.", "I love sushi (again, note 5).", "I love sushi so much!",
		"By the way, I love sushi"} {
		p.say(p.thread("ann"), "user", text)
	}
	p.work()
	require.Len(t, p.suggested(), 1)
	for _, c := range p.list("/v1/claims?user_id=ann", "claims", keyA) {
		require.EqualValues(t, 4, c["reinforcement_count"])
		require.Len(t, c["evidence"], 4)
	}
	p.claim("I live in Rome")
	require.Equal(t, p.claim("I live in Rome"), p.claim("I currently live in Rome!"))
	for _, other := range []string{"I do not live in Rome", "I lived in Rome", "I live in Rome Street", "I have 2 kids",
		"I have 3 kids"} {
		require.NotEqual(t, p.claim("I live in Rome"), p.claim(other), other)
	}
}

// TestProfile says what holds of a user, with its evidence and since when.
func TestProfile(t *testing.T) {
	p := start(t, withMemory(nil))
	add := func(bucket, text string) string {
		p.clock.advance(1e9)
		body := toJSON(t, map[string]any{"user_id": "ann", "bucket": bucket, "text": text})
		return p.ask(201, "POST /v1/claims", body).value(t)["claim"].(map[string]any)["id"].(string)
	}
	rome := add("PROFILE", "I live in Rome")
	then := p.clock.now().UTC().Format(time.RFC3339)
	add("CONSTRAINTS", "I am allergic to peanuts")
	add("PROJECTS", "The boat needs paint")
	add("GOALS", "I want to learn Portuguese")
	p.ask(201, "POST /v1/claims", `{"user_id":"ann","bucket":"PROFILE","text":"I have a cat","suggest":true}`)
	_, _ = p.act(rome, "correct", `{"text":"I live in Turin"}`)
	p.clock.advance(1e9)
	texts := func(query string) (static, dynamic []string) {
		v := p.ask(200, "GET /v1/users/ann/profile"+query).value(t)
		for _, e := range v["static"].([]any) {
			e := e.(map[string]any)
			require.NotEmpty(t, e["since"])
			require.NotEmpty(t, e["claim"].(map[string]any)["evidence"])
			slot, _ := e["slot"].(string)
			static = append(static, slot+": "+e["claim"].(map[string]any)["text"].(string))
		}
		for _, e := range v["dynamic"].([]any) {
			dynamic = append(dynamic, e.(map[string]any)["claim"].(map[string]any)["text"].(string))
		}
		return static, dynamic
	}
	static, dynamic := texts("")
	require.Equal(t, []string{"allergy: I am allergic to peanuts", "home: I live in Turin"}, static)
	require.Equal(t, []string{"I want to learn Portuguese", "The boat needs paint"}, dynamic)
	static, dynamic = texts("?as_of=" + then)
	require.Equal(t, []string{"home: I live in Rome"}, static)
	require.Empty(t, dynamic)
	none := p.ask(200, "GET /v1/users/bob/profile").value(t)
	require.Equal(t, []any{[]any{}, []any{}}, []any{none["static"], none["dynamic"]})
	p.ask(400, "GET /v1/users/ann/profile?as_of=then")
}
