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
		{Event: "s", Text: "They live in Rome; the train was late. I like tea?"}, {Event: "s", Text: "I live in Oslo."},
		{Event: events[2].ID, Role: User, Text: "I like tea."}, {Event: "x", Role: Assistant, Text: "I live in Rome."}}
	for minute, want := range map[int][]string{
		30: {"", "", "the train was late. I like tea", "I live in Oslo.", "I like tea.", ""},
		5:  {"We went south.", "", "They live in Rome. the train was late", "", "", "I live in Rome."},
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

// TestAnswersInASummaryToWhatWasSuperseded: a line of the assistant that repeats what it was told loses that, in a
// summary as it is told and in a context, as a hit does.
func TestAnswersInASummaryToWhatWasSuperseded(t *testing.T) {
	claims, _ := moved()
	line := Line{Event: "x", Role: Assistant, Text: "Noted: Rome. Trains are late."}
	for name, c := range map[string]struct {
		answered string
		minute   int
		want     string
	}{
		"to it":           {"old", 30, "Trains are late"},
		"while it held":   {"old", 5, line.Text},
		"to another":      {"new", 30, line.Text},
		"to nobody knows": {"", 30, line.Text},
	} {
		line.Answered = c.answered
		require.Equal(t, c.want, Know(claims).Recount([]Line{line}, at(c.minute))[0].Text, name)
		got := Compose(Request{Budget: 500, AsOf: at(c.minute), Claims: claims, About: []string{},
			Summary: &Summary{Lines: []Line{line}}})
		require.Equal(t, "assistant: "+c.want, got.Placed[0].Text, name)
	}
	line.Answered, line.Text = "old", "Noted: Rome."
	require.Empty(t, Know(claims).Recount([]Line{line}, at(30))[0].Text)
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
