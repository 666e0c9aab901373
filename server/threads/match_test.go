package threads_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/threads"
)

func TestFilters(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	e := threads.Event{Event: conversation.Event{Role: conversation.User, Occurred: at}, Importance: 5,
		Meta: threads.Meta(`{"n": 2, "s": "2", "b": false, "null": null, "at": "2026-03-01T13:00:00+01:00", "o": {}, ` +
			`"nul": "\u0000", "e": "", "big": 1e400}`)}
	one := func(field, kind, op string, values ...any) threads.Filter {
		return threads.Filter{Field: field, Type: kind, Op: op, Values: values}
	}
	yes, no := one("role", "text", "eq", "user"), one("role", "text", "eq", "assistant")
	for name, c := range map[string]struct {
		f    threads.Filter
		want bool
	}{
		"nothing":                  {threads.Filter{}, true},
		"role":                     {yes, true},
		"another role":             {no, false},
		"in":                       {one("role", "text", "in", "assistant", "user"), true},
		"in none":                  {one("role", "text", "in"), false},
		"a column of numbers":      {one("importance", "number", "range", 5.0, 6.0), true},
		"the end is not in it":     {one("importance", "number", "range", 4.0, 5.0), false},
		"an open range":            {one("importance", "number", "range", nil, nil), true},
		"half a range":             {one("importance", "number", "range", 5.0), false},
		"a column of times":        {one("occurred_at", "time", "range", at, at.Add(1)), true},
		"no time is in no range":   {one("recorded_at", "time", "range", nil, at), false},
		"no time exists not":       {one("recorded_at", "time", "exists"), false},
		"a number of meta":         {one("meta.n", "number", "eq", 2.0), true},
		"a number is no text":      {one("meta.n", "text", "eq", "2"), false},
		"a text is no number":      {one("meta.s", "number", "eq", 2.0), false},
		"false":                    {one("meta.b", "bool", "eq", false), true},
		"false is not true":        {one("meta.b", "bool", "eq", true), false},
		"false exists":             {one("meta.b", "bool", "exists"), true},
		"null does not":            {one("meta.null", "text", "exists"), false},
		"an object exists":         {one("meta.o", "text", "exists"), true},
		"a missing key":            {one("meta.x", "text", "exists"), false},
		"a missing key is not ''":  {one("meta.x", "text", "eq", ""), false},
		"an empty text":            {one("meta.e", "text", "eq", ""), true},
		"an empty text exists":     {one("meta.e", "text", "exists"), true},
		"an empty column does not": {one("agent", "text", "exists"), false},
		"a time in another zone":   {one("meta.at", "time", "eq", at), true},
		"a NUL":                    {one("meta.nul", "text", "eq", "\x00"), true},
		"an unknown field":         {one("text", "text", "exists"), false},
		"an unknown operation":     {one("role", "text", "like", "user"), false},
		"and":                      {threads.Filter{And: []threads.Filter{yes, no}}, false},
		"or":                       {threads.Filter{Or: []threads.Filter{no, yes}}, true},
		"or of none":               {threads.Filter{Or: []threads.Filter{no, no}}, false},
		"not":                      {threads.Filter{Not: &no}, true},
		"all parts":                {threads.Filter{Or: []threads.Filter{yes}, Not: &yes}, false},
		"not of a missing key":     {threads.Filter{Not: &threads.Filter{Field: "meta.x", Op: "exists"}}, true},
	} {
		require.Equal(t, c.want, c.f.Event(e), name)
	}
	require.True(t, (*threads.Filter)(nil).Event(e))
	broken := one("meta.n", "number", "eq", 2.0)
	require.False(t, broken.Event(threads.Event{Meta: threads.Meta(`[2]`)}))
	require.False(t, broken.Event(threads.Event{Meta: threads.Meta(`{"n":`)}))
	state := one("state", "text", "eq", "active")
	c := threads.Claim{Claim: conversation.Claim{State: conversation.Active, Confidence: 0.5, Reinforced: 2}}
	require.True(t, state.Claim(c))
	likely := one("confidence", "number", "range", 0.5, nil)
	require.True(t, likely.Claim(c))
	for field, kind := range threads.ClaimFields() {
		f := one(field, kind, "exists")
		full := threads.Claim{Claim: conversation.Claim{Bucket: "b", State: "s"}, Stability: "s", CreatedAt: at,
			UpdatedAt: at, ExpiresAt: at}
		require.True(t, f.Claim(full), "%s is known", field)
	}
	for field, kind := range threads.EventFields() {
		f := one(field, kind, "exists")
		full := threads.Event{Event: conversation.Event{Role: "r", Session: "s", Lang: "l", Thread: "t", Occurred: at,
			Recorded: at}, Agent: "a"}
		require.True(t, f.Event(full), "%s is known", field)
	}
}
