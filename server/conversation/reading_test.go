package conversation_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
)

func TestRead(t *testing.T) {
	tests := []struct {
		text string
		want Reading
	}{
		{"I live in the north of Spain.", Reading{Slot: Home, Value: "the north of Spain"}},
		{"We've been living in Graz since 2019", Reading{Slot: Home, Value: "Graz", Since: "2019"}},
		{"I used to live in Oslo", Reading{Slot: Home, Value: "Oslo", Ended: true}},
		{"I no longer work at Siemens", Reading{Slot: Work, Value: "Siemens", Ended: true}},
		{"I don't eat meat", Reading{Slot: Limit, Of: "no", Value: "meat"}},
		{"My favorite color is green", Reading{Slot: Favorite, Of: "color", Value: "green"}},
		{"my sister lives in Rome", Reading{Subject: "sister", Slot: Home, Value: "Rome"}},
		{"She works as a nurse", Reading{Subject: "she", Slot: Work, Of: "as", Value: "a nurse"}},
		{"My wife is called Nadja", Reading{Slot: Partner, Of: "wife", Value: "Nadja"}},
	}
	for _, test := range tests {
		got := Read(test.text)
		require.NotEmpty(t, got, test.text)
		test.want.Text = strings.TrimRight(test.text, ".")
		require.Equal(t, test.want, got[0])
	}
	require.Empty(t, Read("Do I live in Rome?"))
	require.Empty(t, Read("If I live in Rome, I pay more"))
}

func TestReadClaim(t *testing.T) {
	for text, want := range map[string]string{"Lives in Rome": "Rome", "The user lives in Rome": "Rome",
		"User works for Siemens": "Siemens", "Has two kids": "two kids", "I live in Rome": "Rome"} {
		got := ReadClaim(text)
		require.Len(t, got, 1, text)
		require.Equal(t, want, got[0].Value)
		require.Empty(t, got[0].Subject, text)
	}
	require.Empty(t, Read("Lives in Rome"))
}

// TestReadingsOfClaims reads sentences that are labeled with what they say.
func TestReadingsOfClaims(t *testing.T) {
	file, err := os.ReadFile("testdata/claims.tsv")
	require.NoError(t, err)
	for line := range strings.Lines(string(file)) {
		text, want, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || strings.HasPrefix(text, "#") {
			continue
		}
		var so []Reading
		for _, r := range Read(text) {
			if r.Subject == "" && !r.Ended {
				so = append(so, r)
			}
		}
		require.Equal(t, strings.HasPrefix(want, "-"), len(so) == 0, "%s: %v", text, so)
	}
}
