package conversation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	. "ltm/conversation"
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
