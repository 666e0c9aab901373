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

// FuzzExtracted checks that whatever a model answers, an act is one that Derive takes, and all else has a reason.
func FuzzExtracted(f *testing.F) {
	shown := []Event{said("e1", "s", 0, "Rome and tea")}
	old := Claim{ID: ClaimID(Profile, "Rome"), Bucket: Profile, Text: "Rome"}
	f.Fuzz(func(t *testing.T, text, bucket, quote string, confidence float64, ended bool) {
		a, reason := Extracted(Finding{Text: text, Bucket: Bucket(bucket), Confidence: confidence, Event: "e1",
			Quote: quote, Of: &old, Ended: ended}, shown)
		claims := Derive(History{Events: shown, Acts: []Act{a}})
		switch {
		case reason != "":
			require.Zero(t, a)
		case ended:
			require.Equal(t, Act{Verb: Ends, Claim: old.ID, Event: "e1"}, a)
			require.Empty(t, slices.DeleteFunc(claims, func(c Claim) bool { return c.State == Suggested }))
		default:
			require.True(t, slices.ContainsFunc(claims, func(c Claim) bool {
				return c.State == Suggested && c.ID == ClaimID(a.Bucket, a.Text) && c.Evidence[0].Event == "e1"
			}))
		}
	})
}
