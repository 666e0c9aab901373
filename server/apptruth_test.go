package server_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// recalled returns the memory that answers a question of ann.
func (p *place) recalled(question string) string {
	p.t.Helper()
	return p.ask(200, "POST /v1/retrieve", toJSON(p.t, map[string]any{"user_id": "ann", "query": question,
		"budget": 2000})).value(p.t)["memory"].(string)
}

// TestDecisionsHideNothingOfOthers: what a person decides about their own claim takes their own sentences alone.
func TestDecisionsHideNothingOfOthers(t *testing.T) {
	p := start(t, withMemory(nil))
	thread := p.thread("ann")
	for _, text := range []string{"I love sushi.", "My daughter loves sushi.", "I work at Siemens. It rains in Ulm.",
		"My wife works at Siemens, too.", "I live in Berlin.", "My brother lives in Berlin.",
		"Are flights from Berlin to Rome cheap, and I live in fear of flights?"} {
		p.say(thread, "user", text)
	}
	p.clock.advance(1e9)
	for _, c := range []struct{ text, verb, body, question, hidden, stays string }{
		{"I love sushi", "reject", "", "who loves sushi?", "> claim: I love sushi", ": I love sushi."},
		{"I work at Siemens", "deprecate", "", "who works at Siemens?", "I work at", "My wife works at Siemens, too."},
		{"I live in Berlin", "correct", `{"text":"I live in Rome"}`, "who lives in Berlin?", "I live in Berlin",
			"My brother lives in Berlin."},
	} {
		state, act := p.act(p.claim(c.text), c.verb, c.body)
		require.NotEqual(t, "active", state)
		require.NotContains(t, p.recalled(c.question), c.hidden)
		require.Contains(t, p.recalled(c.question), c.stays)
		p.undo(act)
		require.Contains(t, p.recalled(c.question), "> claim: "+c.text)
		_, _ = p.act(p.claim(c.text), c.verb, c.body)
	}
	require.Contains(t, p.recalled("who loves sushi?"), "My daughter loves sushi.")
	require.Contains(t, p.recalled("flights from Berlin"), "Are flights from Berlin to Rome cheap, and I live in fear")
	require.Contains(t, p.recalled("does it rain in Ulm?"), "It rains in Ulm.")
}
