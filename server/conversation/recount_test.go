package conversation_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
)

// TestRecount: a summary is told by itself as a context shows it, whatever it consists of.
func TestRecount(t *testing.T) {
	claims, events := moved()
	lines := []Line{{Event: "old", Role: User, Text: "We went south."}, {Event: "s", Text: ""},
		{Event: "s", Text: "They live in Rome; the train was late. You live in Rome. The user lives in Rome."},
		{Event: "s", Text: "I live in Oslo."},
		{Event: events[2].ID, Role: User, Text: "I like tea."},
		{Event: "x", Role: Assistant, Text: "You live in Rome."}}
	for minute, want := range map[int][]string{
		30: {"We went south.", "", "They live in Rome; the train was late. You live in Rome.", "I live in Oslo.",
			"I like tea.", ""},
		5: {"We went south.", "", lines[2].Text, "I live in Oslo.", "I like tea.", "You live in Rome."},
	} {
		got := Know(claims).Recount(lines, at(minute))
		var texts, shown []string
		for i, l := range got {
			require.Equal(t, []any{lines[i].Event, lines[i].Role}, []any{l.Event, l.Role})
			texts = append(texts, l.Text)
			c := Compose(Request{Budget: 500, AsOf: at(minute), Claims: claims, About: []string{},
				Summary: &Summary{Lines: lines[i : i+1]}})
			text := ""
			if len(c.Placed) > 0 {
				text = c.Placed[0].Text
			}
			shown = append(shown, text)
		}
		require.Equal(t, want, texts)
		for i, text := range texts {
			if lines[i].Role == Assistant && text != "" {
				text = "assistant: " + text
			}
			require.Equal(t, text, shown[i], "as in a context")
		}
	}
}

// TestCredentialsAreNotRecounted: a line that was written elsewhere may have one.
func TestCredentialsAreNotRecounted(t *testing.T) {
	const secret = "ghp_" + "x7Kq2mVt9RbN4wZs8LdYc3HfGj6PaE1uTiO0"
	claims, _ := moved()
	line := Line{Event: "s", Text: "I live in Rome. The token " + secret + " opens the gate."}
	for _, known := range []*Known{Know(claims), Know(nil)} {
		told := known.Recount([]Line{line}, at(30))[0].Text
		require.NotContains(t, told, secret)
		require.Contains(t, told, "opens the gate")
	}
}

// TestHalfACredentialIsInNoContext has credentials that reach beyond what is shown of a text.
func TestHalfACredentialIsInNoContext(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3dE6gH9", 4)
	key := "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n", 50) +
		"-----END PRIVATE KEY-----\n"
	for name, secret := range map[string]string{"token": token, "key": key} {
		for _, shown := range []int{400, 120} {
			text := strings.Repeat("word ", (shown-20)/5) + secret + " and more"
			c := Compose(Request{Budget: 2000,
				Hits:      []Hit{{Event: "e1", Role: "user", Text: text, Score: 1}},
				Memories:  []Memory{{ID: "m1", Text: "Other. " + text, Score: 1}},
				Reactions: []Reaction{{Event: "e2", Name: "thumbs_up", Text: text}}})
			require.Contains(t, c.Memory, "word word", name)
			require.NotContains(t, c.Memory, secret[:12], name)
			require.NotContains(t, c.Memory, "MIIEvQ", name)
		}
	}
}
