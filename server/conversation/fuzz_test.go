package conversation_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
)

// FuzzSuggest checks that suggestions are bounded, stable and come from the text alone.
func FuzzSuggest(f *testing.F) {
	f.Fuzz(func(t *testing.T, text, lang string) {
		found := Suggest(text, lang)
		require.LessOrEqual(t, len(found), 8)
		for _, s := range found {
			require.Contains(t, Buckets(), s.Bucket)
			require.NotContains(t, s.Text, "\n")
			require.NotEmpty(t, Normal(s.Text))
			require.Contains(t, Normal(text), strings.TrimPrefix(Normal(s.Text), "i "), "words of the text")
			require.Equal(t, Normal(s.Text), Normal(Normal(s.Text)), "the normal form is its own")
		}
		require.True(t, slices.Contains([]int{0, 1, 3, 5}, Importance(Event{Role: User, Text: text, Lang: lang})))
	})
}

// FuzzExtracted checks that whatever a model answers, each act is one that Derive takes, and each other element
// has a reason.
func FuzzExtracted(f *testing.F) {
	shown := []Event{said("e1", "s", 0, "Rome and tea")}
	f.Fuzz(func(t *testing.T, answer string) {
		acts, refused := Extracted(answer, shown)
		for _, r := range refused {
			require.NotEmpty(t, r.Reason)
		}
		for _, a := range acts {
			claims := Derive(History{Events: shown, Acts: []Act{a}})
			require.Len(t, claims, 1)
			require.Equal(t, Suggested, claims[0].State)
			require.Equal(t, "e1", claims[0].Evidence[0].Event)
		}
	})
}
