package threads_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/provider"
	"ltm/server/threads"
)

// TestExtracted checks which of a model's claims become acts.
func TestExtracted(t *testing.T) {
	shown := []conversation.Event{
		{ID: "e1", Role: conversation.User, Text: "I moved to Lisbon in May."},
		{ID: "e2", Role: conversation.Assistant, Text: "How is Lisbon?"},
		{ID: "e3", Role: conversation.User, Text: "Lisbon is warm, and I bake bread."},
	}
	claim := func(text, bucket string, confidence float64, events ...string) provider.Claim {
		return provider.Claim{Text: text, Bucket: bucket, Confidence: confidence, Events: events}
	}
	for _, c := range []struct {
		name   string
		claims []provider.Claim
		events []string // of the acts
		why    []string
	}{
		{"one", []provider.Claim{claim("Lives in Lisbon", "PROFILE", 0.9, "e1")}, []string{"e1"}, nil},
		{"an act for each event", []provider.Claim{claim("Lives in Lisbon", "PROFILE", 0.8, "e1", "e3")},
			[]string{"e1", "e3"}, nil},
		{"unsure", []provider.Claim{claim("Lives in Lisbon", "PROFILE", 0.79, "e1")}, nil,
			[]string{"claim 1: its confidence is below 0.8"}},
		{"not shown", []provider.Claim{claim("Lives in Lisbon", "PROFILE", 0.9, "e9")}, nil,
			[]string{"claim 1: its event is not one that the user said"}},
		{"the assistant's", []provider.Claim{claim("Lives in Lisbon", "PROFILE", 0.9, "e2")}, nil,
			[]string{"claim 1: its event is not one that the user said"}},
		{"invented", []provider.Claim{claim("Owns a yacht", "PROFILE", 0.9, "e1")}, nil,
			[]string{"claim 1: it is not from the text of its event"}},
		{"one event of two says it", []provider.Claim{claim("Moved in May", "PROFILE", 0.9, "e1", "e3")},
			[]string{"e1"}, []string{"claim 1: it is not from the text of its event"}},
		{"unknown bucket", []provider.Claim{claim("Lives in Lisbon", "MOOD", 0.9, "e1")}, nil,
			[]string{"claim 1: its bucket is unknown"}},
		{"one bad, one good", []provider.Claim{claim("", "PROFILE", 0.9, "e1"),
			claim("Bakes bread", "PREFERENCES", 1, "e3")}, []string{"e3"}, []string{"claim 1: it has no text"}},
		{"none", nil, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			acts, why := threads.Extracted(provider.Extraction{Claims: c.claims}, shown, nil, threads.Settings{})
			var events []string
			for _, a := range acts {
				require.Equal(t, conversation.Suggests, a.Verb)
				events = append(events, a.Event)
			}
			require.Equal(t, c.events, events)
			require.Equal(t, c.why, why)
			added, _ := threads.Extracted(provider.Extraction{Claims: c.claims}, shown, nil,
				threads.Settings{ActiveExtraction: true})
			for _, a := range added {
				require.Equal(t, conversation.Adds, a.Verb)
			}
			require.Len(t, added, len(acts))
		})
	}
}

// TestInjectedMemoryIsNotShown checks that a model is not asked about memory that an application put into a message.
func TestInjectedMemoryIsNotShown(t *testing.T) {
	since := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	context := conversation.Compose(conversation.Request{Budget: 500, AsOf: since, Claims: []conversation.Claim{{
		ID: "c", Bucket: conversation.Profile, Text: "Lives in Oslo", State: conversation.Active,
		Valid: []conversation.Period{{From: since}}}}})
	block := context.Memory
	require.Contains(t, block, "Oslo")
	events := []conversation.Event{
		{ID: "e1", Role: conversation.User, Text: block + "\nI like tea."},
		{ID: "e2", Role: conversation.User, Text: block},
		{ID: "e3", Role: "tool", Text: "a result"},
		{ID: "e4", Role: conversation.Assistant, Text: "Noted."},
	}
	shown, asked := threads.ShownTo(events)
	require.Len(t, shown, 2)
	require.Equal(t, []provider.Event{{ID: "e1", User: true, Text: shown[0].Text}, {ID: "e4", Text: "Noted."}}, asked)
	require.Contains(t, shown[0].Text, "tea")
	require.NotContains(t, shown[0].Text, "Oslo")
	require.Contains(t, events[0].Text, "Oslo", "the event itself stays")
}
