package conversation_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	. "ltm/server/conversation"
	"ltm/text/search"
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
	for text, want := range map[string]Slot{"I'm Vegan": Diet, "I'm Divorced": Family, "I'm Dyslexic": Health} {
		require.Equal(t, want, Read(text)[0].Slot, text)
	}
	require.True(t, Read("I left Siemens in May")[0].Ended)
	require.Empty(t, Read("I left Amazon a bad review"))
	require.Empty(t, Read("I left Apple a message"))
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

// labeled counts what the rules find in sentences that are labeled with what they say, "-" for nothing.
type labeled struct{ right, wrong, missed int }

func (l labeled) precision() float64 { return float64(l.right) / float64(max(1, l.right+l.wrong)) }
func (l labeled) recall() float64    { return float64(l.right) / float64(max(1, l.right+l.missed)) }

// count counts a suggestion as right if it has at least half of the words of the label's value.
func (l *labeled) count(text, label string) {
	found := Suggest(text, "")
	_, value, ok := strings.Cut(label, ": ")
	if strings.HasPrefix(label, "-") || !ok {
		if len(found) > 0 {
			l.wrong++
		}
		return
	}
	if len(found) == 0 {
		l.missed++
		return
	}
	var claims, there []string
	for _, s := range found {
		claims = append(claims, search.TermsOf(s.Text)...)
	}
	words := search.TermsOf(value)
	for _, w := range words {
		if slices.Contains(claims, w) {
			there = append(there, w)
		}
	}
	if 2*len(there) < len(words) {
		l.wrong++
		return
	}
	l.right++
}

// TestSuggestions has the floors of what docs/conversation-eval.md reports.
func TestSuggestions(t *testing.T) {
	tests := []struct {
		file              string
		from, to          int
		precision, recall float64
	}{
		{"claims.tsv", 0, 50, .95, .95},
		{"claims-own.tsv", 0, 1000, .95, .90},
		{"claims-300.tsv", 0, 150, .95, .90},
		{"claims-300.tsv", 150, 300, .94, .65}, // by these no rule was chosen
	}
	for _, test := range tests {
		file, err := os.ReadFile("testdata/" + test.file)
		require.NoError(t, err)
		lines := strings.Split(strings.TrimSpace(string(file)), "\n")
		var all labeled
		for _, line := range lines[test.from:min(test.to, len(lines))] {
			text, label, ok := strings.Cut(line, "\t")
			require.True(t, ok, line)
			all.count(text, label)
		}
		t.Logf("%s %d-%d: precision %.3f, recall %.3f, %+v", test.file, test.from, test.to, all.precision(),
			all.recall(), all)
		require.GreaterOrEqual(t, all.precision(), test.precision, test.file)
		require.GreaterOrEqual(t, all.recall(), test.recall, test.file)
	}
}
